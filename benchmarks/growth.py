"""Group `growth`: `cutset check`, that is parse, instantiate, flatten, reduce and sort, on generated models of 1 000 to 1 000 000 equations:
processor time, peak memory, and the exponent of growth by least squares on the logarithms, from 10 000 equations on. Three
shapes, all put together from components of libraries/:

  ladder   an array of equal submodels joined in a `for` loop: little text, many instances
  grid     a plate, each node joined to four neighbours
  network  an irregular circuit, every component with its own line of text, with algebraic loops as large as a third of the model

and ladder and grid in Modelica, from components of their own.

For the largest of each the same for `cutset simulate` up to its first computed point, which adds the code and the first steps, and for a
second start, when the translation is kept on disk."""
import json
import math
import os
import sys
import tempfile

import models
from measure import Run

# how many sections, nodes along a side, or nodes give so many equations
SHAPES = [('ladder', models.ladder, lambda e: max(1, e // 10)),
          ('grid', models.grid, lambda e: max(2, round(math.sqrt(e / 8)))),
          ('network', models.network, lambda e: max(2, round(e / 6.8))),
          ('ladder in Modelica', models.ladder_modelica, lambda e: max(1, e // 18)),
          ('grid in Modelica', models.grid_modelica, lambda e: max(2, round(math.sqrt(e / 10))))]


def file_of(folder, text):
    path = os.path.join(folder, 'big.mo' if text.startswith('package') else 'big.dym')
    with open(path, 'w') as out:
        out.write(text)
    return path


def check(program, text, limit=300):
    with tempfile.TemporaryDirectory() as folder:
        path = file_of(folder, text)
        return Run([program, 'check', path, '--json'], limit)


def first_points(program, text, limit=300):
    """Three runs up to the first computed point: with nothing kept on disk, one that keeps its translation, and one that finds it."""
    with tempfile.TemporaryDirectory() as folder:
        path = file_of(folder, text)
        # without --max-step a run takes 300 steps at least, however short it is
        command = [program, 'simulate', path, '--quiet', '--stop', '1e-6', '--max-step', '1e-6', '--points', '2', '--states', '-o',
                   os.path.join(folder, 'big.mat')]
        runs = [Run(command, limit)]
        os.environ['CUTSET_CACHE'] = os.path.join(folder, 'cache')
        runs += [Run(command, limit) for _ in range(2)]
        os.environ['CUTSET_CACHE'] = 'off'
        return runs


def measure(program, text):
    """Seconds of processor time and peak memory in bytes of `cutset check --json` on the model."""
    run = check(program, text)
    if not run.good:
        sys.stderr.write(run.errors)
        raise SystemExit('bench: the generated model failed: ' + run.why())
    return run.seconds, run.memory


def exponent(sizes, values):
    """Slope of log(value) over log(size)."""
    x = [math.log(s) for s in sizes]
    y = [math.log(v) for v in values]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def run(program, report, quick=False):
    for shape, make, size in SHAPES:
        sizes, seconds, memory = [], [], []
        for wanted in (1000, 10000, 100000) if quick else (1000, 10000, 100000, 1000000):
            text = make(size(wanted))
            runs = []
            for _ in range(5 if wanted <= 10000 else 3):
                runs.append(check(program, text))
                if not runs[-1].good:
                    break
            if not runs[-1].good:
                report('growth', '%s, %d equations, time' % (shape, wanted), None, 's', 60, note=runs[-1].why())
                break
            # noise only adds
            best = min(runs, key=lambda r: r.seconds)
            sizes.append(json.loads(best.output)['equations'])
            seconds.append(best.seconds)
            memory.append(best.memory)
            last = wanted == 1000000
            report('growth', '%s, %d equations, time' % (shape, sizes[-1]), best.seconds, 's', 60 if last else None)
            report('growth', '%s, %d equations, memory' % (shape, sizes[-1]), best.memory / 2**30, 'GiB', 6 if last else None)
            if last:
                started, _, again = first_points(program, text)
                for title, run_ in (('to the first point', started), ('second start', again)):
                    case, why = '%s, %d equations, %s, ' % (shape, sizes[-1], title), '' if run_.good else run_.why()
                    report('growth', case + 'time', None if why else run_.seconds, 's', 60, note=why)
                    report('growth', case + 'memory', None if why else run_.memory / 2**30, 'GiB', 6, note=why)
        if len(sizes) > 2:
            # the smallest models are start-up; growth is seen from 10 000 on
            report('growth', shape + ', exponent of time', exponent(sizes[1:], seconds[1:]), '', 1.1)
            report('growth', shape + ', exponent of memory', exponent(sizes[1:], memory[1:]), '', 1.1)
