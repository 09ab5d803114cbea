#!/usr/bin/env python3
"""Random Modelica models of when clauses with discrete equations between them, against a small simulation of appendix B of the
specification: `event_iterations.py [--program P] [--count N] [--seed S] [--translated N]`.

At each iteration of an event all equations, the conditions of the clauses and the clauses that act are one system; pre(v) is the value
of the iteration before; `when initial()` belongs to the initialization. What a line looks at is given by lines before it, so that the
simulation computes one after the other; in the text the lines are shuffled. The first N models also run as programs in C."""
import random
import sys

import event_models
from event_models import Refused

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
            raise Refused('no end')
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


def runs(model, runner, translated):
    text = model.text()
    found = [(engine, text, lambda engine=engine: runner.simulate(text, '--engine', engine)) for engine in ('interpret', 'native')]
    return found + ([('in C', text, lambda: runner.translate(text))] if translated else [])


if __name__ == '__main__':
    sys.exit(event_models.main(
        __doc__, Model, runs, 100, ending='mo', run=['--stop', str(STOP), '--points', str(int(2 * STOP / GRID) + 1)],
        stopped=('again and again', 'do not come to an end', 'depends on what it sets', 'depend on what they set')))
