#!/usr/bin/env python3
"""Sweeps of every example: each case must be equal, byte for byte, to `cutset simulate` with the same values:
`sweeps.py [--program P] [--seconds S] [--loops N] [name…]`.

Of each example a few parameters and initial values are varied, to values near their own, to 0 and to the opposite sign. A
case that fails must fail with the same message. Examples whose runs take longer than S seconds (3) are left out. So it is
with N random models that have an algebraic loop which is singular for one value of a parameter."""
import concurrent.futures
import csv
import fractions
import os
import pathlib
import random
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


def near(value):
    return [value * 1.1 if value else 1.0, value * 0.9 if value else 0.5, 0.0, -value if value else -1.0]


def is_regular(rows, n):
    """Whether the rows, {column: coefficient}, determine n unknowns."""
    matrix = [[fractions.Fraction(row.get(column, 0)) for column in range(n)] for row in rows]
    for k in range(n):
        pivot = next((i for i in range(k, n) if matrix[i][k]), None)
        if pivot is None:
            return False
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        for i in range(k + 1, n):
            factor = matrix[i][k] / matrix[k][k]
            matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k])]
    return True


def loop_lines(dice, prefix, parameter):
    """(names, lines, value): equations of a loop of unknowns, and the value of the parameter for which one is a sum of others. Then
    the right sides agree, or contradict each other, or tie states together."""
    n = dice.randint(4, 7)
    rows = []
    for i in range(n - 1):
        row = {i: dice.choice([1, 2, 3]), (i + 1) % n: dice.choice([-1, 1, 2])}
        row[(i + dice.randint(2, n - 1)) % n] = dice.choice([-2, 1, 3])
        rows.append(row)
    factors = [dice.choice([1, -1, 2]) for _ in rows]
    last = {}
    for factor, row in zip(factors, rows):
        for column, a in row.items():
            last[column] = last.get(column, 0) + factor * a
    last = {column: a for column, a in last.items() if a}
    if not last:
        return loop_lines(dice, prefix, parameter)
    special = dice.choice(sorted(last))
    if not is_regular([*rows, {**last, special: last[special] + 1.5}], n):  # for other values it is to be regular
        return loop_lines(dice, prefix, parameter)
    function = dice.choice(['{0}', '{0}', '{0}', '({0}**3 + {0})'])  # of one unknown, wherever it stands
    curved = dice.randrange(n)

    def side(row, at=None):
        terms = []
        for column, a in sorted(row.items()):
            unknown = f'{prefix}y{column}'
            factor = parameter if column == at else str(a)
            terms.append(f'{factor}*{function.format(unknown) if column == curved else unknown}')
        return ' + '.join(terms).replace('+ -', '- ')
    right = [dice.choice(['0', '1', f'{prefix}x0', f'{prefix}x1', 'time']) for _ in rows]
    agreeing = ' + '.join(f'{factor}*{r}' for factor, r in zip(factors, right)).replace('+ -', '- ')
    lines = [f'{side(row)} = {r}' for row, r in zip(rows, right)]
    lines.append(f'{side(last, special)} = {dice.choice([agreeing, f"{prefix}x0", "2"])}')
    dice.shuffle(lines)
    lines += [f"{prefix}x0' = -{prefix}x0 + 0.1*{prefix}y0", f"{prefix}x1' = 0.1*{prefix}y1 - {prefix}x1", f'{prefix}x0(0) = 1']
    return [f'{prefix}x0', f'{prefix}x1'] + [f'{prefix}y{i}' for i in range(n)], lines, last[special]


def loop_model(seed):
    """(text, values of p): the model has the special value at first, or another."""
    dice = random.Random(seed)
    names, lines, special = loop_lines(dice, '', 'p')
    other = special + dice.choice([1, -1, 0.5])
    values = [special, other, special + 3, 0, special]
    text = 'model m\n  parameter p=%s\n  local %s\n  %s\nend\n' % (dice.choice([special, other]), ' '.join(names), '\n  '.join(lines))
    return text, values


def check_loop(program, seed, seconds):
    with tempfile.TemporaryDirectory(prefix='cutset-sweep-') as name:
        text, values = loop_model(seed)
        path = pathlib.Path(name, f'loop{seed}.dym')
        path.write_text(text)
        compared, problems = check(program, path, 'p', values, seconds, ['--stop', '1', '--points', '5'])
        return compared, [f'{problem}\n{text}' for problem in problems]


def check(program, model, quantity, values, seconds, run=()):
    """(number of cases compared, [problems])"""
    compared, problems = 0, []
    with tempfile.TemporaryDirectory(prefix='cutset-sweep-') as name:
        folder = pathlib.Path(name)
        out = folder / 'out'
        (folder / 'cases.csv').write_text('\n'.join([f'"{quantity}"', *map(repr, values)]) + '\n')
        result = call(program, ['sweep', str(model), '--cases', 'cases.csv', '--quiet', '-o', str(out), *run], folder, 20 * seconds)
        if result is None:
            return 0, []
        table = {}
        if (out / 'cases.csv').exists():
            with open(out / 'cases.csv', newline='') as file:
                table = {int(row['case']): row for row in csv.DictReader(file)}
        for k, v in enumerate(values, 1):
            option = ['--init', f'{quantity[:-3]}={v!r}'] if quantity.endswith('(0)') else ['--set', f'{quantity}={v!r}']
            alone = call(program, ['simulate', str(model), *option, '--quiet', '-o', 'alone.csv', *run], folder, 5 * seconds)
            if alone is None:
                continue
            what = f'{model.name} {" ".join(option)}'
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
    names, loops = [], 60
    while arguments:
        word = arguments.pop(0)
        if word == '--program':
            program = os.path.abspath(arguments.pop(0))
        elif word == '--seconds':
            seconds = float(arguments.pop(0))
        elif word == '--loops':
            loops = int(arguments.pop(0))
        else:
            names.append(word)
    models = [p for p in sorted((ROOT / 'examples').rglob('*.dym')) if not names or any(n in str(p) for n in names)]
    total, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        found = list(pool.map(lambda m: quantities_to_vary(program, m, seconds), models))
        # One task for each quantity, those of the longest runs first, so that all cores are busy to the end.
        tasks = sorted(((took, model, *q) for model, (took, list_) in zip(models, found) for q in list_), key=lambda t: -t[0])
        results = list(pool.map(lambda t: check(program, *t[1:3], near(t[3]), seconds), tasks))
        tasks += [(0, pathlib.Path(f'loop{seed}'), seed) for seed in range(loops)]
        results += pool.map(lambda seed: check_loop(program, seed, seconds), range(loops))
        for (_, model, *_), (compared, problems) in sorted(zip(tasks, results), key=lambda r: str(r[0][1:3])):
            total += compared
            failed += len(problems)
            for problem in problems:
                print(problem)
    print(f'{total} cases of sweeps compared with single runs, {loops} models with random loops among them: {failed} differ')
    sys.exit(1 if failed or not total else 0)


if __name__ == '__main__':
    main()
