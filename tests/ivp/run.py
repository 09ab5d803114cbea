#!/usr/bin/env python3
"""Runs the initial value problems of this folder: `run.py [--program P] [--long] [--solver S] [name…]`.

Each problem is a model NAME.dym and its values at the end NAME.json (`[value, typical size]`). They come from the Test Set for
Initial Value Problem Solvers (Mazzia and Magherini, Bari 2008), to at least ten digits. At relative tolerance T

  error        of every variable, relative to its value or its typical size, is at most 100 T;
  constraints  the given ones and their derivatives hold to 10 T of their size at all output points;
  work         the number of evaluations of the right-hand side grows with accuracy (--long).

The short form runs T = 1e-6 and wants all of it; --long runs T = 1e-4, 1e-6, 1e-8 and lets the error be larger in 5 % of the
runs."""
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
POINTS = 201


def andrews(v):
    rr, d, ss, e, zt, zf, u, xa, ya, xb, yb = 7e-3, 28e-3, 35e-3, 2e-2, 4e-2, 2e-2, 4e-2, -.06934, -.00227, -.03635, .03273
    sin, cos = math.sin, math.cos
    be, bt, ga, de, pd, ep, oe = v['be'], v['be'] + v['th'], v['ga'], v['de'], v['ph'] + v['de'], v['ep'], v['om'] + v['ep']
    vbe, vbt, vga, vde, vpd, vep, voe = (v['vbe'], v['vbe'] + v['vth'], v['vga'], v['vde'], v['vph'] + v['vde'], v['vep'],
                                         v['vom'] + v['vep'])
    x, y = rr*cos(be) - d*cos(bt), rr*sin(be) - d*sin(bt)
    vx, vy = -rr*sin(be)*vbe + d*sin(bt)*vbt, rr*cos(be)*vbe - d*cos(bt)*vbt
    size, speed = d, d*1000
    yield 'spring body', x - ss*sin(ga) - xb, size
    yield 'spring body', y + ss*cos(ga) - yb, size
    yield 'first arm', x - e*sin(pd) - zt*cos(de) - xa, size
    yield 'first arm', y + e*cos(pd) - zt*sin(de) - ya, size
    yield 'second arm', x - zf*cos(oe) - u*sin(ep) - xa, size
    yield 'second arm', y - zf*sin(oe) + u*cos(ep) - ya, size
    yield 'spring body, differentiated', vx - ss*cos(ga)*vga, speed
    yield 'spring body, differentiated', vy - ss*sin(ga)*vga, speed
    yield 'first arm, differentiated', vx - e*cos(pd)*vpd + zt*sin(de)*vde, speed
    yield 'first arm, differentiated', vy - e*sin(pd)*vpd - zt*cos(de)*vde, speed
    yield 'second arm, differentiated', vx + zf*sin(oe)*voe - u*cos(ep)*vep, speed
    yield 'second arm, differentiated', vy - zf*cos(oe)*voe - u*sin(ep)*vep, speed


def car_axis(v):
    yb = 0.1*math.sin(10*v['time'])
    xb = math.sqrt(1 - yb*yb)
    ybp = 0.1*10*math.cos(10*v['time'])
    xbp = -yb*ybp/xb
    dx, dy = v['xl'] - v['xr'], v['yl'] - v['yr']
    yield 'wheel', v['xl']*xb + v['yl']*yb, 1
    yield 'wheel, differentiated', v['xlp']*xb + v['xl']*xbp + v['ylp']*yb + v['yl']*ybp, 1
    yield 'rod', dx*dx + dy*dy - 1, 1
    yield 'rod, differentiated', 2*dx*(v['xlp'] - v['xrp']) + 2*dy*(v['ylp'] - v['yrp']), 1


def chemical_akzo(v):
    yield 'equilibrium', 115.83*v['y1']*v['y4'] - v['y6'], 0.36


def fekete(v):
    for i in range(1, 21):
        p, q = ([v['P[%d].%s[%d]' % (i, name, k)] for k in (1, 2, 3)] for name in 'pq')
        yield 'sphere', sum(x*x for x in p) - 1, 1
        yield 'tangent', 2*sum(x*y for x, y in zip(p, q)), 1


def slider_crank(v):
    L1, omega, L = 0.15, 150, 0.3 + v['q4']
    s1, c1, s2, c2 = math.sin(v['phi1']), math.cos(v['phi1']), math.sin(v['phi2']), math.cos(v['phi2'])
    v1, v2, w, a1, a2, a4 = v['vphi1'], v['vphi2'], v['vq4'], v['aphi1'], v['aphi2'], v['aq4']
    speed, acceleration = L1*omega, L1*omega**2
    yield 'height', L1*c1*v1 + L*c2*v2 + s2*w, speed
    yield 'slider', L1*s1*v1 + L*s2*v2 + v['vx3'] - c2*w, speed
    yield 'drive', v1 - omega, omega
    yield 'height, differentiated', (L1*(c1*a1 - s1*v1*v1) + L*(c2*a2 - s2*v2*v2) + 2*w*c2*v2 + s2*a4), acceleration
    yield 'slider, differentiated', (L1*(s1*a1 + c1*v1*v1) + L*(s2*a2 + c2*v2*v2) + 2*w*s2*v2 + v['ax3'] - c2*a4), acceleration
    yield 'drive, differentiated', a1, omega**2


def transistor_amplifier(v):
    # the sums of the pairs of equations in which the capacitors cancel
    ue = 0.1*math.sin(200*math.pi*v['time'])
    g1, g2 = (1e-6*(math.exp((v[a] - v[b])/0.026) - 1) for a, b in (('y2', 'y3'), ('y5', 'y6')))
    yield 'input', (v['y1'] - ue)/1000 + (2*v['y2'] - 6)/9000 + 0.01*g1, 1e-3
    yield 'middle', (v['y4'] - 6)/9000 + 0.99*g1 + (2*v['y5'] - 6)/9000 + 0.01*g2, 1e-3
    yield 'output', (v['y7'] - 6)/9000 + 0.99*g2 + v['y8']/9000, 1e-3


CONSTRAINTS = {f.__name__: f for f in (andrews, car_axis, chemical_akzo, fekete, slider_crank, transistor_amplifier)}


def solve(program, name, tolerance, solver, target):
    """The values at the end, the rows, the evaluations; or a text that says why not."""
    stop = json.loads((FOLDER / (name + '.json')).read_text())['stop']
    command = [program, 'simulate', str(FOLDER / (name + '.dym')), '--stop', repr(stop), '--points', str(POINTS),
               '--tolerance', repr(tolerance), '-o', target, '--json']
    if solver:
        command += ['--solver', solver]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    except subprocess.TimeoutExpired:
        return 'not finished after 300 s'
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return 'no report: ' + done.stderr.decode('utf-8', 'replace')[-300:]
    if done.returncode != 0 or report.get('outcome') != 'finished':
        errors = report.get('errors') or ['outcome ' + str(report.get('outcome'))]
        return errors[0].get('message', '') if isinstance(errors[0], dict) else str(errors[0])
    with open(target, newline='') as file:
        rows = [{k: float(x) for k, x in row.items() if x not in ('', None)} for row in csv.DictReader(file)]
    return rows, report['evaluations']


def judge(name, rows):
    """(largest relative error at the end, its variable, largest relative violation of a constraint, its name)"""
    values = json.loads((FOLDER / (name + '.json')).read_text())['values']
    error, variable = max((abs(rows[-1][v] - value)/max(abs(value), typical), v) for v, (value, typical) in values.items())
    violation, constraint = 0.0, ''
    if name in CONSTRAINTS:
        violation, constraint = max((abs(residual)/size, what) for row in rows for what, residual, size in CONSTRAINTS[name](row))
    return error, variable, violation, constraint


def main(argv):
    program, solver, tolerances, names = FOLDER.parent.parent / 'build/test/cutset', None, [1e-6], []
    arguments = iter(argv)
    for argument in arguments:
        if argument == '--program':
            program = pathlib.Path(next(arguments)).resolve()
        elif argument == '--solver':
            solver = next(arguments)
        elif argument == '--long':
            tolerances = [1e-4, 1e-6, 1e-8]
        elif argument in ('-h', '--help'):
            print(__doc__)
            return 0
        else:
            names.append(argument)
    problems = [p.stem for p in sorted(FOLDER.glob('*.dym')) if not names or p.stem in names]
    runs = inaccurate = failures = 0
    print('%-22s %9s %9s  %-14s %9s  %-26s %11s' % ('problem', 'tolerance', 'error/T', 'of', 'constr./T', 'of', 'evaluations'))
    with tempfile.TemporaryDirectory() as folder:
        for name in problems:
            work = []
            for tolerance in tolerances:
                runs += 1
                found = solve(str(program), name, tolerance, solver, os.path.join(folder, 'out.csv'))
                if isinstance(found, str):
                    failures += 1
                    print('%-22s %9g FAILED: %s' % (name, tolerance, found), flush=True)
                    continue
                error, variable, violation, constraint = judge(name, found[0])
                remarks = []
                if not error <= 100*tolerance:
                    inaccurate += 1
                    remarks.append('inaccurate')
                if not violation <= 10*tolerance:
                    failures += 1
                    remarks.append('CONSTRAINT VIOLATED')
                if work and found[1] <= work[-1]:
                    failures += 1
                    remarks.append('NO MORE WORK THAN BEFORE')
                work.append(found[1])
                print('%-22s %9g %9.3g  %-14s %9s  %-26s %11d  %s' % (
                    name, tolerance, error/tolerance, variable, '%.2g' % (violation/tolerance) if constraint else '', constraint,
                    found[1], ', '.join(remarks)), flush=True)
    allowed = runs//20 if len(tolerances) > 1 else 0
    print('%d runs, %d inaccurate (%d allowed), %d other failures' % (runs, inaccurate, allowed, failures))
    return 1 if failures or inaccurate > allowed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
