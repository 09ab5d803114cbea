"""Group `growth`: parse, instantiate, flatten and sort generated models of 1 000 to 200 000 equations; time and memory, and
the exponent of growth by least squares on the logarithms. Two shapes:

  ladder   an array of equal submodels joined in a `for` loop: little text, many instances
  listing  every submodel declared and connected by its own line of text

Each submodel has 20 equations: a filter cell with currents, voltages, powers and temperatures."""
import os
import subprocess
import sys
import tempfile

CELL = """model type cell
  cut p(V1 / i1) n(V2 / -i2)
  main path through (p - n)
  parameter R=1 C=1 G=0.1 L=0.01 k=2
  local v u iC iG iL pR pC pG pL T dT q w s a b
  v = V1 - u
  v = R*i1 + L*der(iL)
  iL = i1
  C*der(u) = iC
  iG = G*u
  i1 = i2 + iC + iG
  V2 = u
  pR = R*i1**2
  pC = u*iC
  pG = u*iG
  pL = v*iL
  k*der(T) = q - dT
  dT = a*T
  q = pR + pG
  w = pC + pL
  s = w + q
  a = 0.1 + 0.01*b
  b = sin(u)
  iL(0) = 0
  u(0) = 0
  T(0) = 0
end
model type feed
  main cut p(V / i)
  V = sin(time)
end
model type load
  main cut p(V / i)
  V = 10*i
end
"""
EQUATIONS_PER_CELL = 20


def ladder(n):
    return CELL + """model big
  structure parameter n=%d
  submodel (cell) c[n]
  submodel feed load
  feed to c[1]
  for i:=1 to n-1 do c[i] to c[i+1]
  c[n] to load
end
""" % n


def listing(n):
    lines = [CELL, 'model big\n  submodel feed load\n']
    lines += ['  submodel (cell) c%d(R=%g, C=%g)\n' % (i, 1 + i % 7, 1 + i % 3) for i in range(1, n + 1)]
    lines += ['  c%d to c%d\n' % (i, i + 1) for i in range(1, n)]
    lines += ['  feed to c1\n  c%d to load\nend\n' % n]
    return ''.join(lines)


def measure(program, text):
    """Seconds of processor time and peak memory in bytes of `cutset check --json` on the model."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'big.dym')
        with open(path, 'w') as out:
            out.write(text)
        process = subprocess.Popen([program, 'check', path, '--json'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.stderr.write(process.stderr.read().decode())
            raise SystemExit('bench: the generated model failed')
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def exponent(sizes, values):
    """Slope of log(value) over log(size)."""
    import math
    x = [math.log(s) for s in sizes]
    y = [math.log(v) for v in values]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def run(program, report, quick=False):
    for shape, make in (('ladder', ladder), ('listing', listing)):
        sizes, seconds, memory = [], [], []
        for equations in (1000, 10000, 100000, 200000):
            n = equations // EQUATIONS_PER_CELL
            best = min((measure(program, make(n)) for _ in range(3 if equations <= 10000 else 1)), key=lambda m: m[0])
            sizes.append(equations)
            seconds.append(best[0])
            memory.append(best[1])
            report('growth', '%s, %d equations, time' % (shape, equations), best[0], 's', 10 if equations == 200000 else None)
            report('growth', '%s, %d equations, memory' % (shape, equations), best[1] / 2**20, 'MiB',
                   2048 if equations == 200000 else None)
        # the smallest models are start-up; growth is seen from 10 000 on
        report('growth', shape + ', exponent of time', exponent(sizes[1:], seconds[1:]), '', 1.1)
        report('growth', shape + ', exponent of memory', exponent(sizes[1:], memory[1:]), '', 1.1)
