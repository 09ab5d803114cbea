#!/usr/bin/env python3
"""Edits models in many ways, at random too, and compares each run with what earlier runs have kept on disk with a run that keeps nothing
and finds nothing: messages and results must be the same byte for byte. `edits.py [--program P] [--edits N] [--seed S]`.

Edits that break the model are compared too: by their messages. Of edits that change values only, some have to do without an analysis, of
those that change an equation some with the analysis of a part. Values that make a loop singular are among them."""
import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'benchmarks'))
import models
sys.path.insert(0, str(ROOT / 'tests'))
import sweeps

# Loops, functions, events, eliminated variables and derivatives, small enough to be compiled each time.
MIXED = """function square(x) returns y
  y := x*x + 0.5
end
model type Tank
  cut inlet(P0 / qin) outlet(P / -q)
  main path through (inlet - outlet)
  parameter Area=2  rho=1000  g=9.81
  local h
  P0 = 0
  Area*der(h) = qin - q
  P = rho*g*h
end
model type Pipe
  cut a(P1 / q) b(P2 / -q)
  main path (a - b)
  parameter c=4e-4
  P1 - P2 = (q/c)*abs(q/c)
end
model mixed
  submodel (Tank) Tank1(Area=1) Tank2
  submodel (Pipe) Pipe1
  Tank1:outlet to Pipe1 to Tank2:inlet
  local x y z w v
  discrete n
  Tank1.qin = 0.01
  Tank2.q = 0.005*Tank2.h
  der(x) = 2*(1 - x) + 0.1*z
  der(y) = x - y
  z + w = square(x)
  z - 0.3*w**3 = y
  v = if x > 0.5 then 3*y else x
  when x > 0.4 then
    new(n) = n + 1
  end
  x(0) = 0.1
  Tank1.h(0) = 1
  Tank2.h(0) = 0.2
end
"""

# Translations that take less than 0.04 s are not kept: so many times. Parameters that others are computed from, that make terms vanish,
# that decide about pivots and signs; starts; a message of the run that says where.
CELLS = """model type Cell
  cut a(v1 / i) b(v2 / -i)
  main path (a - b)
  parameter R=2  L=0.1  C=0.5  k=1  g=0.3  R2=2*R  gain=k*g
  local u w f p q
  v1 - v2 = R*i + u
  C*der(u) = i
  L*der(w) = gain*u - w - k*f
  f + R2*p = w
  R*f - k*p = g*u
  q = if w > 0.05 then sqrt(w) else w
  valid u < 0.01001
  u(0) = 0.01
end
model type Source
  main cut o(v / i)
  parameter k=0
  v = k*sin(time)
end
model cells
  submodel (Cell) c[400]
  submodel (Source) s1(k=1) s2 s3(k=2) s4
%s
  local top
  s1 to c[1]
  for i:=1 to 399 do c[i] to c[i+1]
  c[400] to s2
  s3 to extra1
  extra400 to s4
  top = extra1.u + extra2.w
end
""" % ('\n'.join('  submodel (Cell) extra%d(R=%d, k=0.5, g=0.2)\n  extra%d.w(0) = 0.01' % (i, i, i) for i in range(1, 401)) + '\n' +
       '\n'.join('  extra%d to extra%d' % (i, i + 1) for i in range(1, 400)))


def web(dice, cells=2500):
    """Equations of many forms: rates, explicit ones, loops of two to four, linear or not, equal variables, parameters."""
    lines, known = ['model web', '  parameter p0=0.3  p1=2  p2=3*p1', '  constant c0=0'], ['x0']
    names = ['x%d' % i for i in range(cells)]

    def term():
        v, w = dice.choice(known[-40:]), dice.choice(known[-40:])
        return dice.choice(['0.3*%s', 'p0*%s', 'sin(%s)', '0.3*%s*cos(%s)', 'p1*tanh(%s)', '0.1*cos(%s)**2', 'exp(-%s**2)', '%s/p2']
                           ).replace('%s', v, 1).replace('%s', w)

    def expression():
        return ' '.join([term()] + ['%s %s' % (dice.choice('+-'), term()) for _ in range(dice.randrange(3))])

    body, states = ['  u0 = 0'], []
    names.append('u0')
    for i in range(cells):
        n = names[i]
        kind = dice.randrange(5) if i < 50 or dice.random() < 0.95 else 5
        if kind == 0 or i == 0:
            body += ['  der(%s) = %s - 2*%s' % (n, expression(), n), '  %s(0) = %.2g' % (n, dice.random())]
            states.append(n)
        elif kind == 1:
            body.append('  %s = %s' % (n, expression()))
        elif kind == 5:  # what vanishes, and derivatives in other equations
            body.append('  %s + %s = %s' % (n, dice.choice(["u0*%s'", 'u0*%s', 'c0*%s', "c0*%s'", "0.01*%s'"]) % dice.choice(states), expression()))
        elif kind == 2:
            body.append('  %s = %s%s' % (n, dice.choice(['', '-', '1 + ']), dice.choice(known[-40:])))
        else:
            own = [n] + ['%s_%d' % (n, k) for k in range(dice.randrange(1, 4))]
            for k, v in enumerate(own):
                other = own[(k + 1) % len(own)]
                coupling = dice.choice(['0.3*%s', 'p0*%s', '0.2*sin(%s)', '0.1*tanh(%s)']) % other
                body.append('  %s + %s = %s' % (v, coupling, expression()))
            known += own[1:]
            names += own[1:]
        known.append(n)
    lines += ['  local ' + ' '.join(names[i:i + 10]) for i in range(0, len(names), 10)]
    return '\n'.join(lines + body + ['end', ''])


def many_loops(dice, count=250):
    """Loops, each with a parameter; the value of it for which the loop is singular stands behind it."""
    names, parameters, body = [], [], []
    for i in range(count):
        of_loop, lines, special = sweeps.loop_lines(dice, f'l{i}', f'p{i}')
        parameters.append('  parameter p%d=%g { %d }' % (i, special + 1.5, special))
        names.append('  local ' + ' '.join(of_loop))
        body += ['  ' + line for line in lines]
    return '\n'.join(['model loops', *parameters, *names, *body, 'end', ''])


def other_loop(text, dice):
    """The text with another value for one loop, often the one for which it is singular, and what it was."""
    lines = text.splitlines(keepends=True)
    at = dice.choice([i for i, l in enumerate(lines) if l.startswith('  parameter')])
    name, was, special = re.match(r'  parameter (\w+)=(\S+) { (\S+) }', lines[at]).groups()
    now = dice.choice([special, special, '%g' % (float(special) + dice.choice([0.5, 1, -3]))])
    lines[at] = '  parameter %s=%s { %s }\n' % (name, now, special)
    return ''.join(lines), '%s=%s, now %s, singular for %s' % (name, was, now, special)


def other_equation(text, dice):
    """The text with another equation at one place, mostly of the same variables, and what it was."""
    lines = text.splitlines(keepends=True)
    at = dice.choice([i for i, l in enumerate(lines) if re.match(r'  [^{]* = ', l) and '(0)' not in l])
    left, right = lines[at].strip().split(' = ', 1)
    words = re.findall(r'\b[a-zA-Z]\w*\b(?!\()', right) or ['time']
    near = re.findall(r'\b[a-z]\w*\b(?!\()', ''.join(lines[max(0, at - 3):at + 4]).replace('der(', '')) or words
    left, right = dice.choice([
        (left, '%.3g*(%s)' % (dice.uniform(0.5, 1.5), right)), (left, '(%s)*(1 + 0.1*sin(%s))' % (right, dice.choice(words))),
        (left, right.replace(' - ', ' + ', 1) if ' - ' in right else right.replace(' + ', ' - ', 1)),
        (left, 'tanh(%s)' % right), (right, left), (left, '%s + 0.01*%s' % (right, dice.choice(words))),
        (left, '%s - 0.01*%s*%s' % (right, dice.choice(near), dice.choice(words))), ('2*(%s)' % left, right),
        (left, '%s + 0.01*%s' % (right, dice.choice(near))), (left, re.sub(r'(?<![\w.])\d+(?![\w.])', lambda m: m.group() + '.5', right, count=1)),
        (left, '%s + 0.001*(%s)**3' % (right, left) if 'der(' not in left else right + ' + 0.01'),
        (left.replace('u0*', '(u0 + 0.01)*').replace('c0*', '0.01*'), right), (left.replace("0.01*", 'u0*'), right)])
    now = '  %s = %s\n' % (left, right)
    was, lines[at] = lines[at].strip(), now
    return ''.join(lines), 'line %d: %s, now %s' % (at + 1, was, now.strip())


def other_value(text, dice):
    """The text with another value at one place, or moved, and what it was."""
    lines = text.splitlines(keepends=True)
    if dice.random() < 0.2:
        at = dice.randrange(1, len(lines) - 1)
        return ''.join(lines[:at] + ['  { moved }\n'] + lines[at:]), 'a comment in line %d' % (at + 1)
    places = [(i, m) for i, l in enumerate(lines) for m in re.finditer(r'(?<=[RLCkg]=)[\d.e-]+|(?<=\(0\) = )[\d.e-]+', l)]
    at, m = dice.choice(places)
    new = dice.choice(['%.4g' % dice.uniform(0.1, 9)] * 3 + ['0', '-1', '1', '1e6', '1e-9', m.group() + '+1', '2*' + m.group()])
    lines[at] = lines[at][:m.start()] + new + lines[at][m.end():]
    return ''.join(lines), 'in line %d: %s, now %s' % (at + 1, m.group(), new)


def edited(text, dice):
    """The text with one edit, and what it was."""
    lines = text.splitlines(keepends=True)
    numbers = [i for i, l in enumerate(lines) if re.search(r'(?<![\w.])\d', l)]
    equations = [i for i, l in enumerate(lines) if re.match(r'  [^{]* = ', l)]
    kind = dice.choice(['number', 'number', 'factor', 'zero', 'comment', 'blank', 'remove', 'twice', 'swap', 'variable', 'name', 'sign'])
    at = dice.choice(numbers if kind in ('number', 'zero') else equations)
    line = lines[at]
    if kind in ('number', 'zero'):
        spans = [m.span() for m in re.finditer(r'(?<![\w.])\d+(\.\d+)?(e-?\d+)?', line)]
        begin, end = dice.choice(spans)
        lines[at] = line[:begin] + ('0' if kind == 'zero' else '%.4g' % dice.uniform(0.1, 9)) + line[end:]
    elif kind == 'factor':
        left, right = line.rstrip('\n').split(' = ', 1)
        lines[at] = '%s = %.3g*(%s)\n' % (left, dice.uniform(0.5, 2), right)
    elif kind == 'comment':
        lines.insert(at, '  { %d }\n' % dice.randrange(1000))
    elif kind == 'blank':
        lines.insert(at, '\n')
    elif kind == 'remove':
        del lines[at]
    elif kind == 'twice':
        lines.insert(at, line)
    elif kind == 'swap':
        other = dice.choice(equations)
        lines[at], lines[other] = lines[other], line
    elif kind == 'variable':
        name = 'added%d' % dice.randrange(100000)
        lines[at:at] = ['  local %s\n' % name, '  %s = %.3g*time + 1\n' % (name, dice.random())]
    elif kind == 'name':
        words = sorted(set(re.findall(r'\b[a-z]\w*\b', ''.join(lines[i] for i in equations))))
        word = dice.choice(words)
        lines[at] = re.sub(r'\b%s\b' % dice.choice(re.findall(r'\b[a-z]\w*\b', line) or ['x']), word, line)
    else:
        lines[at] = line.replace(' - ', ' + ', 1) if ' - ' in line else line.replace(' + ', ' - ', 1)
    return ''.join(lines), '%s in line %d: %s' % (kind, at + 1, line.strip())


def run(program, path, options, cache):
    """Exit status, what was said and the result; how much of the analysis came from an earlier text; seconds of the translation."""
    result = path.with_suffix('.csv')
    result.unlink(missing_ok=True)
    done = subprocess.run([program, 'simulate', str(path), '--json', '-o', str(result), *options], cwd=path.parent, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, CUTSET_CACHE=cache, NO_COLOR='1', LC_ALL='C.UTF-8'))
    said = json.loads(done.stdout)
    found, times = said.pop('cache', {}), said.pop('profile', {})
    share = 'part' if found.get('reanalysed') else 'all' if found.get('analysis') and not found.get('translation') else 'none'
    return ((done.returncode, said, result.read_bytes() if result.exists() else b''), share,
            sum(times.get(stage, 0) for stage in ('parse', 'instantiate', 'sort', 'compile')))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build/test/cutset'))
    parser.add_argument('--edits', type=int, default=40)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    short = ['--stop', '1e-6', '--max-step', '1e-6', '--points', '2', '--states']
    # The last figures: how many of the edits at least need no analysis, or that of a part, where translations take long enough to be kept.
    few, some = options.edits // 4, options.edits // 2
    of_web = web(random.Random(3))
    cases = [('mixed', MIXED, edited, ['--stop', '3', '--points', '30', '--engine', 'native'], options.edits, 0, 0),
             ('listing', models.listing(20000), edited, short, few, 0, 0),
             ('listing', models.listing(20000), other_equation, short, few, 0, few // 3),
             ('network', models.network(1500), other_value, short, some, some // 4, 0),
             ('web', of_web, other_equation, ['--stop', '0.1', '--points', '4'], some, 0, some // 3),
             ('web', of_web, other_equation, ['--stop', '0.1', '--points', '4', '--solver', 'bdf'], few, 0, few // 3),
             ('loops', many_loops(random.Random(4)), other_loop, ['--stop', '0.2', '--points', '4'], some, 0, 0),
             ('cells', CELLS, other_value, ['--stop', '0.2', '--points', '10'], some, some // 4, 0),
             ('cells', CELLS, other_equation, ['--stop', '0.2', '--points', '10'], few, 0, 0)]
    failed = ran = good = spared = partly = 0
    for name, original, edit, arguments, count, least, least_partly in cases:
        dice = random.Random(options.seed)
        shares, seconds = [], []
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / (name + '.dym')
            text, steps = original, ['as it was']
            for _ in range(count):
                path.write_text(text)
                kept, share, _ = run(program, path, arguments, os.path.join(folder, 'cache'))
                again, _, _ = run(program, path, arguments, os.path.join(folder, 'cache'))
                fresh, _, needed = run(program, path, arguments, 'off')
                seconds.append(needed)
                ran += 1
                good += fresh[0] == 0
                shares.append(share)
                if not kept == again == fresh:
                    failed += 1
                    print('%s: results differ after these edits:\n  %s' % (name, '\n  '.join(steps)))
                # Edits pile up as long as the model is one.
                if fresh[0] != 0 or len(steps) > 6:
                    text, steps = original, ['as it was']
                text, what = edit(text, dice)
                steps.append(what)
        if statistics.median(seconds) > 0.06 and (shares.count('all') < least or shares.count('part') < least_partly):
            failed += 1
            print('%s: of %d edits only %d were made without an analysis, %d with that of a part' % (name, count, shares.count('all'),
                                                                                                  shares.count('part')))
        spared += shares.count('all')
        partly += shares.count('part')
    print('%d edits, %d of them run, %d without an analysis, %d with that of a part, %d failed' % (ran, good, spared, partly, failed))
    return 1 if failed or good < ran / 4 else 0


if __name__ == '__main__':
    sys.exit(main())
