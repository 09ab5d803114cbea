#!/usr/bin/env python3
"""Sweeps of every example: each case must be equal, byte for byte, to `cutset simulate` with the same values:
`sweeps.py [--program P] [--seconds S] [name…]`.

Of each example a few parameters and initial values are varied, to values near their own, to 0 and to the opposite sign. A
case that fails must fail with the same message. Examples whose runs take longer than S seconds (3) are left out."""
import concurrent.futures
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8')


def call(program, arguments, folder, seconds):
    try:
        return subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=ENVIRONMENT, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None


def quantities(program, model, folder):
    """[(name, value)]: up to four parameters and one initial value."""
    shown = call(program, ['equations', '--flat', model], folder, 60)
    if not shown or shown.returncode:
        return []
    parameters, starts, section = [], [], ''
    for line in shown.stdout.splitlines():
        if line and not line.startswith(' '):
            section = line
        match = re.match(r'  ([\w.\[\],]+) = (-?[\d.]+(?:e[-+]?\d+)?)(?: \[.*\])?$', line)
        if match and section == 'parameters':
            parameters.append((match.group(1), float(match.group(2))))
        match = re.match(r'  ([\w.\[\],]+)\(0\) = (-?[\d.]+(?:e[-+]?\d+)?)\b', line)
        if match:
            starts.append((match.group(1) + '(0)', float(match.group(2))))
    step = max(1, len(parameters) // 4)
    return parameters[::step][:4] + starts[:1]


def quantities_to_vary(program, model, seconds):
    """[] of a model that takes too long."""
    with tempfile.TemporaryDirectory(prefix='cutset-sweep-') as name:
        began = time.monotonic()
        first = call(program, ['simulate', str(model), '--quiet', '-o', 'first.csv'], name, seconds)
        took = time.monotonic() - began
        return (took, [] if first is None else quantities(program, str(model), name))


def check(program, model, quantity, value, seconds):
    """(number of cases compared, [problems])"""
    compared, problems = 0, []
    with tempfile.TemporaryDirectory(prefix='cutset-sweep-') as name:
        folder = pathlib.Path(name)
        values = [value * 1.1 if value else 1.0, value * 0.9 if value else 0.5, 0.0, -value if value else -1.0]
        out = folder / 'out'
        (folder / 'cases.csv').write_text('\n'.join([f'"{quantity}"', *map(repr, values)]) + '\n')
        result = call(program, ['sweep', str(model), '--cases', 'cases.csv', '--quiet', '-o', str(out)], folder, 20 * seconds)
        if result is None:
            return 0, []
        table = {}
        if (out / 'cases.csv').exists():
            with open(out / 'cases.csv', newline='') as file:
                table = {int(row['case']): row for row in csv.DictReader(file)}
        for k, v in enumerate(values, 1):
            option = ['--init', f'{quantity[:-3]}={v!r}'] if quantity.endswith('(0)') else ['--set', f'{quantity}={v!r}']
            alone = call(program, ['simulate', str(model), *option, '--quiet', '-o', 'alone.csv'], folder, 5 * seconds)
            if alone is None:
                continue
            what = f'{model.relative_to(ROOT)} {" ".join(option)}'
            compared += 1
            if k not in table:
                if alone.returncode == 0:
                    problems.append(f'{what}: no case {k}\n{result.stderr}{result.stdout}')
                continue
            row = table[k]
            if (row['outcome'] == 'failed') != (alone.returncode != 0):
                problems.append(f'{what}: {row["outcome"]}, alone exit status {alone.returncode}; {row["message"]}')
            elif row['message'] and row['message'] not in alone.stderr:
                problems.append(f'{what}: other messages: {row["message"]}\n{alone.stderr}')
            case = out / f'case_{k:04}.csv'
            ours = case.read_bytes() if case.exists() else b''
            theirs = (folder / 'alone.csv').read_bytes() if (folder / 'alone.csv').exists() else b''
            if ours != theirs:
                problems.append(f'{what}: other results')
            (folder / 'alone.csv').unlink(missing_ok=True)
    return compared, problems


def main():
    arguments, program, seconds = sys.argv[1:], str(ROOT / 'build/release/cutset'), 3.0
    names = []
    while arguments:
        word = arguments.pop(0)
        if word == '--program':
            program = os.path.abspath(arguments.pop(0))
        elif word == '--seconds':
            seconds = float(arguments.pop(0))
        else:
            names.append(word)
    models = [p for p in sorted((ROOT / 'examples').rglob('*.dym')) if not names or any(n in str(p) for n in names)]
    total, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        found = list(pool.map(lambda m: quantities_to_vary(program, m, seconds), models))
        # One task for each quantity, those of the longest runs first, so that all cores are busy to the end.
        tasks = sorted(((took, model, *q) for model, (took, list_) in zip(models, found) for q in list_), key=lambda t: -t[0])
        results = list(pool.map(lambda t: check(program, *t[1:], seconds), tasks))
        for (_, model, *_), (compared, problems) in sorted(zip(tasks, results), key=lambda r: str(r[0][1:3])):
            total += compared
            failed += len(problems)
            for problem in problems:
                print(problem)
    print(f'{total} cases of sweeps compared with single runs, {failed} differ')
    sys.exit(1 if failed or not total else 0)


main()
