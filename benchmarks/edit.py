"""Group `edit`: one equation is changed in a generated model of 20 000 lines; time on the wall from the start of the program on the changed
text to the first new point, after a run of the text before the change (so that caches on disk may help). Medians of five changes at
different places; beside it the same for a text that did not change."""
import os
import tempfile

import models
from measure import Run, median


def run(program, report, quick=False):
    lines = 4000 if quick else 20000
    text = models.listing(lines).splitlines(keepends=True)
    equations = [i for i, line in enumerate(text) if line.startswith('  der(')]
    with tempfile.TemporaryDirectory() as folder:
        os.environ['CUTSET_CACHE'] = os.path.join(folder, 'cache')  # as for every user
        path = os.path.join(folder, 'listing.dym')
        # the integrator is left to the program; no model of this size should need a dense matrix. Without --max-step a run takes 300 steps
        # at least, however short it is.
        command = [program, 'simulate', path, '--quiet', '--stop', '1e-6', '--max-step', '1e-6', '--points', '2', '--states', '-o',
                   os.path.join(folder, 'r.mat')]

        def write(lines_):
            with open(path, 'w') as out:
                out.writelines(lines_)

        write(text)
        first = Run(command)
        case = 'one equation of %d lines' % len(text)
        if not first.good:
            os.environ['CUTSET_CACHE'] = 'off'
            report('edit', case, None, 's', 0.3, note=first.why())
            return
        again, changed = [], []
        for k in range(5):
            again.append(Run(command).elapsed)
            new = list(text)
            place = equations[(2 * k + 1) * len(equations) // 10]
            new[place] = new[place].replace('*(', '*1.01*(')
            write(new)
            changed.append(Run(command).elapsed)
            write(text)
            Run(command)
        os.environ['CUTSET_CACHE'] = 'off'
        report('edit', case + ', first run', first.elapsed, 's', None)
        report('edit', case + ', unchanged', median(again), 's', None)
        report('edit', case + ', changed', median(changed), 's', 0.3)
