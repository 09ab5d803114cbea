#!/usr/bin/env python3
"""./bench [GROUP…] [--json FILE]: measures Cutset and prints tables. Groups: growth, chains, workprecision."""
import json
import pathlib
import sys

import chains
import growth
import workprecision

GROUPS = {'growth': growth.run, 'chains': chains.run, 'workprecision': workprecision.run}


def main(argv):
    program, target, groups = None, None, []
    arguments = iter(argv)
    for argument in arguments:
        if argument == '--program':
            program = str(pathlib.Path(next(arguments)).resolve())
        elif argument == '--json':
            target = next(arguments, None)
        elif argument in ('-h', '--help'):
            print(__doc__)
            return 0
        elif argument in GROUPS:
            groups.append(argument)
        else:
            print('bench: there is no group %s; groups are %s' % (argument, ', '.join(GROUPS)))
            return 2
    rows = []

    def report(group, case, value, unit, goal):
        meets = None if goal is None else value <= goal
        rows.append({'group': group, 'case': case, 'value': value, 'unit': unit, 'goal': goal, 'meets': meets})
        print('%-8s %-40s %10.4g %-4s %s' % (group, case, value, unit,
                                            '' if goal is None else 'goal %g: %s' % (goal, 'met' if meets else 'NOT MET')),
              flush=True)

    for group in groups or GROUPS:
        GROUPS[group](program, report)
    if target:
        pathlib.Path(target).write_text(json.dumps(rows, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
