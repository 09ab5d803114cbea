#!/usr/bin/env python3
"""Every example as a C and a Fortran program: it must compile without a warning and give what `cutset simulate` gives:
`translate.py [--program P] [--language c|fortran] [--seconds S] [name…]`.

Examples whose program runs longer than S seconds (20) are left out; Fortran is left out where there is no compiler."""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8')
COMPILE = {'c': ['gcc', '-O1', '-std=c11', '-Wall', '-Wextra', '-Wconversion', '-Werror', '-pedantic', 'm.c', '-o', 'm',
                 '-lm'],
           'fortran': ['gfortran', '-O1', '-std=f2008', '-Wall', '-Wextra', '-Werror', 'm.f90', '-o', 'm']}
# What is constant but for rounding, and derivatives of what is as good as constant.
SKIP = {'full_circle': 'energy', 'pendulum': 'energy', 'slider_crank': 'energy', 'ward_leonard': 'der(M3.ia)',
        'bicyclists': 'der(B[3].x)', 'thyristor_bridge': 'Ground.I'}
# What programs cannot do (docs/translate.md): clutches that hold are relations at their zero crossings. Refused, with these words.
REFUSED = {'gearbox': 'is held where it switches'}
# Runs that end where curves are steep, and a table with steps of 1:8.
TOLERANCE = {'bicyclists': '5e-3', 'surge_tank': '1e-3', 'boiler': '1e-3'}


def call(arguments, folder, seconds, output=None):
    return subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=output or subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, timeout=seconds)


def check(program, language, model, seconds):
    """A problem, or None; 'slow' when the example was left out."""
    with tempfile.TemporaryDirectory(prefix='cutset-translate-') as name:
        folder = pathlib.Path(name)
        source = 'm.c' if language == 'c' else 'm.f90'
        made = call([program, 'translate', str(model), '--to', language, '-o', source], folder, 120)
        if model.stem in REFUSED:
            refused = made.returncode and REFUSED[model.stem] in made.stderr
            return None if refused else 'not refused as expected: ' + made.stderr
        if made.returncode:
            return made.stdout + made.stderr
        compiled = call(COMPILE[language], folder, 600)
        if compiled.returncode:
            return compiled.stderr[:2000]
        try:
            with open(folder / 'm.csv', 'w') as out:
                ran = call(['./m'], folder, seconds, out)
        except subprocess.TimeoutExpired:
            return 'slow'
        if ran.returncode:
            return ran.stderr
        reference = call([program, 'simulate', str(model), '--quiet', '-o', 'reference.csv'], folder, 120)
        if reference.returncode:
            return reference.stdout + reference.stderr
        compare = [program, 'compare', 'm.csv', 'reference.csv', '--tolerance', TOLERANCE.get(model.stem, '1e-4')]
        if model.stem in SKIP:
            compare += ['--skip', SKIP[model.stem]]
        compared = call(compare, folder, 60)
        return compared.stdout + compared.stderr if compared.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build/release/cutset'))
    parser.add_argument('--language', choices=['c', 'fortran'])
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    languages = [options.language] if options.language else ['c', 'fortran']
    languages = [l for l in languages if shutil.which(COMPILE[l][0])]
    models = [m for m in sorted((ROOT / 'examples').glob('**/*.dym'))
              if not options.names or any(n in str(m) for n in options.names)]
    bad = slow = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {(l, m): pool.submit(check, program, l, m, options.seconds) for l in languages for m in models}
        for (language, model), task in tasks.items():
            problem = task.result()
            if problem == 'slow':
                slow += 1
            elif problem:
                bad += 1
                print(f'{model.relative_to(ROOT)} in {language}:\n{problem}')
    print(f'{len(models)} examples in {" and ".join(languages)}: {bad} failed, {slow} left out')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
