"""Group `workprecision`: accuracy against work for each integrator on the initial value problems of tests/ivp. Measured is `cutset simulate`
at relative tolerances 1e-3, 1e-5, 1e-7 and 1e-9 with two output points: the largest error at the end (relative to the value or the typical size of
the variable), processor time, evaluations of the right-hand side and steps. A run that fails or takes more than ten seconds is left out.

By itself, `workprecision.py --program P [--solver S,S] [--markdown] [problem…]` prints one table per problem."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent.parent / 'tests/ivp'
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9)
SOLVERS = ('bdf', 'cvode', 'adams', 'ida', 'dopri', 'radau', 'auto')
LIMIT = 10


def solvers_of(program):
    """Those of SOLVERS that the program has."""
    text = subprocess.run([program, 'simulate', '--help'], stdout=subprocess.PIPE).stdout.decode()
    return [s for s in SOLVERS if ' %s (' % s in text]


def measure(program, problem, solver, tolerance):
    """(error, seconds, evaluations, steps), or None when the run fails."""
    data = json.loads((FOLDER / (problem + '.json')).read_text())
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, 'out.csv')
        command = [program, 'simulate', str(FOLDER / (problem + '.dym')), '--stop', repr(data['stop']), '--points', '2', '--tolerance',
                   repr(tolerance), '--solver', solver, '-o', target, '--json']
        with open(os.path.join(folder, 'report'), 'w+') as out:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
            deadline = time.monotonic() + LIMIT
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() > deadline:
                    process.kill()
                    os.wait4(process.pid, 0)
                    return None
                time.sleep(0.005)
            if status != 0:
                return None
            out.seek(0)
            report = json.load(out)
        with open(target) as file:
            lines = file.read().splitlines()
        row = dict(zip(lines[0].split(','), lines[-1].split(',')))
        error = max(abs(float(row[v]) - value)/max(abs(value), typical) for v, (value, typical) in data['values'].items())
        return error, usage.ru_utime + usage.ru_stime, report['evaluations'], report['steps']


def problems():
    return [p.stem for p in sorted(FOLDER.glob('*.dym'))]


def run(program, report, quick=False):
    for problem in problems():
        for solver in solvers_of(program):
            for tolerance in TOLERANCES:
                found = measure(program, problem, solver, tolerance)
                if found:
                    case = '%s, %s, %g' % (problem, solver, tolerance)
                    report('workprecision', case + ', error', found[0], '', None)
                    report('workprecision', case + ', time', found[1], 's', None)
                    report('workprecision', case + ', evaluations', found[2], '', None)


def main(argv):
    program, chosen, markdown, names = None, None, False, []
    arguments = iter(argv)
    for argument in arguments:
        if argument == '--program':
            program = str(pathlib.Path(next(arguments)).resolve())
        elif argument == '--solver':
            chosen = next(arguments).split(',')
        elif argument == '--markdown':
            markdown = True
        else:
            names.append(argument)
    if not program:
        print(__doc__)
        return 2
    solvers = chosen or solvers_of(program)
    for problem in names or problems():
        if markdown:
            print('\n| %s: error / seconds / evaluations | ' % problem + ' | '.join(solvers) + ' |\n|---' + '|---' * len(solvers) + '|')
        else:
            print('\n%-22s' % problem + ''.join('%-28s' % s for s in solvers))
        for tolerance in TOLERANCES:
            cells = []
            for solver in solvers:
                found = measure(program, problem, solver, tolerance)
                cells.append('%.1e / %.2f / %d' % found[:3] if found else '—')
            print('| %g | ' % tolerance + ' | '.join(cells) + ' |' if markdown else
                  '%-22g' % tolerance + ''.join('%-28s' % c for c in cells), flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
