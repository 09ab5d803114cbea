"""Group `gradient`: derivatives of one value at the end of a run by 100 parameters, backward in time, against the run itself without
them; medians of three. A rod of 100 cells with a conductivity of its own each, and the same forward with 3 parameters."""
import json
import os
import subprocess
import tempfile

from measure import median

ROD = """model rod
  structure parameter n=%d
  parameter k[n]=%s
  local T[n] q[n+1]
  q[1] = 2*(1 + sin(10*time) - T[1])
  for i:=2 to n do q[i] = k[i]*n*(T[i-1] - T[i])
  q[n+1] = k[1]*(T[n]**4 - 0.1)
  for i:=1 to n do begin
    der(T[i]) = n*(q[i] - q[i+1])
    T[i](0) = 0.5
  end
end
"""


def run(program, report, quick=False):
    cells = 100
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'rod.dym')
        with open(path, 'w') as out:
            out.write(ROD % (cells, '[' + ', '.join('%.4f' % (1 + 0.005 * i) for i in range(cells)) + ']'))
        for case, options in (('100 parameters, adjoint', ['--to', 'k', '--derivatives', 'adjoint']),
                              ('3 parameters, forward', ['--to', 'k[1],k[2],k[3]', '--points', '2'])):
            ratios = []
            for _ in range(1 if quick else 3):
                done = subprocess.run([program, 'sensitivity', path, '--of', 'T[%d]' % cells, '--stop', '2', '--tolerance', '1e-6',
                                       '--json'] + options, capture_output=True, timeout=300)
                seconds = json.loads(done.stdout)['seconds']
                ratios.append(seconds['derivatives'] / seconds['run'])
            report('gradient', case + ', times one run', median(ratios), '', 5)
