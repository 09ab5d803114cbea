"""Group `edit`: a line is changed in generated models of 20 000 lines; time on the wall from the start of the program on the changed
text to the first new point, after a run of the text before the change (so that caches on disk may help). Medians of five changes at
different places; beside it the same for a text that did not change.

  listing   every equation is written out: one equation is changed, or one initial value
  network   an irregular circuit of components from libraries/, algebraic loops included: the equation of the source is changed, or the
            value of one component, or a component of another type stands in its place"""
import os
import re
import tempfile

import models
from measure import Run, median


def other_equation(line):
    """The equation with another factor."""
    return line.replace('*(', '*1.01*(')


def other_start(line):
    """The initial value with another number."""
    return line.replace('= 0', '= 0.01')


def other_value(line):
    """The component with another value."""
    return re.sub(r'R=([^)]*)', lambda m: 'R=%.6g' % (1.01 * float(m.group(1))), line)


def other_law(line):
    """The equation of the source with another amplitude."""
    return line.replace('= sin', '= 2*sin')


def other_part(line):
    """A component of another type, with other equations."""
    return line.replace('(Resistor)', '(Conductor)').replace('R=', 'G=')


def measure(program, report, case, text, changes):
    """`changes`: what is changed, which lines it may be, how."""
    text = text.splitlines(keepends=True)
    case = '%s of %d lines' % (case, len(text))
    with tempfile.TemporaryDirectory() as folder:
        os.environ['CUTSET_CACHE'] = os.path.join(folder, 'cache')  # as for every user
        path = os.path.join(folder, 'edited.dym')
        # the integrator is left to the program; no model of this size should need a dense matrix. Without --max-step a run takes 300 steps
        # at least, however short it is.
        command = [program, 'simulate', path, '--quiet', '--stop', '1e-6', '--max-step', '1e-6', '--points', '2', '--states', '-o',
                   os.path.join(folder, 'r.mat')]

        def write(lines):
            with open(path, 'w') as out:
                out.writelines(lines)

        write(text)
        first = Run(command)
        if not first.good:
            os.environ['CUTSET_CACHE'] = 'off'
            report('edit', case, None, 's', 0.3, note=first.why())
            return
        again, changed = [], {what: [] for what, _, _ in changes}
        for k in range(5):
            again.append(Run(command).elapsed)
            for what, is_place, change in changes:
                places = [i for i, line in enumerate(text) if is_place(line)]
                place = places[(2 * k + 1) * len(places) // 10]
                new = list(text)
                new[place] = change(new[place])
                assert new[place] != text[place]
                write(new)
                run = Run(command)
                assert run.good, run.why()
                changed[what].append(run.elapsed)
                write(text)
                Run(command)
        os.environ['CUTSET_CACHE'] = 'off'
        report('edit', case + ', first run', first.elapsed, 's', None)
        report('edit', case + ', unchanged', median(again), 's', None)
        for what, times in changed.items():
            report('edit', case + ', ' + what, median(times), 's', 0.3)


def run(program, report, quick=False):
    lines = 4000 if quick else 20000
    measure(program, report, 'listing', models.listing(lines),
            [('another equation', lambda line: line.startswith('  der('), other_equation),
             ('another initial value', lambda line: '(0) = 0' in line, other_start)])
    is_resistor = lambda line: '(R=' in line and ' t' in line
    measure(program, report, 'network', models.network(round(lines / 4.4)),
            [('another equation', lambda line: 'source.V = ' in line, other_law), ('another part', is_resistor, other_part),
             ('another value', is_resistor, other_value)])
