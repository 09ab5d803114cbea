"""Group `text_to_curve`: time on the wall from the start of the process to the result on disk, as a user waits for it; medians.

  30 equations   a circuit with a source, three resistors, a capacitor and a coil, 1 001 output points
  boiler         examples/boiler.dym as its header says: 466 equations, 2 400 s
  ladder 9000    to its first computed point: a run of one output instant after the start; and the same a second time, when its
                 translation has been kept on disk (everything else is measured without that)"""
import json
import os
import tempfile

import models
from measure import Run, median

CIRCUIT = models.ELECTRICAL + """model circuit
  submodel (VoltageSource) source
  submodel (Resistor) r1(R=10) r2(R=5) r3(R=20)
  submodel (Capacitor) c1(C=1e-3)
  submodel (Inductor) l(L=0.02)
  submodel Ground
  local P
  Ground to source..(n - p) to r1 to l to (c1 par r2 par r3) to Ground
  source.V = 10*sin(100*time)
  P = source.v*source.i
end
"""


def cases():
    yield 'circuit', 'circuit of %d equations', CIRCUIT, ['--stop', '1'], 0.030
    yield 'boiler', 'boiler, %d equations', models.example('boiler'), ['--stop', '2400', '--step', '10'], 0.200
    yield 'ladder', 'ladder, %d equations, to the first point', models.ladder(9000), ['--stop', '1e-6', '--points', '2', '--states'], 2


def run(program, report, quick=False):
    with tempfile.TemporaryDirectory() as folder:
        for name, title, text, options, goal in cases():
            path = os.path.join(folder, name + '.dym')
            with open(path, 'w') as out:
                out.write(text)
            equations = json.loads(Run([program, 'check', path, '--json']).output)['equations']
            waits, work, why = [], [], ''
            for _ in range(3 if quick else 11):
                one = Run([program, 'simulate', path, '--quiet', '-o', os.path.join(folder, name + '.csv')] + options, 60)
                if not one.good:
                    why = one.why()
                    break
                waits.append(one.elapsed)
                work.append(one.seconds)
                if sum(waits) > 30:
                    break
            report('text_to_curve', title % equations, median(waits) if waits and not why else None, 's', goal,
                   note=why or 'processor time %.3g s' % median(work))
        again = []
        os.environ['CUTSET_CACHE'] = os.path.join(folder, 'cache')
        for _ in range(4):
            again.append(Run([program, 'simulate', path, '--quiet', '-o', os.path.join(folder, name + '.csv')] + options, 60).elapsed)
        os.environ['CUTSET_CACHE'] = 'off'
        report('text_to_curve', title % equations + ', second start', median(again[1:]), 's', None)
