#!/usr/bin/env python3
"""tables.py FILE.json…: puts the figures that `./bench --json FILE.json` wrote into the tables of README.md. Tables of groups that no
file holds stay as they are."""
import json
import math
import pathlib
import re
import sys

README = pathlib.Path(__file__).resolve().parent / 'README.md'


def number(value, unit=''):
    if value is None:
        return '—'
    text = '%.0f' % value if abs(value) >= 100 else '%.3g' % value
    return text + (' ' + unit if unit else '')


def mark(row):
    """The value, bold where it misses its goal."""
    text = number(row['value'], row['unit'])
    return '**%s**' % text if row['meets'] is False else text


def simulate(rows):
    cases = {}
    for row in rows:
        case, what = row['case'].rsplit(', ', 1)
        cases.setdefault(case, {})[what] = row
    lines = ['| case | over C | steps over those of C | difference at the end [tolerances] |', '|---|---|---|---|']
    for case, found in cases.items():
        ratio = found['over C']
        note = ' (%s)' % ratio['note'] if ratio.get('note') else ''
        other = [number(found[w]['value']) if w in found else '—' for w in ('steps over those of C', 'difference at the end')]
        lines.append('| %s | %s%s | %s | %s |' % (case, mark(ratio), note, *other))
    return lines


def times(rows):
    lines = ['| | value | goal |', '|---|---|---|']
    for row in rows:
        goal = '' if row['goal'] is None else number(row['goal'], row['unit'])
        note = ' (%s)' % row['note'] if row.get('note') else ''
        lines.append('| %s: %s | %s%s | %s |' % (row['group'], row['case'], mark(row), note, goal))
    return lines


def growth(rows):
    shapes, table = [], {}
    for row in rows:
        shape, *rest, what = row['case'].split(', ')
        if shape not in shapes:
            shapes.append(shape)
        line = re.sub(r'\d+', lambda m: '10%s' % '⁰¹²³⁴⁵⁶⁷'[round(math.log10(int(m[0])))], ', '.join(rest)) if rest else what
        table.setdefault(line, {}).setdefault(shape, []).append(mark(row))
    lines = ['| | ' + ' | '.join(shapes) + ' |', '|---' * (len(shapes) + 1) + '|']
    for line, found in table.items():
        lines.append('| %s | %s |' % (line, ' | '.join(', '.join(found.get(s, ['—'])) for s in shapes)))
    return lines


def main(files):
    rows = [row for file in files for row in json.loads(pathlib.Path(file).read_text())]
    text = README.read_text()
    for name, make, groups in (('simulate', simulate, ['simulate']), ('times', times, ['text_to_curve', 'edit', 'sweep']),
                               ('growth', growth, ['growth'])):
        chosen = [r for r in rows if r['group'] in groups]
        if chosen:
            text = re.sub('(<!-- begin %s -->\n).*?(<!-- end %s -->)' % (name, name),
                          lambda m: m[1] + '\n'.join(make(chosen)) + '\n' + m[2], text, flags=re.S)
    README.write_text(text)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
