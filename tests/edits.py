#!/usr/bin/env python3
"""Edits models in many ways, at random too, and compares each run with what earlier runs have kept on disk with a run that keeps nothing
and finds nothing: messages and results must be the same byte for byte. `edits.py [--program P] [--edits N] [--seed S]`.

Edits that break the model are compared too: by their messages. Of edits that change values only, some have to do without an analysis."""
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
    """Exit status, what was said and the result; whether the analysis came from an earlier text; seconds of the translation."""
    result = path.with_suffix('.csv')
    result.unlink(missing_ok=True)
    done = subprocess.run([program, 'simulate', str(path), '--json', '-o', str(result), *options], cwd=path.parent, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, CUTSET_CACHE=cache, NO_COLOR='1', LC_ALL='C.UTF-8'))
    said = json.loads(done.stdout)
    found, times = said.pop('cache', {}), said.pop('profile', {})
    return ((done.returncode, said, result.read_bytes() if result.exists() else b''), found.get('analysis') and not found.get('translation'),
            sum(times.get(stage, 0) for stage in ('parse', 'instantiate', 'sort', 'compile')))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build/test/cutset'))
    parser.add_argument('--edits', type=int, default=40)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    short = ['--stop', '1e-6', '--max-step', '1e-6', '--points', '2', '--states']
    # The last figure: how many of the edits at least need no analysis, where translations take long enough to be kept.
    cases = [('mixed', MIXED, edited, ['--stop', '3', '--points', '30', '--engine', 'native'], options.edits, 0),
             ('listing', models.listing(20000), edited, short, options.edits // 4, 0),
             ('network', models.network(1500), other_value, short, options.edits // 2, options.edits // 8),
             ('cells', CELLS, other_value, ['--stop', '0.2', '--points', '10'], options.edits // 2, options.edits // 8)]
    failed = ran = good = spared = 0
    for name, original, edit, arguments, count, least in cases:
        dice = random.Random(options.seed)
        spared_here, seconds = 0, []
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / (name + '.dym')
            text, steps = original, ['as it was']
            for _ in range(count):
                path.write_text(text)
                kept, alike, _ = run(program, path, arguments, os.path.join(folder, 'cache'))
                again, _, _ = run(program, path, arguments, os.path.join(folder, 'cache'))
                fresh, _, needed = run(program, path, arguments, 'off')
                seconds.append(needed)
                ran += 1
                good += fresh[0] == 0
                spared_here += bool(alike)
                if not kept == again == fresh:
                    failed += 1
                    print('%s: results differ after these edits:\n  %s' % (name, '\n  '.join(steps)))
                # Edits pile up as long as the model is one.
                if fresh[0] != 0 or len(steps) > 6:
                    text, steps = original, ['as it was']
                text, what = edit(text, dice)
                steps.append(what)
        if spared_here < least and statistics.median(seconds) > 0.06:
            failed += 1
            print('%s: only %d of %d edits were made without an analysis' % (name, spared_here, count))
        spared += spared_here
    print('%d edits, %d of them run, %d without an analysis, %d failed' % (ran, good, spared, failed))
    return 1 if failed or good < ran / 4 else 0


if __name__ == '__main__':
    sys.exit(main())
