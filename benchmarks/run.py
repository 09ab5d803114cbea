#!/usr/bin/env python3
"""./bench [GROUP…] [--json FILE] [--quick] [--case NAME…]: measures Cutset and prints a table.
  --json FILE   also writes the rows: a list of objects group, case, value, unit, goal, meets
  --quick       smaller sizes, fewer repetitions
  --case NAME   of the group simulate only this case (may be given several times)
Groups: simulate, hybrid, text_to_curve, growth, edit, sweep, chains, linearize, gradient, bode, session, shell, writing, studio, workprecision. Without a group all but workprecision are run."""
import importlib
import json
import os
import pathlib
import sys

GROUPS = ['simulate', 'hybrid', 'text_to_curve', 'growth', 'edit', 'sweep', 'chains', 'linearize', 'gradient', 'bode', 'session', 'shell', 'writing', 'studio', 'workprecision']


def main(argv):
    program, target, groups, quick, only = None, None, [], False, []
    arguments = iter(argv)
    for argument in arguments:
        if argument == '--program':
            program = str(pathlib.Path(next(arguments)).resolve())
        elif argument == '--json':
            target = next(arguments, None)
        elif argument == '--quick':
            quick = True
        elif argument == '--case':
            only.append(next(arguments, None))
        elif argument in ('-h', '--help'):
            print(__doc__)
            return 0
        elif argument in GROUPS:
            groups.append(argument)
        else:
            print('bench: there is no group %s; groups are %s' % (argument, ', '.join(GROUPS)))
            return 2
    os.environ['CUTSET_CACHE'] = 'off'  # a figure is that of a first start, unless its group says otherwise
    rows = []

    def save():
        # after each row, so that an interrupted run keeps what it measured
        if target:
            pathlib.Path(target).write_text(json.dumps(rows, indent=1) + '\n')

    def report(group, case, value, unit, goal, at_least=False, note='', skipped=''):
        """One figure. value None: no result, for the reason in `note`, or not measured, for that in `skipped`. The goal is a limit from
        above unless at_least."""
        note = 'skipped: ' + skipped if skipped else note
        meets = None if goal is None or skipped else value is not None and (value >= goal if at_least else value <= goal)
        rows.append({'group': group, 'case': case, 'value': value, 'unit': unit, 'goal': goal, 'meets': meets})
        if note:
            rows[-1]['note'] = note
        print('%-13s %-42s %10s %-10s %-22s %s' % (
            group, case, '—' if value is None else '%.4g' % value, unit,
            '' if goal is None else 'goal %s%g: %s' % ('≥ ' if at_least else '', goal, 'not measured' if skipped else 'met' if meets else 'NOT MET'), note), flush=True)
        save()

    for group in groups or [g for g in GROUPS if g != 'workprecision']:
        keywords = {'only': only} if group == 'simulate' and only else {}
        importlib.import_module(group).run(program, report, quick=quick, **keywords)
    save()
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
