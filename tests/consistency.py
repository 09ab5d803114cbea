#!/usr/bin/env python3
"""Rows against equations: every row that a run writes satisfies every equation and every relation of the model as it is written:
`consistency.py [--program P] [--models N] [--seed S] [--translated K] [--events] [--keep FOLDER] [name…]`.

Runs all examples, or those with a NAME in their path, and N random models with conditions, ties, counters, steps, and truth values, whole
numbers and enumerations that equations determine, on both engines; one
in K of the random models also as a C and a Fortran program. With --events the models also have networks of ideal diodes and switches,
when clauses with discrete equations between them, state machines and clocks, whose ticks and samples are checked too. A row before or after an event shows a limit: there a relation between
things that are equal but for rounding may have either value. Between events it may not: a < b of equals is false. Where a condition
is held at its switching surface and slides, what it gives is a mean value, which no value of the relation explains; such rows are counted. Models
that are refused because a relation follows rounding errors are counted too, and must be few.
After an event is over pre(x) = x, so that equations with pre(x) hold with the values of the row, and edge(b) is false. Equations with
tables, functions or delays are left out."""
import argparse
import collections
import concurrent.futures
import csv
import itertools
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8', CUTSET_CACHE='off')
TOLERANCE = 1e-6   # of an equation, relative to its terms
TIE = 1e-8         # two sides that are equal but for rounding
FLAT = 1e-5        # part of a run in which sides that cross with a common tangent are the same numbers
MOST_TIES = 8      # whose values are tried in all combinations
REFUSED = 'the run does not get on'  # sides that are equal but for rounding, for a while: told, not solved
MOST_REFUSED = 0.01  # of all models
PRIMARY = re.compile(r"\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([A-Za-z_][\w.]*(?:\[[\d,]*\][\w.]*)*)('*)|(<>|<=|>=|[-+*/^()<>=,]))")


LEVELS = ['low', 'middle', 'high']  # the enumeration of random models


class LeftOut(Exception):
    """The equation cannot be evaluated here."""


# ---- equations as functions of a row

def truth(value):
    """Of a condition, or of a truth value, which is 0 or 1 in a row."""
    return value if isinstance(value, bool) else value[0] > 0.5


def number(value):
    return (float(value), 1.0) if isinstance(value, bool) else value


def call(name, arguments):
    functions = {'sin': math.sin, 'cos': math.cos, 'tan': math.tan, 'exp': math.exp, 'ln': math.log, 'sqrt': math.sqrt,
                 'abs': abs, 'min': min, 'max': max, 'atan': math.atan, 'asin': math.asin, 'acos': math.acos,
                 'sinh': math.sinh, 'cosh': math.cosh, 'tanh': math.tanh, 'atan2': math.atan2, 'noevent': lambda x: x}
    if name not in functions:
        raise LeftOut(name)
    return functions[name](*arguments)


class Row:
    """Values by column, and the ties met: relation -> whether its sides are exactly equal."""

    def __init__(self, values):
        self.values, self.ties, self.choice = values, {}, {}

    def relation(self, key, operator, a, b):
        if abs(a[0] - b[0]) <= TIE * (a[1] + b[1]) + 1e-11:
            self.ties[key] = self.ties.get(key, True) and a[0] == b[0]
        if key in self.choice:
            return self.choice[key]
        return {'<': a[0] < b[0], '<=': a[0] <= b[0], '>': a[0] > b[0], '>=': a[0] >= b[0], '=': a[0] == b[0],
                '<>': a[0] != b[0]}[operator]

    def rounded_down(self, key, x):
        nearest = round(x[0])
        if abs(x[0] - nearest) <= TIE * (1 + x[1]):
            self.ties[key] = self.ties.get(key, True) and x[0] == nearest
            if key in self.choice:
                return float(nearest if self.choice[key] else nearest - 1)
        return float(math.floor(x[0]))

    def truncated(self, key, x):
        nearest = round(x[0])
        if nearest != 0 and abs(x[0] - nearest) <= TIE * (1 + x[1]):
            self.ties[key] = self.ties.get(key, True) and x[0] == nearest
            if key in self.choice:
                away = nearest
                return float(away if self.choice[key] else away - math.copysign(1, away))
        return float(math.trunc(x[0]))

    def sign(self, key, x):
        if abs(x[0]) <= TIE * x[1] + 1e-11:
            self.ties[key] = self.ties.get(key, True) and x[0] == 0
            if key in self.choice:
                return 1.0 if self.choice[key] else -1.0
        return float((x[0] > 0) - (x[0] < 0))


class Parser:
    """Texts of equations as the program prints them; each node is a function of a Row that gives its value and the size of its terms."""

    def __init__(self, text):
        self.text, self.at, self.tokens = text, 0, []
        position = 0
        while position < len(text.rstrip()):
            match = PRIMARY.match(text, position)
            if not match:
                raise LeftOut('text')
            self.tokens.append(match)
            position = match.end()

    def peek(self):
        if self.at == len(self.tokens):
            return None
        match = self.tokens[self.at]
        return match.group(4) or match.group(2) or match.group(1)

    def take(self, *expected):
        token = self.peek()
        if expected and token not in expected:
            raise LeftOut('text')
        self.at += 1
        return token

    def equation(self):
        left = self.choice() if self.peek() == 'if' else self.sum()
        self.take('=')
        right = self.choice()
        if self.peek() is not None:
            raise LeftOut('text')
        return left, right

    def choice(self):
        if self.peek() != 'if':
            return self.either()
        branches = []
        word = self.take('if')
        while word != 'else':
            condition = self.either()
            self.take('then')
            branches.append((condition, self.either()))
            word = self.take('elseif', 'else')
        rest = self.either()

        def value(row):
            for condition, branch in branches:
                if truth(condition(row)):
                    return branch(row)
            return rest(row)
        return value

    def either(self):
        parts = [self.both()]
        while self.peek() == 'or':
            self.take()
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda row: any([truth(p(row)) for p in parts])

    def both(self):
        parts = [self.negation()]
        while self.peek() == 'and':
            self.take()
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else lambda row: all([truth(p(row)) for p in parts])

    def negation(self):
        if self.peek() == 'not':
            self.take()
            part = self.negation()
            return lambda row: not truth(part(row))
        begin = self.at
        left = self.sum()
        operator = self.peek()
        if operator not in ('<', '<=', '>', '>=', '=', '<>'):
            return left
        self.take()
        right = self.sum()
        key = self.text_of(begin)
        return lambda row: row.relation(key, operator, number(left(row)), number(right(row)))

    def text_of(self, begin):
        return self.text[self.tokens[begin].start():self.tokens[self.at - 1].end()].strip()

    def sum(self):
        parts = []
        sign = 1
        if self.peek() in ('-', '+'):
            sign = -1 if self.take() == '-' else 1
        parts.append((sign, self.product()))
        while self.peek() in ('-', '+'):
            sign = -1 if self.take() == '-' else 1
            parts.append((sign, self.product()))
        if len(parts) == 1 and parts[0][0] == 1:
            return parts[0][1]

        def value(row):
            found = [(s, p(row)) for s, p in parts]
            return sum(s * v[0] for s, v in found), sum(v[1] for _, v in found)
        return value

    def product(self):
        parts = [('*', self.power())]
        while self.peek() in ('*', '/'):
            parts.append((self.take(), self.power()))
        if len(parts) == 1:
            return parts[0][1]

        def value(row):
            v, size = 1.0, 1.0
            for operator, part in parts:
                w, s = part(row)
                if operator == '*':
                    v, size = v * w, size * s
                else:
                    v, size = v / w, size / abs(w) * (s / abs(w))
            return v, size
        return value

    def power(self):
        if self.peek() == '-':
            self.take()
            part = self.power()
            return lambda row: (-part(row)[0], part(row)[1])
        base = self.primary()
        if self.peek() != '^':
            return base
        self.take()
        exponent = self.power()

        def value(row):
            v = base(row)[0] ** exponent(row)[0]
            if isinstance(v, complex):
                raise LeftOut('power')
            return v, abs(v) * (1 + abs(exponent(row)[0]))
        return value

    def primary(self):
        match = self.tokens[self.at] if self.at < len(self.tokens) else None
        if match is None:
            raise LeftOut('text')
        begin = self.at
        self.at += 1
        number, name, primes, symbol = match.groups()
        if number:
            x = float(number)
            return lambda row: (x, abs(x))
        if symbol == '(':
            inside = self.choice()
            self.take(')')
            return inside
        if symbol or name in ('then', 'else', 'elseif', 'and', 'or'):
            raise LeftOut('text')
        if name in ('true', 'false'):
            return lambda row: name == 'true'
        if self.peek() == '(':
            self.take()
            arguments = [self.choice()]
            while self.peek() == ',':
                self.take()
                arguments.append(self.choice())
            self.take(')')
            return self.function(name, primes, arguments, self.text_of(begin))
        for _ in primes:
            name = 'der(' + name + ')'

        def value(row):
            if name in LEVELS:
                return LEVELS.index(name) + 1.0, 1.0
            if name not in row.values:
                raise LeftOut(name)
            return row.values[name], abs(row.values[name])
        return value

    @staticmethod
    def function(name, primes, arguments, key):
        if primes:
            raise LeftOut(name)
        if name == 'pre':
            return arguments[0]
        if name in ('edge', 'change'):
            return lambda row: False
        if name == 'int':
            return lambda row: (lambda v: (v, abs(v)))(row.truncated(key, arguments[0](row)))
        if name == 'sign':
            return lambda row: (lambda v: (v, abs(v)))(row.sign(key, arguments[0](row)))
        if name == 'mod':
            def remainder(row):
                x, y = arguments[0](row), arguments[1](row)
                n = row.rounded_down(key, (x[0] / y[0], x[1] / abs(y[0])))
                return x[0] - n * y[0], x[1] + abs(n * y[0])
            return remainder

        def value(row):
            given = [a(row) for a in arguments]
            if any(isinstance(g, bool) for g in given):
                raise LeftOut(name)
            v = call(name, [g[0] for g in given])
            return v, abs(v) + sum(g[1] for g in given) if name in ('abs', 'min', 'max', 'noevent') else \
                abs(v) * (1 + sum(g[1] for g in given)) + 1e-3
        return value


class Model:
    def __init__(self, equations):
        self.equations, self.left_out = [], 0
        for text in equations:
            try:
                self.equations.append((text, *Parser(text).equation()))
            except LeftOut:
                self.left_out += 1

    def wrong(self, row):
        """Texts of the equations that the row does not satisfy."""
        bad = []
        for text, left, right in self.equations:
            try:
                a, b = number(left(row)), number(right(row))
                if abs(a[0] - b[0]) > TOLERANCE * (a[1] + b[1]) + 1e-9:
                    bad.append(f'{text}    {a[0]:.9g} = {b[0]:.9g}')
            except LeftOut:
                pass
            except (OverflowError, ZeroDivisionError, ValueError) as problem:
                bad.append(f'{text}    {problem}')
        return bad


def same_instant(a, b):
    return abs(a - b) <= 1e-13 * max(abs(a), abs(b))


def ties_of(model, values):
    row = Row(values)
    model.wrong(row)
    return row.ties


def is_in_flat_crossing(model, rows, events, k, names):
    """Where two sides cross with a common tangent they are the same numbers for a short stretch: the event lies somewhere in it, and
    the rows of the stretch are limits too."""
    times = [r['time'] for r in rows]
    stretch = FLAT * (times[-1] - times[0])
    close = [j for j in events if abs(times[j] - times[k]) <= stretch]
    return any(ties_of(model, rows[j]).get(name) for j in close for name in names)


def check_rows(model, rows):
    """(problem or None, rows that slide)"""
    held = 0
    times = [r['time'] for r in rows]
    pairs = [j for j, (a, b) in enumerate(zip(times, times[1:])) if same_instant(a, b)]
    events = [times[j] for j in pairs]
    near = 1e-9 * (times[-1] - times[0])
    for k, values in enumerate(rows):
        row = Row(values)
        bad = model.wrong(row)
        if not bad:
            continue
        # So does the last row: what becomes equal at the stop time changes after it.
        limit = k in (0, len(rows) - 1) or any(abs(times[k] - t) <= near for t in events)
        ties = dict(row.ties)
        names = sorted(ties)
        # Values of the relations at ties that explain the row.
        explained = None
        for values_of in itertools.product((False, True), repeat=len(names)) if len(names) <= MOST_TIES else ():
            row.choice = dict(zip(names, values_of))
            if not model.wrong(row):
                explained = row.choice
                break
        if explained and (limit or not all(ties.values()) or is_in_flat_crossing(model, rows, pairs, k, names)):
            continue
        where = f'at time {times[k]!r}, row {k + 1}:\n    ' + '\n    '.join(bad[:5])
        if explained:
            return f'a relation between equals has the value of unequal things, {where}\n    ties: {", ".join(names)}', held
        if not names:
            return f'equations are not satisfied, {where}', held
        held += 1
    return None, held


def read_rows(path):
    with open(path) as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


# ---- random models

class Generator:
    """A model whose variables follow from those before them: time, oscillators, lags, sums, limits, choices, roots of cubics, counters.
    Constants are few and round, so that sides of relations meet exactly, at the start too."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.declared, self.discrete, self.lines, self.values, self.steps = [], [], [], [], []
        self.truths, self.wholes, self.levels = [], [], []  # determined by discrete equations

    def constant(self):
        return self.random.choice(['-1', '-0.5', '-0.25', '0', '0.25', '0.5', '1', '1.5', '2'])

    def name(self, letter):
        return f'{letter}{sum(map(len, (self.declared, self.discrete, self.truths, self.wholes, self.levels)))}'

    def add(self, expression):
        name = self.name('a')
        self.declared.append(name)
        self.lines.append(f'{name} = {expression}')
        self.values.append(name)
        return name

    def state(self):
        choose, name = self.random.choice, self.name('x')
        self.declared.append(name)
        kind = choose(['swing', 'lag', 'ramp', 'count'])
        self.lines.append(f'{name}(0) = {choose(["0", "0.5", "1", "-1"])}')
        if kind == 'swing':
            speed = self.name('v')
            self.declared.append(speed)
            self.lines += [f"{name}' = {speed}", f"{speed}' = -{choose(['1', '4', '9'])}*{name}", f'{speed}(0) = {choose(["1", "2", "0.5"])}']
        elif kind == 'lag':
            self.lines.append(f"{name}' = {self.value()} - {name}")
        elif kind == 'ramp':
            self.lines.append(f"{name}' = {choose(['1', '-1', '0.5', '2'])}")
        else:
            self.lines.append(f"{name}' = if {self.condition()} then 1 else {choose(['0', '-1'])}")
        self.values.append(name)

    def value(self):
        return self.random.choice(self.values + ['time', 'sin(2*time)', 'time - 1'])

    def relation(self):
        """Often of things that become equal."""
        choose, x = self.random.choice, self.value()
        operator = choose(['<', '<=', '>', '>='] * 5 + ['=', '<>'])
        c = self.constant()
        other = choose([self.constant()] * 4 + [self.value()] * 3 + [f'min({c}, {x})', f'max({c}, {x})', f'abs({x})',
                                                                   f'min(1, max(-1, {x}))', f'min({self.value()}, {x})'])
        if self.steps and self.random.random() < 0.25:
            x = choose(self.steps)
            other = choose(['0.5', '0', '1', f'(if {x} > 0 then 0.5 else -1)'])
            operator = choose(['<', '<=', '>', '>='])
        if operator in ('=', '<>') and not other.startswith(('min', 'max', 'abs')):
            operator = '<='
        left, right = (x, other) if self.random.random() < 0.7 else (other, x)
        if not any(part in left + right for part in self.values + ['time']):
            left = 'time'
        return f'{left} {operator} {right}'

    def condition(self):
        draw = self.random.random()
        if self.truths and self.random.random() < 0.3:
            b = self.random.choice(self.truths)
            return self.random.choice([b, f'not {b}', f'({b} and {self.relation()})', f'({b} or {self.relation()})'])
        if self.levels and self.random.random() < 0.2:
            return f'{self.random.choice(self.levels)} {self.random.choice(["=", "<>", "<", ">="])} {self.random.choice(LEVELS)}'
        if draw < 0.75:
            return self.relation()
        if draw < 0.95:
            return f'{self.relation()} {self.random.choice(["and", "or"])} {self.relation()}'
        return f'not ({self.relation()})'

    def variable(self):
        choose, x, y = self.random.choice, self.value(), self.value()
        kind = choose(['sum', 'limit', 'bend', 'step', 'choice', 'cubic', 'sign', 'int', 'alias', 'step', 'choice', 'counter', 'truth', 'truth',
                       'whole', 'level'])
        if kind == 'sum':
            self.add(f'{x} + {choose(["0.5", "2", "-1"])}*{y} + {self.constant()}')
        elif kind == 'limit':
            self.add(f'min(1, max(-1, {choose(["1", "2", "0.5"])}*{x}))')
        elif kind == 'bend':
            self.add(choose([f'abs({x})', f'max({x}, {self.constant()})', f'min({x}, {y})']))
        elif kind == 'step':
            self.steps.append(self.add(f'if {self.condition()} then 1 else {choose(["0", "-1"])}'))
        elif kind == 'choice':
            self.add(f'if {self.condition()} then {x} else {choose([y, self.constant()])}')
        elif kind == 'cubic':
            name = self.name('c')
            self.declared.append(name)
            self.lines.append(f'{name}**3 + {name} = {x}')
            self.values.append(name)
        elif kind == 'sign':
            self.steps.append(self.add(f'sign({x} - {choose([self.constant(), y])})'))
        elif kind == 'int':
            self.add(choose([f'int({choose(["2", "3"])}*{x})', f'mod({x} + 5, {choose(["1", "0.5"])})']))
        elif kind == 'alias':
            self.add(x)
        elif kind == 'truth':
            name = self.name('b')
            rest = self.condition()
            value = choose([rest, f'({rest}) or (pre({name}) and {self.relation()})', f'({rest}) and not ({self.condition()})'])
            self.truths.append(name)
            self.lines.append(f'{name} = {value}')
        elif kind == 'whole':
            name = self.name('n')
            value = f'int({choose(["2", "3"])}*{x})'
            if self.truths and self.random.random() < 0.7:
                b = choose(self.truths)
                value = choose([f'if edge({b}) then pre({name}) + 1 else pre({name})', f'if {b} then 1 else {choose(["0", "-2"])}',
                                f'if change({b}) then pre({name}) + 2 else pre({name})'])
            self.wholes.append(name)
            self.lines.append(f'{name} = {value}')
            self.values.append(name)
        elif kind == 'level':
            name = self.name('m')
            value = f'if {self.condition()} then high elseif {self.condition()} then middle else {choose(["low", f"pre({name})"])}'
            self.levels.append(name)
            self.lines.append(f'{name} = {value}')
        else:
            name = self.name('n')
            self.discrete.append(name)
            self.lines.append(f'when {self.condition()} then new({name}) = pre({name}) + 1 end')
            self.values.append(name)

    def checks(self, rows):
        """What else of the rows is wrong; None: nothing."""
        return None

    def model(self):
        for _ in range(self.random.randint(0, 2)):
            self.state()
        for _ in range(self.random.randint(2, 7)):
            self.variable()
        for _ in range(self.random.randint(0, 2)):
            self.state()
        if not self.declared:
            self.add('time')
        lines = ['local ' + ' '.join(self.declared)]
        if self.discrete:
            lines.append('discrete ' + ' '.join(f'{n}=0' for n in self.discrete))
        for word, names in (('boolean', self.truths), ('integer', self.wholes), (f'({", ".join(LEVELS)})', self.levels)):
            if names:
                lines.append(word + ' ' + ' '.join(names))
        return 'model m\n  ' + '\n  '.join(lines + self.lines) + '\nend\n'


class EventGenerator(Generator):
    """Beside those: networks of ideal diodes and switches, when clauses with discrete equations between them, clocks, counters that must
    agree with discrete equations that say the same."""

    def __init__(self, seed):
        super().__init__(seed)
        self.twins, self.clocks = [], []  # (name, name); (name, first, period, kept, of)

    def variable(self):
        kind = self.random.choice(['plain'] * 4 + ['network', 'network', 'chain', 'twins', 'clock', 'machine'])
        {'plain': super().variable, 'network': self.network, 'chain': self.chain, 'twins': self.add_twins, 'clock': self.clock,
         'machine': self.machine}[kind]()

    def network(self):
        """Nodes fed through resistors, in a tree of diodes and switches: one solution."""
        choose, nodes = self.random.choice, []
        sums, closing = [], [self.condition() for _ in range(3)]  # of what is known before: its own diodes would act on themselves
        for _ in range(self.random.randint(1, 3)):
            u = self.name('u')
            self.declared.append(u)
            nodes.append(u)
            sums.append([f'({choose(["1", "2", "0.5"])}*{self.value()} + {self.constant()} - {u})/{choose(["1", "2", "0.5"])}', f'-{u}/{choose(["1", "4"])}'])
        for k, u in enumerate(nodes):
            i, other = self.name('i'), choose(['0', '0.5'] + nodes[:k] * 2)
            self.declared.append(i)
            v = f'({u} - {other})' if self.random.random() < 0.7 else f'({other} - {u})'
            sign = '-' if v.startswith(f'({u} ') else '+'
            if self.random.random() < 0.7:
                s = self.name('s')
                self.declared.append(s)
                if self.random.random() < 0.6:
                    off = self.name('b')
                    self.truths.append(off)
                    self.lines.append(f'{off} = {s} < 0')
                else:
                    off = f'{s} < 0'
                self.lines += [f'{v} = if {off} then {s} else 0', f'{i} = if {off} then 0 else {s}']
            else:
                closed = self.name('b')
                self.lines.append(f'{closed} = {closing[k]}')
                self.truths.append(closed)
                self.lines.append(f'0 = if {closed} then {v} else {i}')
            sums[k].append(f'{sign} {i}')
            if other in nodes:
                sums[nodes.index(other)].append(f'{"+" if sign == "-" else "-"} {i}')
        for parts in sums:
            self.lines.append('0 = ' + ' '.join(p if p[0] in '+-' or k == 0 else '+ ' + p for k, p in enumerate(parts)))

    def chain(self):
        """A clause, a discrete equation of what it sets, a clause that looks at that."""
        choose, p = self.random.choice, self.name('p')
        condition, step = self.condition(), choose(['1', '2'])
        self.discrete.append(p)
        self.lines.append(f'when {condition} then new({p}) = pre({p}) + {step} end')
        q = self.name('q')
        self.discrete.append(q)
        b = choose(self.truths) if self.truths else None
        self.lines.append(f'{q} = 2*{p} + (if {b} then 1 else 0)' if b else f'{q} = 2*{p} - 1')
        r = self.name('r')
        self.discrete.append(r)
        self.lines.append(f'when {q} > {choose(["0", "1", "3"])} then new({r}) = {q} end')
        w = self.name('w')
        self.truths.append(w)
        self.lines.append(f'{w} = {q} > {r} or {p} >= {choose(["1", "2"])}')
        self.values += [p, q, r]

    def add_twins(self):
        """Once as a clause, once as a discrete equation; conditions that do not depend on discrete ones."""
        truths, levels, self.truths, self.levels = self.truths, self.levels, [], []
        condition, step = self.relation(), self.random.choice(['1', '3'])
        self.truths, self.levels = truths, levels
        n = self.name('n')
        self.discrete.append(n)
        b = self.name('b')
        self.truths.append(b)
        m = self.name('m')
        self.wholes.append(m)
        self.lines += [f'{b} = {condition}', f'when {b} then new({n}) = pre({n}) + {step} end',
                       f'{m} = if edge({b}) then pre({m}) + {step} else pre({m})']
        self.twins.append((n, m))

    def clock(self):
        choose = self.random.choice
        n = self.name('n')
        self.discrete.append(n)
        z = self.name('z')
        self.discrete.append(z)
        first, period = choose(['0', '0.25', '0.1']), choose(['0.25', '0.5', '0.3'])
        of = choose([v for v in self.values if v.startswith('x')] + ['time'])
        self.lines += [f'when sample({first}, {period}) then', f'  new({z}) = {of}', f'  new({n}) = pre({n}) + 1', 'end']
        self.clocks.append((n, float(first), float(period), z, of))
        self.values += [n, z]

    def machine(self):
        m, leave = self.name('m'), self.condition()
        self.lines.append(f'{m} = if pre({m}) = low and ({leave}) then middle elseif pre({m}) = middle and ({self.condition()}) then high '
                          f'elseif pre({m}) = high and not ({leave}) then low else pre({m})')
        self.levels.append(m)

    def checks(self, rows):
        for n, m in self.twins:
            off = {r[n] - r[m] for r in rows}
            if len(off) > 1:
                return f'a clause and a discrete equation count differently: {n} - {m} has the values {sorted(off)}'
        for n, first, period, z, of in self.clocks:
            for k, r in enumerate(rows):
                t = r['time']
                ticks = math.floor((t - first) / period + 1e-9) + 1 if t >= first - 1e-9 else 0
                last = k + 1 == len(rows) or not same_instant(rows[k + 1]['time'], t)
                tick = ticks > 0 and abs(t - first - (ticks - 1) * period) <= 1e-9
                if r[n] != ticks and not (tick and not last and r[n] == ticks - 1):
                    return f'clock {n} has ticked {r[n]:g} times at {t!r}'
                if tick and r[n] == ticks and abs(r[z] - (t if of == 'time' else r[of])) > 1e-9 * (1 + abs(r[z])):
                    return f'{z} is not {of} at the tick {t!r}'
        return None


# ---- runs

COMPILE = {'c': ['gcc', '-O1', '-std=c11', 'm.c', '-o', 'm', '-lm'], 'fortran': ['gfortran', '-O1', '-std=f2008', 'm.f90', '-o', 'm']}


def run(arguments, folder, seconds=60, output=None):
    return subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=output or subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env=ENVIRONMENT, timeout=seconds)


def flat_model(program, path, folder):
    made = run([program, 'equations', str(path), '--flat', '--json'], folder)
    if made.returncode:
        return None, made.stdout + made.stderr
    return Model([e['equation'] for e in json.loads(made.stdout)['equations']]), None


def check_example(program, path):
    """(problem or None, equations, rows, rows that slide)"""
    with tempfile.TemporaryDirectory(prefix='cutset-consistency-') as folder:
        model, problem = flat_model(program, path, folder)
        if problem:
            return None if 'input' in problem else problem, 0, 0, 0
        try:
            ran = run([program, 'simulate', str(path), '--quiet', '-o', 'm.csv'], folder, 120)
        except subprocess.TimeoutExpired:
            return None, 0, 0, 0
        if ran.returncode:
            return ran.stdout + ran.stderr, 0, 0, 0
        rows = read_rows(pathlib.Path(folder) / 'm.csv')
        problem, held = check_rows(model, rows)
        return problem, len(model.equations), len(rows), held


def check_all(model, made, rows):
    problem, held = check_rows(model, rows)
    return problem or made.checks(rows), held


def check_random(program, seed, languages, generator=Generator):
    """(problem or None, text, rows, rows that slide)"""
    rng = random.Random(seed)
    made = generator(seed)
    text = made.model()
    end = rng.choice(['1', '2.5', '4'])
    with tempfile.TemporaryDirectory(prefix='cutset-consistency-') as name:
        folder = pathlib.Path(name)
        (folder / 'm.dym').write_text(text)
        model, problem = flat_model(program, 'm.dym', folder)
        if problem:
            return problem, text, 0, 0
        rows = slid = 0
        for engine in ('interpret', 'native'):
            try:
                ran = run([program, 'simulate', 'm.dym', '--stop', end, '--points', '17', '--engine', engine, '--quiet', '-o', engine + '.csv'],
                          folder)
            except subprocess.TimeoutExpired:
                return 'no end after 60 s', text, rows, slid
            if ran.returncode:
                return ran.stdout + ran.stderr, text, rows, slid
        if (folder / 'interpret.csv').read_bytes() != (folder / 'native.csv').read_bytes():
            return 'the engines differ', text, rows, slid
        found = read_rows(folder / 'native.csv')
        problem, held = check_all(model, made, found)
        rows, slid = len(found), held
        for language in languages if not problem else ():
            translated = run([program, 'translate', 'm.dym', '--to', language, '--stop', end, '--points', '17', '-o',
                        'm.c' if language == 'c' else 'm.f90'], folder)
            if translated.returncode:
                if 'program' in (translated.stderr + translated.stdout).split('\n')[0]:  # refused with words
                    continue
                return translated.stdout + translated.stderr, text, rows, slid
            compiled = run(COMPILE[language], folder, 300)
            if compiled.returncode:
                return compiled.stderr[:2000], text, rows, slid
            with open(folder / 'm.csv', 'w') as out:
                ran = run(['./m'], folder, 60, out)
            if ran.returncode:
                return f'{language}: {ran.stderr}', text, rows, slid
            problem, held = check_all(model, made, read_rows(folder / 'm.csv'))
            if problem:
                return f'{language}: {problem}', text, rows, slid
        return problem, text, rows, slid


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build/release/cutset'))
    parser.add_argument('--models', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--translated', type=int, default=20)
    parser.add_argument('--events', action='store_true', help='models with networks of diodes and switches, clauses, clocks')
    parser.add_argument('--keep', help='models that fail are written here')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    languages = [l for l in COMPILE if shutil.which(COMPILE[l][0])]
    examples = [p for p in sorted((ROOT / 'examples').rglob('*.dym')) if not options.names or any(n in str(p) for n in options.names)]
    bad = equations = rows = held = refused = 0
    kinds = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {p: pool.submit(check_example, program, p) for p in examples}
        for path, task in tasks.items():
            problem, n, m, k = task.result()
            equations, rows, held = equations + n, rows + m, held + k
            if problem:
                bad += 1
                print(f'{path.relative_to(ROOT)}: {problem}')
        print(f'{len(examples)} examples, {equations} equations, {rows} rows, {held} of them sliding')
        seeds = range(options.seed, options.seed + options.models)
        generator = EventGenerator if options.events else Generator
        tasks = {s: pool.submit(check_random, program, s, languages if options.translated and s % options.translated == 0 else [],
                                generator) for s in seeds}
        rows = held = 0
        for seed, task in tasks.items():
            problem, text, m, k = task.result()
            rows, held = rows + m, held + k
            if problem and REFUSED in problem:
                refused += 1
                continue
            if problem:
                bad += 1
                kinds[re.sub(r'[-+]?\d[\d.]*(?:e[-+]?\d+)?', '#', problem.split('\n')[0])[:100]] += 1
                print(f'seed {seed}: {problem}\n{text}')
                if options.keep:
                    pathlib.Path(options.keep, f'{seed}.dym').write_text(text)
        print(f'{options.models} random models from seed {options.seed}, {rows} rows, {held} of them sliding; {refused} refused, '
              f'{bad} failed')
        for kind, count in kinds.most_common():
            print(f'  {count} {kind}')
    return 1 if bad or refused > MOST_REFUSED * options.models else 0


if __name__ == '__main__':
    sys.exit(main())
