"""Group `simulate`: the processor time that a simulation takes without translation, machine code and start, over that of the same model
written by hand in C (peers/) on the same CVODE with analytic sparse Jacobian. Both measure themselves, from the row of the start to the
last one written and the file closed, setting up the integrator included. Both are given the same tolerances, output points and longest
step, and run alternately; the figure is the median of the ratios of neighbouring runs. Beside it stand the ratio of their steps and the largest difference of their end values in units of the
tolerance: a peer that takes other steps or computes something else is no peer."""
import json
import os
import pathlib
import subprocess
import tempfile

import models
from measure import Run, median, read_end

PEERS = pathlib.Path(__file__).resolve().parent / 'peers'
LIBRARIES = ['-lsundials_cvode', '-lklu', '-lm']
LIMIT = 300  # seconds for one run

# name, model, peer, its size, stop, points, tolerance, absolute tolerance; quick: also with --quick. Where errors add up over the run, in
# the phase of oscillators and of thermostats, the ends may differ by more than 100 tolerances.
LIMITS = {'ring modulator': 1000, '10 000 events': 10000}
CASES = [
    ('ladder 10', lambda: models.ladder(10), 'ladder', 10, 600, 101, 1e-6, 1e-6, True),
    ('ladder 1000', lambda: models.ladder(1000), 'ladder', 1000, 100, 51, 1e-6, 1e-6, True),
    ('ladder 9000', lambda: models.ladder(9000), 'ladder', 9000, 20, 21, 1e-6, 1e-6, False),
    ('heat 100', lambda: models.heat(100), 'heat', 100, 300, 101, 1e-6, 1e-6, True),
    ('heat 1000', lambda: models.heat(1000), 'heat', 1000, 200, 51, 1e-6, 1e-6, True),
    ('heat 10000', lambda: models.heat(10000), 'heat', 10000, 15, 16, 1e-6, 1e-6, False),
    ('heat 100000', lambda: models.heat(100000), 'heat', 100000, 5, 6, 1e-6, 1e-6, False),
    ('inverter', models.inverter, 'inverter', 0, 0.6, 101, 1e-7, 1e-9, True),
    ('ring modulator', models.ring, 'ring', 0, 1e-3, 101, 1e-6, 1e-6, True),
    ('boiler', models.boiler, 'boiler', 0, 1200000, 241, 1e-6, 1e-6, True),
    ('robot arm', models.arm, 'arm', 0, 1200, 601, 1e-8, 1e-8, True),
    ('10 000 events', lambda: models.hybrid(10), 'hybrid', 10, 16.7, 101, 1e-6, 1e-6, True),
]


def build_peer(name, folder):
    target = os.path.join(folder, name)
    if os.path.exists(target):
        return target
    objects = []
    for source in ('peer.c', 'fast_vector.c', name + ('.cc' if (PEERS / (name + '.cc')).exists() else '.c')):
        objects.append(os.path.join(folder, source + '.o'))
        compiler = ['g++', '-std=c++20'] if source.endswith('.cc') else ['gcc', '-fcx-limited-range']
        subprocess.run(compiler + ['-O3' if source == 'fast_vector.c' else '-O2', '-Wall', '-c', str(PEERS / source), '-o', objects[-1]], check=True)
    subprocess.run(['g++', '-o', target] + objects + LIBRARIES, check=True)
    return target


def compare(program, folder, case, repeats):
    """(ratio, ratio of steps, difference at the end in tolerances, seconds of Cutset, of the peer), or a string that says why not."""
    name, model, peer, size, stop, points, tolerance, absolute, _ = case
    path, result, other = (os.path.join(folder, f) for f in ('model.dym', 'result.mat', 'peer.bin'))
    with open(path, 'w') as out:
        out.write(model())
    peer_program = build_peer(peer, folder)

    ours_command = [program, 'simulate', path, '--solver', 'bdf', '--local-tolerance', repr(tolerance), '--absolute', repr(absolute),
                    '--max-step', repr(float(stop)), '--stop', repr(float(stop)), '--points', str(points), '--states', '-o', result, '--json',
                    '--engine', 'native']
    hand_command = [peer_program, repr(float(stop)), str(points), repr(tolerance), repr(absolute), repr(float(stop)), other, str(size)]
    ours, theirs = [], []
    for _ in range(repeats):
        run = Run(ours_command, LIMIT)
        if not run.good:
            return run.why()
        report = json.loads(run.output)
        end = read_end(result)
        by_hand = Run(hand_command, LIMIT)
        if not by_hand.good:
            return 'the peer: ' + by_hand.why()
        account = json.loads(by_hand.output)
        ours.append(report['profile']['runProcessor'])
        theirs.append(account['seconds'])
    difference = 0
    for variable, value in account['end'].items():
        difference = max(difference, abs(end[variable] - value) / max(abs(value), absolute / tolerance) / tolerance)
    ratio = median([a / b for a, b in zip(ours, theirs)])
    return ratio, report['steps'] / account['steps'], difference, median(ours), median(theirs)


def run(program, report, quick=False, only=None):
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            if (quick and not case[-1]) or (only and case[0] not in only):
                continue
            found = compare(program, folder, case, 3 if quick else 9)
            if isinstance(found, str):
                report('simulate', case[0] + ', over C', None, '', 1.1, note=found)
                continue
            ratio, steps, difference, ours, theirs = found
            report('simulate', case[0] + ', over C', ratio, '', 1.1, note='%.4g s, C %.4g s' % (ours, theirs))
            report('simulate', case[0] + ', steps over those of C', steps, '', None)
            report('simulate', case[0] + ', difference at the end', difference, 'tolerances', LIMITS.get(case[0], 100))
