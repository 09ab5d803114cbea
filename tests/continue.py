#!/usr/bin/env python3
"""Runs that are interrupted go on to the bit: `continue.py [--program P] [--all] [name…]`.

Of each example, with each method whose memory is our own: the run is paused at several times and gone on with by another
process, from its checkpoint file. Its rows must be those of the uninterrupted run, byte for byte. The same for runs that are
killed and gone on with from the last checkpoint written on the way. Without --all a few examples and methods."""
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8')
EXAMPLES = ['bouncing_ball', 'sampled_servo', 'pendulum', 'tanks', 'boiler', 'reactor', 'bridge', 'dcmotor', 'stanford_arm',
            'thermostat', 'heatexchanger', 'parallel_capacitors']
METHODS = ['auto', 'bdf', 'radau', 'hamming']
ALL_METHODS = ['auto', 'bdf', 'adams', 'dopri', 'radau', 'hamming', 'rk4', 'euler']
SECONDS = 20


def call(program, arguments, folder, seconds=SECONDS):
    try:
        return subprocess.run([program, 'simulate', *arguments, '--quiet'], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env=ENVIRONMENT, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None


def rows_of(path):
    return path.read_text().splitlines()


def compare(whole, first, second):
    """What is wrong with two parts of a run: the last row of the first and the first row of the second are those of the
    point where it stood."""
    equal = 0
    while equal < min(len(whole), len(first)) and whole[equal] == first[equal]:
        equal += 1
    if equal < len(first) - 1:
        return f'row {equal} before the pause: {first[equal][:60]} instead of {whole[equal][:60]}'
    rest = second[2:]
    if rest != whole[equal:]:
        for k, (a, b) in enumerate(zip(rest, whole[equal:])):
            if a != b:
                return f'row {k} after the pause: {a[:60]} instead of {b[:60]}'
        return f'{len(rest)} rows after the pause instead of {len(whole) - equal}'
    return None


def check(program, model, method, pauses):
    """(number of continued runs, [problems])"""
    problems, compared = [], 0
    with tempfile.TemporaryDirectory(prefix='cutset-continue-') as name:
        folder = pathlib.Path(name)
        options = [str(model), '--solver', method]
        whole = call(program, [*options, '-o', 'whole.csv'], folder)
        if whole is None or whole.returncode:
            return 0, []
        rows = rows_of(folder / 'whole.csv')
        times = [float(row.split(',')[0]) for row in rows[1:]]
        for part in pauses:
            at = times[0] + part * (times[-1] - times[0])
            for left in ('at.json', 'first.csv', 'second.csv'):
                (folder / left).unlink(missing_ok=True)
            first = call(program, [*options, '--pause', repr(at), '--checkpoint', 'at.json', '-o', 'first.csv'], folder)
            if first is None or first.returncode:
                problems.append(f'{model.name} {method} pause {at:g}: {first and first.stderr}')
                continue
            memory = json.loads((folder / 'at.json').read_text()).get('memory')
            if not memory:  # it had come to its end, or its equations change with the mode
                continue
            second = call(program, [str(model), '--from', 'at.json', '-o', 'second.csv'], folder)
            if second is None or second.returncode:
                problems.append(f'{model.name} {method} from {at:g}: {second and second.stderr}')
                continue
            compared += 1
            wrong = compare(rows, rows_of(folder / 'first.csv'), rows_of(folder / 'second.csv'))
            if wrong:
                problems.append(f'{model.name} {method} at {at:g}: {wrong}')
    return compared, problems


def check_killed(program, model, seconds):
    """A run with checkpoints on the way is killed; the rows after the last of them are those of the whole run."""
    with tempfile.TemporaryDirectory(prefix='cutset-continue-') as name:
        folder = pathlib.Path(name)
        whole = call(program, [str(model), '-o', 'whole.csv', '--checkpoint', 'ignored.json', '--every', '0.01'], folder)
        plain = call(program, [str(model), '-o', 'plain.csv'], folder)
        if whole is None or plain is None or whole.returncode or plain.returncode:
            return 0, []
        rows = rows_of(folder / 'plain.csv')
        if rows_of(folder / 'whole.csv') != rows:
            return 1, [f'{model.name}: checkpoints on the way change the rows']
        process = subprocess.Popen([program, 'simulate', str(model), '--quiet', '-o', 'killed.csv', '--checkpoint', 'at.json',
                                    '--every', '0'], cwd=folder, env=ENVIRONMENT)
        end = time.monotonic() + 5
        while not (folder / 'at.json').exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        point = json.loads((folder / 'at.json').read_text())
        if 'memory' not in point:
            return 0, []
        second = call(program, [str(model), '--from', 'at.json', '-o', 'second.csv'], folder)
        if second is None or second.returncode:
            return 1, [f'{model.name} killed: {second and second.stderr}']
        rest = rows_of(folder / 'second.csv')[2:]
        return 1, [] if rest and rest == rows[-len(rest):] else [f'{model.name} killed at {point["time"]:g}: other rows']


def main():
    arguments = sys.argv[1:]
    program = str(ROOT / 'build/test/cutset')
    if '--program' in arguments:
        at = arguments.index('--program')
        program = str(pathlib.Path(arguments[at + 1]).resolve())
        del arguments[at:at + 2]
    everything = '--all' in arguments
    names = [a for a in arguments if a != '--all']
    models = sorted([*(ROOT / 'examples').glob('*.dym'), *(ROOT / 'examples/simnon').glob('*.t')])
    if names:
        models = [m for m in models if m.stem in names]
    elif not everything:
        models = [m for m in models if m.stem in EXAMPLES]
    wide = everything or bool(names)
    methods, pauses = (ALL_METHODS, (0.013, 0.21, 0.5, 0.87)) if wide else (METHODS, (0.21, 0.87))
    jobs = [(check, (program, m, method, pauses)) for m in models for method in methods]
    jobs += [(check_killed, (program, m, 0.02)) for m in models]
    compared, problems = 0, []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for count, wrong in pool.map(lambda job: job[0](*job[1]), jobs):
            compared += count
            problems += wrong
    for problem in problems:
        print(problem)
    print(f'{compared} continued runs, {len(problems)} differ')
    return 1 if problems or not compared else 0


if __name__ == '__main__':
    sys.exit(main())
