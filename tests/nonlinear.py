#!/usr/bin/env python3
"""Chains and grids of nonlinear equations, as every discretised elliptic problem gives them: `nonlinear.py [--program P] [--long]`.

Each model has exactly one solution, since what the nonlinear terms add grows with the unknown. It is asked for in several ways: as
algebraic equations along a run, as the stationary point of the same equations with derivatives, and as the start of a run. Every
equation must hold in the numbers that come out. The models are drawn with a fixed seed."""
import concurrent.futures
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TERMS = {  # by the text in the model: the same in Python; all grow with v
    '{a}*v**3': lambda a, v: a * v**3,
    '{a}*v*abs(v)': lambda a, v: a * v * abs(v),
    '{a}*(exp(v) - 1)': lambda a, v: a * (math.exp(v) - 1),
    '{a}*(v**3 + v)': lambda a, v: a * (v**3 + v),
    '{a}*atan(3*v)': lambda a, v: a * math.atan(3 * v),
    '{a}*v**5': lambda a, v: a * v**5,
}
TOLERANCE = 1e-8  # of an equation, against its largest term


class Model:
    """n by m unknowns v[i,j], each with its neighbours, and values all around; a chain where m = 1."""

    def __init__(self, draw, n, m):
        self.n, self.m = n, m
        self.text = draw.choice(sorted(TERMS))
        self.a = draw.choice([0.001, 0.1, 1, 5])
        self.source = draw.choice([0, 0.05, -0.3])
        self.edges = [round(draw.uniform(-2, 2), 2) for _ in range(4)]
        self.moves = draw.choice([0, 0.5])

    def name(self, i, j):
        return f'v[{i}]' if self.m == 1 else f'v[{i},{j}]'

    def neighbours(self, i, j):
        return [(i - 1, j), (i + 1, j)] + ([] if self.m == 1 else [(i, j - 1), (i, j + 1)])

    def write(self, rates):
        """As text; with derivatives of the unknowns or zeros in their place."""
        n, m, grid = self.n + 2, self.m + 2, self.m > 1
        term = self.text.format(a=self.a).replace('v', self.name('i', 'j') if grid else 'v[i]')
        around = ' + '.join(self.name(*at) for at in (('i-1', 'j'), ('i+1', 'j'), ('i', 'j-1'), ('i', 'j+1'))[:4 if grid else 2])
        unknown = self.name('i', 'j')
        left = f'der({unknown})' if rates else '0'
        loops = f'for i:=2 to {n - 1} do ' + (f'for j:=2 to {m - 1} do ' if grid else '')
        lines = ['model m', f'  local v[{n}' + (f',{m}]' if grid else ']'),
                 f'  {loops}{left} = {around} - {4 if grid else 2}*{unknown} - {term} + {self.source}']
        low = f'{self.edges[0]} + {self.moves}*sin(time)'
        if grid:
            lines += [f'  for j:=1 to {m} do v[1,j] = {low}', f'  for j:=1 to {m} do v[{n},j] = {self.edges[1]}',
                      f'  for i:=2 to {n - 1} do v[i,1] = {self.edges[2]}', f'  for i:=2 to {n - 1} do v[i,{m}] = {self.edges[3]}']
        else:
            lines += [f'  v[1] = {low}', f'  v[{n}] = {self.edges[1]}']
        return '\n'.join(lines + ['end', ''])

    def worst(self, value):
        """The equation that holds worst, with its residual against its largest term."""
        grow, worst = TERMS[self.text], (0, '')
        for i in range(2, self.n + 2):
            for j in range(2, self.m + 2) if self.m > 1 else [1]:
                v = value(self.name(i, j))
                terms = [value(self.name(*at)) for at in self.neighbours(i, j)]
                terms += [-len(terms) * v, -grow(self.a, v), self.source]
                size = abs(sum(terms)) / max(1, *(abs(t) for t in terms))
                worst = max(worst, (size if size == size else math.inf, self.name(i, j)))
        return worst


def run(program, arguments, folder):
    done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def check(job):
    """What is wrong with one model asked for in one way; '' where nothing is."""
    program, model, way = job
    with tempfile.TemporaryDirectory(prefix='cutset-nonlinear-') as folder:
        text = model.write(way != 'run')
        (pathlib.Path(folder) / 'm.dym').write_text(text)
        rows = []
        try:
            if way == 'steady':
                code, out, errors = run(program, ['steady', 'm.dym', '--json'], folder)
                if code == 0:
                    rows = [json.loads(out)['values']]
            else:
                initial = ['--initial', 'steady'] if way == 'start' else []
                code, _, errors = run(program, ['simulate', 'm.dym', '--stop', '1', '--points', '3', '-o', 'o.csv', '--quiet', *initial],
                                      folder)
                if code == 0:
                    rows = list(csv.DictReader((pathlib.Path(folder) / 'o.csv').open()))[:1 if way == 'start' else None]
        except subprocess.TimeoutExpired:
            code, errors = 1, 'not done within 600 s'
        found = [model.worst(lambda name, row=row: float(row[name])) for row in rows]
        worst = max(found, default=(math.inf, 'no rows'))
        if code == 0 and worst[0] <= TOLERANCE:
            return ''
        why = errors.strip().splitlines()[:2] if code else [f'residual {worst[0]:.1e} of {worst[1]}']
        return f'{way} {model.n} x {model.m}: ' + ' '.join(why) + '\n' + text


def main():
    arguments = sys.argv[1:]
    program = str(pathlib.Path(arguments[arguments.index('--program') + 1]).resolve()) if '--program' in arguments else \
        str(ROOT / 'build/test/cutset')
    draw = random.Random(1977)
    long = '--long' in arguments
    chains = [Model(draw, draw.choice([2, 5, 10, 30, 100, 300]), 1) for _ in range(150 if long else 8)]
    sides = [2, 3, 5, 8, 12, 25] + ([50] if long else [])
    grids = [Model(draw, draw.choice(sides), draw.choice(sides)) for _ in range(100 if long else 6)]
    grids += [Model(draw, 100, 100) for _ in range(3)] if long else [Model(draw, 25, 25)]
    jobs = [(program, model, way) for model in chains + grids for way in ('run', 'steady', 'start')]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [p for p in pool.map(check, jobs) if p]
    for p in problems:
        print(p)
    print(f'{len(chains)} chains and {len(grids)} grids of up to {max(m.n * m.m for m in chains + grids)} equations, '
          f'{len(jobs)} questions: {len(problems)} not answered right')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
