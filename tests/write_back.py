#!/usr/bin/env python3
"""Every example as Modelica text, read back: it must give what the example gives. Those of Omola also as Omola text:
it must be read as the same classes.
`write_back.py [--program P] [name…]`."""
import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8')
# Of programs of EL only the model is written: what they do is not.
PROGRAMS = {'motor_study'}


def call(program, *arguments, folder):
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=ENVIRONMENT, timeout=300)
    return done.returncode, done.stdout, done.stderr


def columns(path):
    """Names, as Modelica writes those of derivatives of higher order, and the rows."""
    with open(path) as file:
        rows = list(csv.reader(file))
    names = []
    for name in rows[0]:
        plain = name.rstrip("'")
        names.append('der_' * (len(name) - len(plain)) + plain)
    return names, rows[1:]


def keep(path, wanted):
    names, rows = columns(path)
    places = [names.index(n) for n in wanted]
    with open(path, 'w', newline='') as file:
        writer = csv.writer(file)
        writer.writerow(wanted)
        writer.writerows([row[i] for i in places] for row in rows)


def same_run(program, model, written, folder):
    """A problem, or None."""
    options = ['--quiet', '--tolerance', '1e-8']
    for file, result in ((model, 'before.csv'), (written, 'after.csv')):
        status, out, errors = call(program, 'simulate', file, *options, '-o', result, folder=folder)
        if status:
            return f'simulate {file}: {out}{errors}'
    before, after = columns(folder / 'before.csv')[0], columns(folder / 'after.csv')[0]
    common = [n for n in before if n in set(after)]
    missing = [n for n in before if n not in set(after) and not n.startswith('der(')]
    if missing:
        return f'not in the written model: {", ".join(missing)}'
    keep(folder / 'before.csv', common)
    keep(folder / 'after.csv', common)
    status, out, errors = call(program, 'compare', 'after.csv', 'before.csv', '--tolerance', '1e-5', folder=folder)
    return out + errors if status else None


def same_classes(program, model, folder):
    written = folder / model.name
    status, out, errors = call(program, 'translate', model, '--to', 'omola', '-o', written, folder=folder)
    if status:
        return out + errors
    trees = [call(program, 'check', file, '--dump', 'tree', '--quiet', folder=folder)[1] for file in (model, written)]
    again = folder / ('again_' + model.name)
    call(program, 'translate', written, '--to', 'omola', '-o', again, folder=folder)
    if written.read_text() != again.read_text():
        return 'written again, the text is another one'
    return None if trees[0] == trees[1] and trees[0] else 'read back, the classes are others'


def check(program, model):
    with tempfile.TemporaryDirectory(prefix='cutset-write-') as name:
        folder = pathlib.Path(name)
        written = folder / (re.sub(r'\W', '_', model.stem) + '.mo')
        status, out, errors = call(program, 'translate', model, '--to', 'modelica', '-o', written, folder=folder)
        if status:
            return out + errors
        problem = same_run(program, model, written, folder) if model.stem not in PROGRAMS else None
        if model.suffix == '.om':
            problem = problem or same_classes(program, model, folder)
        return problem


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build/release/cutset'))
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    models = [m for ending in ('om', 'el', 'mo') for m in sorted((ROOT / 'examples').glob(f'**/*.{ending}'))
              if not options.names or any(n in str(m) for n in options.names)]
    bad = 0
    for model in models:
        problem = check(program, model)
        if problem:
            bad += 1
            print(f'{model.relative_to(ROOT)}:\n{problem}')
    print(f'{len(models)} examples written and read back: {bad} failed')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
