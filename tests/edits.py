#!/usr/bin/env python3
"""Edits models in many ways, at random too, and compares each run with what earlier runs have kept on disk with a run that keeps nothing
and finds nothing: messages and results must be the same byte for byte. `edits.py [--program P] [--edits N] [--seed S]`.

Edits that break the model are compared too: by their messages."""
import argparse
import os
import pathlib
import random
import re
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
    """Exit status, what was said, result."""
    result = path.with_suffix('.csv')
    result.unlink(missing_ok=True)
    done = subprocess.run([program, 'simulate', str(path), '--quiet', '-o', str(result), *options], cwd=path.parent, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, CUTSET_CACHE=cache, NO_COLOR='1', LC_ALL='C.UTF-8'))
    return done.returncode, done.stdout, result.read_bytes() if result.exists() else b''


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build/test/cutset'))
    parser.add_argument('--edits', type=int, default=40)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    # A translation is kept only where it took 0.1 s: thus the long one.
    cases = [('mixed', MIXED, ['--stop', '3', '--points', '30', '--engine', 'native'], options.edits),
             ('listing', models.listing(20000), ['--stop', '1e-6', '--max-step', '1e-6', '--points', '2', '--states'], options.edits // 4)]
    failed = ran = good = 0
    for name, original, arguments, count in cases:
        dice = random.Random(options.seed)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / (name + '.dym')
            text, steps = original, ['as it was']
            for _ in range(count):
                path.write_text(text)
                kept = run(program, path, arguments, os.path.join(folder, 'cache'))
                again = run(program, path, arguments, os.path.join(folder, 'cache'))
                fresh = run(program, path, arguments, 'off')
                ran += 1
                good += fresh[0] == 0
                if not kept == again == fresh:
                    failed += 1
                    print('%s: results differ after these edits:\n  %s' % (name, '\n  '.join(steps)))
                # Edits pile up as long as the model is one.
                if fresh[0] != 0 or len(steps) > 6:
                    text, steps = original, ['as it was']
                text, what = edited(text, dice)
                steps.append(what)
    print('%d edits, %d of them run, %d failed' % (ran, good, failed))
    return 1 if failed or good < ran / 4 else 0


if __name__ == '__main__':
    sys.exit(main())
