#!/usr/bin/env python3
"""Random Modelica models of when clauses with discrete equations between them, against a small simulation of appendix B of the
specification: `event_iterations.py [--program P] [--count N] [--seed S] [--translated N]`.

At each iteration of an event all equations, the conditions of the clauses and the clauses that act are one system; pre(v) is the value
of the iteration before; `when initial()` belongs to the initialization. What a line looks at is given by lines before it, so that the
simulation computes one after the other; in the text the lines are shuffled. The first N models also run as programs in C."""
import argparse
import csv
import io
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STOP, GRID = 4, 0.25


class Line:
    """A discrete equation, or a clause: `values`: {name: function of (new values, pre, instant)}; `text`."""


def whole(r, known, all_names, target):
    """A whole number as text and function."""
    k, m = r.randint(0, 3), r.randint(2, 5)
    kind = r.randint(0, 4)
    if kind == 0 or not known:
        return f'mod(pre({target}) + {k + 1}, {m})', lambda new, pre, at: (pre[target] + k + 1) % m
    a, b = r.choice(known), r.choice(all_names)
    if kind == 1:
        return f'mod({a} + pre({b}), {m})', lambda new, pre, at: (new[a] + pre[b]) % m
    if kind == 2:
        return f'mod({a} + {k}, {m})', lambda new, pre, at: (new[a] + k) % m
    if kind == 3:
        return f'if {a} > {k} then pre({target}) else mod(pre({b}) + {a}, {m})', \
            lambda new, pre, at: pre[target] if new[a] > k else (pre[b] + new[a]) % m
    return f'mod(pre({a}) + {k}, {m})', lambda new, pre, at: (pre[a] + k) % m


def relation(r, known, all_names):
    """A truth value as text, function, and whether it can act at the initialization."""
    kind, k = r.randint(0, 6), r.randint(0, 3)
    if kind <= 1 or not known:
        first, period = GRID * r.randint(0, 4), GRID * r.randint(1, 5)
        return f'sample({first}, {period})', lambda new, pre, at: at.ticks(first, period), False
    a, b = r.choice(known), r.choice(all_names)
    if kind == 2:
        return f'change({a})', lambda new, pre, at: new[a] != pre[a], False
    if kind == 3:
        return f'{a} > pre({b})', lambda new, pre, at: new[a] > pre[b], False
    if kind == 4:
        return f'pre({b}) >= {k} and {a} <> {k}', lambda new, pre, at: pre[b] >= k and new[a] != k, False
    return f'{a} > {k}', lambda new, pre, at: new[a] > k, False


class Instant:
    def __init__(self, step, initial):
        self.step, self.initial = step, initial

    def ticks(self, first, period):
        f, p = round(first / GRID), round(period / GRID)
        return not self.initial and self.step >= f and (self.step - f) % p == 0


class NoEnd(Exception):
    """The iterations do not end."""


class Model:
    def __init__(self, seed):
        r = random.Random(seed)
        self.names = [f'v{i}' for i in range(r.randint(3, 8))]
        self.starts = {n: r.randint(0, 2) for n in self.names}
        self.lines = []  # (name, text of equation or clause, branches or None, value)
        for i, name in enumerate(self.names):
            known = self.names[:i]
            if r.random() < 0.4 and known:
                text, value = whole(r, known, self.names, name)
                self.lines.append((name, f'  {name} = {text};', None, value))
                continue
            branches, texts = [], []
            for b in range(r.choice([1, 1, 1, 2])):
                condition, holds, _ = relation(r, known, self.names)
                at_start = b == 0 and r.random() < 0.25
                shown = '{initial(), ' + condition + '}' if at_start else condition
                text, value = whole(r, known, self.names, name)
                texts.append(f'  {"elsewhen" if b else "when"} {shown} then\n    {name} = {text};')
                branches.append((at_start, holds, value))
            self.lines.append((name, '\n'.join(texts) + '\n  end when;', branches, None))
        self.order = r.sample(range(len(self.lines)), len(self.lines))

    def text(self):
        declared = '\n'.join(f'  Integer {n}(start = {s}, fixed = true);' for n, s in self.starts.items())
        lines = '\n'.join(self.lines[i][1] for i in self.order)
        return f'model m\n{declared}\nequation\n{lines}\n  annotation(experiment(StopTime = {STOP}));\nend m;\n'

    # ---- the simulation

    def iterate(self, pre, held, at):
        """New values, and the conditions."""
        new, conditions = {}, {}
        for name, _, branches, value in self.lines:
            if branches is None:
                new[name] = value(new, pre, at)
                continue
            new[name], acted = pre[name], False
            for b, (at_start, holds, value_of) in enumerate(branches):
                for part, holds_now in (('initial', at_start and at.initial), ('condition', holds(new, pre, at))):
                    key = name, b, part
                    conditions[key] = holds_now
                    fresh = holds_now if at.initial and part == 'initial' else holds_now and not held.get(key) and not at.initial
                    if fresh and not acted:
                        new[name], acted = value_of(new, pre, at), True
        return new, conditions

    def event(self, pre, held, at):
        for _ in range(60):
            new, held = self.iterate(pre, held, at)
            if new == pre:
                break
            pre = new
        else:
            raise NoEnd
        quiet = Instant(-1, False)  # clocks are over
        _, held = self.iterate(pre, held, quiet)
        return pre, held

    def run(self):
        """{time between events: values}"""
        values, held = self.iterate(dict(self.starts), {}, Instant(0, True))
        found = {}
        for step in range(int(STOP / GRID)):
            values, held = self.event(values, held, Instant(step, False))
            found[GRID * (step + 0.5)] = values
        return found


STOPPED = ('again and again', 'do not come to an end', 'depends on what it sets', 'depend on what they set')
RUN = ['--stop', str(STOP), '--points', str(int(2 * STOP / GRID) + 1)]


def execute(command):
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, CUTSET_CACHE='off'), timeout=120)
    if done.returncode != 0 and any(words in done.stderr for words in STOPPED):
        raise NoEnd
    if done.returncode != 0:
        raise RuntimeError(f'status {done.returncode}: {done.stdout}{done.stderr}')


def rows_of(path):
    rows = list(csv.reader(io.StringIO(path.read_text())))
    return {float(row[0]): dict(zip(rows[0], map(float, row))) for row in rows[1:]}


def simulate(program, engine, text, folder):
    (folder / 'm.mo').write_text(text)
    execute([program, 'simulate', folder / 'm.mo', *RUN, '--engine', engine, '--quiet', '-o', folder / 'm.csv'])
    return rows_of(folder / 'm.csv')


def translated(program, text, folder):
    (folder / 'm.mo').write_text(text)
    execute([program, 'translate', folder / 'm.mo', '--to', 'c', *RUN, '-o', folder / 'm.c'])
    execute(['cc', '-O0', '-o', folder / 'm', folder / 'm.c', '-lm'])
    execute([folder / 'm', '-o', folder / 'c.csv'])
    return rows_of(folder / 'c.csv')


def difference(expected, run):
    try:
        found = run()
    except NoEnd:
        return None if expected is None else 'stops'
    except RuntimeError as problem:
        return str(problem)
    if expected is None:
        return 'goes on, though it has no end'
    for time, values in expected.items():
        for name, value in values.items():
            if found[time].get(name, value) != value:
                return f'at {time} {name} = {found[time][name]}, expected {value}'
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build/test/cutset'))
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--translated', type=int, default=10)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    bad = endless = 0
    with tempfile.TemporaryDirectory(prefix='cutset-events-') as name:
        folder = pathlib.Path(name)
        for number in range(options.count):
            model = Model(options.seed + number)
            try:
                expected = model.run()
            except NoEnd:
                expected, endless = None, endless + 1
            text = model.text()
            runs = [lambda: simulate(program, 'interpret', text, folder), lambda: simulate(program, 'native', text, folder)]
            if number < options.translated:
                runs.append(lambda: translated(program, text, folder))
            for run in runs:
                problem = difference(expected, run)
                if problem:
                    bad += 1
                    print(f'model {options.seed + number}: {problem}\n{text}')
                    break
    print(f'{options.count} models, {endless} of which have no end: {bad} differ')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
