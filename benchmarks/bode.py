"""Group `bode`: `cutset bode` with 1 000 points of a system of 1 000 states, from the file of matrices to the numbers: a full matrix, and a rod
(three elements in a row); medians of three, time on the wall."""
import json
import os
import random
import tempfile

from measure import Run, median


def full(n):
    """Stable, full: random elements of size 1/sqrt(n) around -2."""
    draw = random.Random(1)
    return [[draw.gauss(0, n ** -0.5) - (2 if i == j else 0) for j in range(n)] for i in range(n)]


def rod(n):
    a = [[0] * n for _ in range(n)]
    for i in range(n):
        a[i][i] = -2
        if i:
            a[i][i - 1] = a[i - 1][i] = 1
    return a


def run(program, report, quick=False):
    n = 200 if quick else 1000
    with tempfile.TemporaryDirectory() as folder:
        for name, make in (('full', full), ('rod', rod)):
            path = os.path.join(folder, name + '.json')
            with open(path, 'w') as out:
                json.dump({'A': make(n), 'B': [[1]] + [[0]] * (n - 1), 'C': [[1] + [0] * (n - 1)], 'D': [[0]]}, out)
            runs = [Run([program, 'bode', path, '--from', '1e-3', '--to', '1e2', '--points', '1000', '--no-margins', '--json'], limit=120)
                    for _ in range(3)]
            if any(r.status != 0 for r in runs):
                report('bode', '%s matrix of %d states' % (name, n), None, 's', 2, note=runs[0].errors[:60] or 'failed')
            else:
                report('bode', '%s matrix of %d states' % (name, n), median([r.elapsed for r in runs]), 's', 2)
