"""Group `linearize`: A, B, C and D of a rod of 10 000 cells with one input, after translation (the program says how long each took);
medians of three."""
import json
import os
import subprocess
import tempfile

import models
from measure import median


def run(program, report, quick=False):
    cells = 1000 if quick else 10000
    text = models.heat(cells).replace('model heat', 'model heat\n  input u').replace('1 + sin(10*time)', 'u')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'rod.dym')
        with open(path, 'w') as out:
            out.write(text)
        seconds = []
        for _ in range(3):
            done = subprocess.run([program, 'linearize', path, '--at', 'start', '--input', 'u=1', '--json'], capture_output=True, timeout=300)
            seconds.append(json.loads(done.stdout)['seconds'])
    case = 'rod of %d states' % cells
    report('linearize', case, median([s['linearize'] for s in seconds]), 's', 1)
    report('linearize', case + ', translation', median([s['translate'] for s in seconds]), 's', None)
