"""Group `hybrid`: what an event costs where many conditions hang together. A network of 100 ideal diodes: a ladder of 50 nodes, fed through
resistors by sines of many frequencies, with a diode from ground over a resistor and one to the next node at each; processor time of the run over its events,
and beside it the largest error of Kirchhoff's law. A logic of 10 000 gates behind 20 switches that change one after the other: processor
time of a run in which each is thrown 50 times over the number of throws; the gates are compared with a table computed here."""
import csv
import json
import math
import os
import random
import tempfile

from measure import Run


def diode_ladder(n):
    lines = ['model ladder', '  structure parameter n=%d' % n,
             '  local u[n] E[n] i[n] s[n] j[n+1] r[n]', '  boolean off[n] shut[n]']
    lines += ['  E[%d] = sin(%.6f*time + %.6f)' % (k, 2 + 0.37 * k % 3, 0.9 * k) for k in range(1, n + 1)]
    lines += ['  for k:=1 to n do begin',
              '    off[k] = s[k] < 0',                       # from ground into the node
              '    -u[k] - 0.1*i[k] = if off[k] then s[k] else 0',
              '    i[k] = if off[k] then 0 else s[k]',
              '    shut[k] = r[k] < 0',                      # from the node on to the next one
              '    j[k+1] = if shut[k] then 0 else r[k]',
              '    (E[k] - u[k])/(1 + 0.01*k) - u[k]/5 + i[k] + j[k] - j[k+1] = 0',
              '  end',
              '  for k:=1 to n-1 do u[k] - u[k+1] = if shut[k] then r[k] else 0',
              '  u[n] - 0.5 = if shut[n] then r[n] else 0',
              '  j[1] = 0', 'end', '']
    return '\n'.join(lines)


KINDS = {'and': lambda a, b: a and b, 'or': lambda a, b: a or b}


def random_gates(n, inputs, seed=7):
    """(kind, negated, a, b), a and b numbers of inputs or of gates before it."""
    r = random.Random(seed)
    return [(r.choice(sorted(KINDS)), r.random() < 0.5, *(r.randrange(max(0, k - 300), inputs + k) for _ in range(2))) for k in range(n)]


def gates_text(gates, inputs, period):
    name = lambda k: 'x%d' % k if k < inputs else 'g%d' % (k - inputs)
    order = random.Random(1).sample(range(len(gates)), len(gates))
    lines = ['model logic', '  boolean ' + ' '.join('x%d' % k for k in range(inputs))]
    lines += ['  boolean ' + ' '.join('g%d' % k for k in range(begin, min(begin + 50, len(gates)))) for begin in range(0, len(gates), 50)]
    lines += ['  x%d = mod(time - %.17g, %.17g) >= %.17g' % (k, period * k / inputs, 2 * period, period) for k in range(inputs)]
    for k in order:
        kind, negated, a, b = gates[k]
        value = '%s %s %s' % (name(a), kind, name(b))
        lines.append('  g%d = %s' % (k, 'not (%s)' % value if negated else value))
    return '\n'.join(lines + ['end', ''])


def gates_of(gates, values):
    values = list(values)
    for kind, negated, a, b in gates:
        values.append(KINDS[kind](values[a], values[b]) != negated)
    return values


def run(program, report, quick=False):
    with tempfile.TemporaryDirectory() as folder:
        path, result = os.path.join(folder, 'm.dym'), os.path.join(folder, 'm.csv')
        command = [program, 'simulate', path, '-o', result, '--json', '--points', '11']
        measure_diodes(command, path, result, report, quick)
        measure_gates(command, path, result, report, quick)


def measure(command, path, text):
    """(report of the run, seconds of processor time in it) or why not."""
    with open(path, 'w') as out:
        out.write(text)
    done = Run(command, 300)
    if not done.good:
        return None, done.why()
    found = json.loads(done.output)
    return found, found['profile']['runProcessor']


def measure_diodes(command, path, result, report, quick):
    case = '100 diodes in a network, one event'
    found, seconds = measure(command + ['--stop', '2' if quick else '20'], path, diode_ladder(50))
    if found is None:
        return report('hybrid', case, None, 'ms', 1, note=seconds)
    with open(result) as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    wrong = max(abs((r['E[%d]' % k] - r['u[%d]' % k]) / (1 + 0.01 * k) - r['u[%d]' % k] / 5 + r['i[%d]' % k] + r['j[%d]' % k] - r['j[%d]' % (k + 1)])
                for r in rows for k in range(1, 51))
    events = found['events']
    report('hybrid', case, 1000 * seconds / max(events, 1), 'ms', 1, note='%d events, largest sum of currents %.0e' % (events, wrong))


def measure_gates(command, path, result, report, quick):
    inputs, throws, period = 20, 200 if quick else 1000, 1.0
    gates = random_gates(10000, inputs)
    case = '10000 gates settle'
    stop = period * throws / inputs
    found, seconds = measure(command + ['--stop', repr(stop)], path, gates_text(gates, inputs, period))
    if found is None:
        return report('hybrid', case, None, 'ms', 10, note=seconds)
    wrong = 0
    with open(result) as file:
        for row in csv.DictReader(file):
            given = [float(row['x%d' % k]) > 0.5 for k in range(inputs)]
            values = gates_of(gates, given)
            wrong += sum((float(row['g%d' % k]) > 0.5) != values[inputs + k] for k in range(len(gates)))
    events = found['events']
    report('hybrid', case, 1000 * seconds / max(events, 1), 'ms', 10, note='%d events, %d values differ from the table' % (events, wrong))
