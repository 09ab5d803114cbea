#!/usr/bin/env python3
"""Runs every example and every simulation of tests/cases on both engines, interpreter and machine code, the latter also with the better
code that else comes after many runs only, and compares the results byte for byte: `engines.py [--program P] [--seconds S] [name…]`.

A run that takes longer than S seconds (2) is interrupted; then the rows that both engines computed are compared."""
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from run_cases import ROOT, split

DROPPED = {'-o': 1, '--output': 1, '--plot': 1, '--steps': 1, '--engine': 1, '--statistics': 0, '--json': 0, '--quiet': 0,
           '--profile': 0}


def arguments_of(command):
    """The arguments of `cutset simulate` in a command of a case, without those that say where results go."""
    match = re.search(r'\bcutset simulate\b([^|;&<>]*)', command)
    if not match:
        return None
    try:
        words = shlex.split(match.group(1).replace('$ROOT', str(ROOT)))
    except ValueError:
        return None
    kept, skip = [], 0
    for word in words:
        if skip:
            skip -= 1
        elif word.split('=')[0] in DROPPED:
            skip = DROPPED[word.split('=')[0]] if '=' not in word else 0
        else:
            kept.append(word)
    return kept if '--help' not in kept and '-h' not in kept else None


def jobs(names):
    """[(name, {file: text}, arguments)]"""
    found = [(str(p.relative_to(ROOT)), {}, [str(p)]) for p in sorted((ROOT / 'examples').rglob('*.dym'))]
    for path in sorted((ROOT / 'tests/cases').rglob('*.case')):
        parts = split(path.read_text())[1:]
        files = {header: '\n'.join(lines) + '\n' for header, lines in parts if not header.startswith('$ ')}
        for header, _ in parts:
            arguments = arguments_of(header[2:]) if header.startswith('$ ') else None
            if arguments:
                found.append((str(path.relative_to(ROOT)) + ': ' + ' '.join(arguments), files, arguments))
    seen, distinct = set(), []
    for name, files, arguments in found:
        key = (tuple(sorted(files.items())), tuple(arguments))
        if key not in seen and (not names or any(n in name for n in names)):
            seen.add(key)
            distinct.append((name, files, arguments))
    return distinct


def run(program, folder, engine, arguments, seconds, **environment):
    """(exit status, output, rows, whether it was interrupted)"""
    result = folder / (engine + '.csv')
    process = subprocess.Popen([program, 'simulate', *arguments, '--quiet', '--engine', engine, '-o', str(result)], cwd=folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8', **environment))
    interrupted = False
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        interrupted = True
        process.send_signal(signal.SIGINT)
        try:
            output, _ = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
    rows = result.read_bytes().splitlines() if result.exists() else []
    return process.returncode, output.replace(engine.encode() + b'.csv', b'result.csv'), rows, interrupted


def difference(interpreted, native):
    """What differs between two runs, or None."""
    status_a, output_a, rows_a, short_a = interpreted
    status_b, output_b, rows_b, short_b = native
    if short_a or short_b:
        # The last row of an interrupted run may be cut off, or stand at another time.
        common = min(len(rows_a), len(rows_b)) - 1
        rows_a, rows_b = rows_a[:common], rows_b[:common]
    else:
        if status_a != status_b:
            return 'exit status %d interpreted, %d native\n%s' % (status_a, status_b, output_b.decode('utf-8', 'replace'))
        if output_a != output_b:
            return 'the messages differ\n--- interpret\n%s\n--- native\n%s' % (
                output_a.decode('utf-8', 'replace'), output_b.decode('utf-8', 'replace'))
        if len(rows_a) != len(rows_b):
            return '%d rows interpreted, %d native' % (len(rows_a), len(rows_b))
    for number, (a, b) in enumerate(zip(rows_a, rows_b)):
        if a != b:
            return 'row %d differs\n--- interpret\n%s\n--- native\n%s' % (
                number, a[:2000].decode('utf-8', 'replace'), b[:2000].decode('utf-8', 'replace'))
    return None


def compare(job, program, seconds):
    name, files, arguments = job
    folder = pathlib.Path(tempfile.mkdtemp(prefix='cutset-engines-'))
    try:
        for file, text in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        interpreted = run(program, folder, 'interpret', arguments, seconds)
        problem = difference(interpreted, run(program, folder, 'native', arguments, seconds))
        if problem:
            return problem
        problem = difference(interpreted, run(program, folder, 'native', arguments, seconds, CUTSET_CARE='1', CUTSET_CACHE='off'))
        return problem and 'with better code: ' + problem
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main(argv):
    program, seconds, names = ROOT / 'build/test/cutset', 2.0, []
    arguments = iter(argv)
    for argument in arguments:
        if argument == '--program':
            program = pathlib.Path(next(arguments)).resolve()
        elif argument == '--seconds':
            seconds = float(next(arguments))
        elif argument in ('-h', '--help'):
            print(__doc__)
            return 0
        else:
            names.append(argument)
    todo = jobs(names)
    if not todo:
        print('no model matches')
        return 1
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as workers:
        for job, problem in zip(todo, workers.map(lambda j: compare(j, str(program), seconds), todo)):
            if problem:
                failed += 1
                print('FAILED %s\n%s\n' % (job[0], problem))
    print('%d runs on both engines, %d differ' % (len(todo), failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
