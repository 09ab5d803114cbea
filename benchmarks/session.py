"""Group `session`: SIMU after a change of a parameter, in a session whose model has run before: time on the wall from the line to the last row of the
run, its curve drawn as text. Scripts with one and with many such pairs of lines are run alternately; the figure is the difference of
the medians over the number of further pairs, so that the start of the program and the translation are taken out."""
import os
import shutil
import tempfile

from measure import Run, median

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(program, report, quick=False):
    further = 20 if quick else 100
    cases = [
        ('SIMU of the servo, continuous', 'examples/simnon', 'SYST MOTOR CPID DPID SERVO', 'PLOT UP Y[MOTOR] YR', 'G[CPID]', '0 2.5'),
        ('SIMU of the sampled servo', 'examples', 'SYST sampled_servo.dym', 'PLOT M2.y', 'SampledPD.G', '0 2.5'),
        ('SIMU of the boiler', 'examples', 'SYST boiler.dym', '', '', '0 500'),
    ]
    for name, folder, system, plot, parameter, interval in cases:
        with tempfile.TemporaryDirectory() as work:
            for file in os.listdir(os.path.join(ROOT, folder)):
                source = os.path.join(ROOT, folder, file)
                if os.path.isfile(source):
                    shutil.copy(source, work)

            def script(pairs):
                lines = [system] + ([plot] if plot else [])
                for k in range(pairs):
                    if parameter:
                        lines.append('PAR %s: %g' % (parameter, 3 + 0.01 * k))
                    lines.append('SIMU ' + interval)
                path = os.path.join(work, 'script_%d.txt' % pairs)
                with open(path, 'w') as out:
                    out.write('\n'.join(lines) + '\n')
                return [program, 'shell', path]

            few, many = [], []
            for _ in range(3 if quick else 5):
                one = Run(script(1), folder=work)
                all_ = Run(script(1 + further), folder=work)
                if not (one.good and all_.good):
                    break
                few.append(one.elapsed)
                many.append(all_.elapsed)
            if not few:
                report('session', name, None, 'ms', 30, note=(one if not one.good else all_).why())
                continue
            report('session', name, 1e3 * (median(many) - median(few)) / further, 'ms', 30 if 'servo' in name else None)
