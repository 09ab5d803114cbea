"""Group `sweep`: `cutset sweep` of 1 000 cases of a model of 30 equations, with one job and with two. Two figures: how many times faster two
jobs are, and the processor time of the sweep over the plain sum of the simulation times, which is 1 000 times that of one simulation
without translation: the growth of processor time with the length of one run. Beside the first, what two programs that know nothing of each
other gain, each with one job and half as many cases: more than that the machine does not give."""
import os
import shutil
import tempfile
import threading

import models
import text_to_curve
from measure import Run, median


def run(program, report, quick=False):
    if 'sweep' not in Run([program, '--help']).output:
        report('sweep', 'two jobs over one', None, 'times', 1.9, at_least=True, skipped='this program has no command sweep')
        report('sweep', 'over the sum of simulation times', None, '', 1.2, skipped='this program has no command sweep')
        return
    count = 100 if quick else 1000
    stop, points = '20', '101'
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'circuit.dym')
        with open(path, 'w') as out:
            out.write(text_to_curve.CIRCUIT)

        def sweep(jobs):
            target = os.path.join(folder, 'out')
            shutil.rmtree(target, ignore_errors=True)
            return Run([program, 'sweep', path, '--vary', 'r1.R=1:10:%d' % count, '--jobs', str(jobs), '--stop', stop, '--points', points,
                        '-o', target], 300, folder)

        def halves():
            """Seconds on the wall for two programs at the same time."""
            runs = [None, None]

            def half(k):
                target = os.path.join(folder, 'half%d' % k)
                shutil.rmtree(target, ignore_errors=True)
                runs[k] = Run([program, 'sweep', path, '--vary', 'r1.R=1:10:%d' % (count // 2), '--jobs', '1', '--stop', stop, '--points',
                               points, '-o', target], 300, folder)
            threads = [threading.Thread(target=half, args=(k,)) for k in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return max(run.elapsed for run in runs)

        ones, twos, apart = [], [], []
        for _ in range(1 if quick else 5):
            ones.append(sweep(1))
            twos.append(sweep(2))
            apart.append(halves())
            for one in (ones[-1], twos[-1]):
                if not one.good:
                    report('sweep', 'two jobs over one', None, 'times', 1.9, at_least=True, note=one.why())
                    return
        # one simulation without translation, at five values of the parameter
        singles = []
        for r in (1, 3, 5, 7, 10):
            def simulate(until):
                return median([Run([program, 'simulate', path, '--quiet', '--set', 'r1.R=%d' % r, '--stop', until, '--points', points, '-o',
                                    os.path.join(folder, 's.csv')]).seconds for _ in range(5)])
            singles.append(simulate(stop) - simulate('1e-9'))
        total = count * sum(singles) / len(singles)
        # each beside its neighbours in time: the machine is not equally fast all the time
        gains = [one.elapsed / two.elapsed for one, two in zip(ones, twos)]
        report('sweep', '%d cases, two jobs over one' % count, median(gains), 'times', 1.9, at_least=True,
               note='%.3g to %.3g' % (min(gains), max(gains)))
        report('sweep', '%d cases, two programs over one' % count, median([one.elapsed / two for one, two in zip(ones, apart)]), 'times', None)
        report('sweep', '%d cases, over the sum of simulation times' % count, median([r.seconds for r in ones]) / total, '', 1.2,
               note='sum %.3g s' % total)
