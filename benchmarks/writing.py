"""Group `writing`: the part of a run of a model of 1 000 states, 1 001 rows of all its variables, that writing them takes: the time on the wall
from the start of the process to the result on disk, less that of the same run which writes one variable only, over the first; medians of
neighbouring runs.

  heat        the rod of components over the 200 s of the group `simulate`: 1 000 states, 6 000 columns, two thirds of them numbers of their own
  heat, 10 s  the same over 10 s: 118 MB of text for a tenth of a second of integration, which no goal is set for
  chain       1 000 states between 999 nonlinear equations over 10 s, 4 000 columns"""
import os
import tempfile

import models
from measure import Run, median

CHAIN = """model chain
  structure parameter n=1000
  local x[n] q[n] s[n]
  for i:=1 to n do x[i](0) = 1 + sin(3*i/n)
  x[1]' = sin(time) - q[1]
  for i:=2 to n-1 do x[i]' = q[i-1] - q[i] - 0.1*x[i]**3
  x[n]' = q[n-1] - x[n]
  for i:=1 to n-1 do q[i] + 0.1*q[i]**3 = 50*(x[i] - x[i+1])
  q[n] = exp(-x[n])
  for i:=1 to n do s[i] = sqrt(1 + x[i]**2)
end
"""
CASES = [('heat', models.heat(1000), 'c[1].T', '200', 0.2), ('heat, 10 s', models.heat(1000), 'c[1].T', '10', None), ('chain', CHAIN, 'x[1]', '10', 0.2)]


def run(program, report, quick=False):
    with tempfile.TemporaryDirectory() as folder:
        for name, text, one, stop, goal in CASES:
            path = os.path.join(folder, 'model.dym')
            with open(path, 'w') as out:
                out.write(text)
            for ending in ('csv', 'mat', 'npz'):
                command = [program, 'simulate', path, '--stop', stop, '--quiet', '-o', os.path.join(folder, 'run.' + ending)]
                shares, size, why = [], 0, ''
                for _ in range(3 if quick else 11):
                    few, all_of_them = Run(command + ['--output-variables', one]), Run(command)
                    if not (few.good and all_of_them.good):
                        why = few.why() if not few.good else all_of_them.why()
                        break
                    size = os.path.getsize(command[-1])
                    shares.append((all_of_them.elapsed - few.elapsed) / all_of_them.elapsed)
                report('writing', '%s, .%s' % (name, ending), median(shares) if shares and not why else None, 'of the run', goal,
                       note=why or '%.0f MB' % (size / 1e6))
