#!/usr/bin/env python3
"""Random models of when clauses (counters, timers, queues, clocks that meet) against a small simulation of what the language page
says about events: `when_clauses.py [--program P] [--count N] [--seed S] [--translated N]`.

Each model is run in two orders of its clauses, which must not matter; the first N also as programs in C. Where two clauses
contradict each other, or act without end, all must stop."""
import random
import sys

import event_models
from event_models import Refused

STOP = 6
FIRST_TIMER = 100  # no timer runs at the start


# ---- expressions: (text, function of the moment)

class Moment:
    def __init__(self, time, values, before, ticks):
        self.time, self.values, self.before, self.ticks = time, values, before, ticks


def random_value(r, names, target):
    """A value for `target`. New values are asked of variables before it only, so that none depends on itself."""
    a, k, m = r.choice(names), r.randint(0, 3), r.randint(2, 5)
    kind = r.randint(0, 4)
    if kind == 0:
        return str(k), lambda at: k
    if kind == 1:
        return f'mod(pre({target}) + {k}, {m})', lambda at: (at.before[target] + k) % m
    if kind == 2:
        return f'mod(pre({a}) + {k}, {m})', lambda at: (at.before[a] + k) % m
    earlier = [n for n in names if n < target]
    if kind == 3 and earlier:
        b = r.choice(earlier)
        return f'mod(new({b}) + {k}, {m})', lambda at: (at.values[b] + k) % m
    return f'mod(pre({target}) + pre({a}) + 1, {m})', lambda at: (at.before[target] + at.before[a] + 1) % m


def random_comparison(r, names):
    a, k = r.choice(names), r.randint(0, 3)
    op = r.choice(['<', '>', '>=', '<='])
    test = {'<': lambda x, y: x < y, '>': lambda x, y: x > y, '>=': lambda x, y: x >= y, '<=': lambda x, y: x <= y}[op]
    return f'{a} {op} {k}', lambda at: test(at.values[a], k)


def random_condition(r, names, timers, clocks):
    kind = r.randint(0, 5)
    if kind <= 2:
        clock = (0.25 * r.randint(0, 4), 0.25 * r.randint(1, 5))
        clocks.add(clock)
        text, holds = f'sample({clock[0]}, {clock[1]})', lambda at: clock in at.ticks
        if kind < 2:
            return text, holds, True
        other, also = random_comparison(r, names)
        return f'{text} and {other}', lambda at: holds(at) and also(at), True
    if kind == 3 and timers:
        t = r.choice(timers)
        return f'time >= {t}', lambda at: at.time >= at.values[t], False
    if kind == 4:
        a = r.choice(names)
        return f'change({a})', lambda at: at.values[a] != at.before[a], False
    first, second = random_comparison(r, names), random_comparison(r, names)
    return f'{first[0]} and {second[0]}', lambda at: first[1](at) and second[1](at), False


class Branch:
    """One condition with its actions: (variable, guard or None, value)."""

    def __init__(self, r, names, timers, clocks):
        self.text, self.holds, self.at_start = random_condition(r, names, timers, clocks)
        self.actions = []
        for target in r.sample(names, r.randint(1, min(2, len(names)))):
            guard = None
            if r.random() < 0.25:
                a, k = r.choice(names), r.randint(0, 3)
                guard = (f'pre({a}) > {k}', lambda at, a=a, k=k: at.before[a] > k)
            self.actions.append((target, guard, random_value(r, names, target)))
        if timers and r.random() < 0.4:
            d = 0.25 * r.randint(1, 6)
            self.actions.append((r.choice(timers), None, (f'time + {d}', lambda at: at.time + d)))

    def lines(self):
        for target, guard, (text, _) in self.actions:
            yield f'    if {guard[0]} then new({target}) = {text}' if guard else f'    new({target}) = {text}'


class Model:
    def __init__(self, seed):
        self.seed, r = seed, random.Random(seed)
        self.names = ['a', 'b', 'c', 'd'][:r.randint(2, 4)]
        self.timers = ['t1', 't2'][:r.randint(0, 2)]
        self.clocks = set()
        self.whens = []  # each a list of branches
        used = set()
        for _ in range(r.randint(2, 6)):
            when = [Branch(r, self.names, self.timers, self.clocks) for _ in range(2 if r.random() < 0.25 else 1)]
            if any(b.text in used for b in when) or len({b.text for b in when}) < len(when):
                continue  # two numbers for one variable under one condition are refused beforehand
            used |= {b.text for b in when}
            self.whens.append(when)

    def text(self, order):
        lines = ['model random', '  discrete ' + ' '.join(f'{n}=0' for n in self.names)]
        if self.timers:
            lines.append('  discrete ' + ' '.join(f'{n}={FIRST_TIMER}' for n in self.timers))
        for i in order:
            for k, branch in enumerate(self.whens[i]):
                lines.append(f'  {"elsewhen" if k else "when"} {branch.text} then')
                lines += branch.lines()
            lines.append('  end')
        return '\n'.join(lines + ['end', ''])

    # ---- the simulation

    def new_values(self, active, at):
        """Sets at.values: all actions together."""
        start = dict(at.values)
        for _ in range(50):
            given = {}
            for branch in active:
                for target, guard, (_, value) in branch.actions:
                    if guard is None or guard[1](at):
                        given.setdefault(target, set()).add(value(at))
            now = dict(start)
            now.update({target: min(values) for target, values in given.items()})
            if now == at.values:
                break
            at.values = now
        else:
            raise Refused('new values do not agree')
        if any(len(values) > 1 for values in given.values()):
            raise Refused('two values')

    def event(self, time, ticks):
        at = Moment(time, dict(self.values), dict(self.values), ticks)
        acted = False
        for _ in range(100 + len(self.held)):
            holds = {b: b.holds(at) for when in self.whens for b in when}
            active = []
            for when in self.whens:
                fresh = [b for b in when if holds[b] and not self.held[b]]
                active += fresh[:1]
            self.held = holds
            if not active:
                if not acted or at.values == at.before:
                    break
                at.before = dict(at.values)
                continue
            if acted:
                at.before = dict(at.values)
            acted = True
            self.new_values(active, at)
        else:
            raise Refused('no end')
        self.values = at.values
        after = Moment(time, at.values, dict(at.values), set())
        self.held = {b: b.holds(after) for when in self.whens for b in when}

    def run(self):
        """{time: values} between the events."""
        self.values = {**{n: 0 for n in self.names}, **{t: FIRST_TIMER for t in self.timers}}
        at = Moment(0, self.values, dict(self.values), {c for c in self.clocks if c[0] == 0})
        self.held = {b: not b.at_start and b.holds(at) for when in self.whens for b in when}
        self.event(0, at.ticks)
        found, steps = {}, int(STOP / 0.25)
        for k in range(steps + 1):
            time = 0.25 * k
            ticks = {c for c in self.clocks if time >= c[0] and (time - c[0]) % c[1] == 0}
            if k > 0 and (ticks or any(self.values[t] == time for t in self.timers)):
                self.event(time, ticks)
            if k < steps:
                found[time + 0.125] = dict(self.values)
        return found


def runs(model, runner, translated):
    order = list(range(len(model.whens)))
    other = random.Random(model.seed).sample(order, len(order))
    texts = model.text(order), model.text(other)
    found = [(f'order {o}', text, lambda text=text: runner.simulate(text)) for o, text in zip((order, other), texts)]
    return found + ([(f'order {other} in C', texts[1], lambda: runner.translate(texts[1]))] if translated else [])


if __name__ == '__main__':
    sys.exit(event_models.main(
        __doc__, Model, runs, 60, ending='dym', run=['--stop', str(STOP), '--points', str(8 * STOP + 1)],
        stopped=('two actions', 'again and again', 'different values at once', 'do not come to an end')))
