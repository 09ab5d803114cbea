#!/usr/bin/env python3
"""Compares builds of the program: `benchmarks/compare.py [--repeats N] [--case NAME]… PROGRAM PROGRAM…`. Each case is run alternately by
all of them; the figure is the least processor time (user and system), since other load on the machine only adds. For what a part of the
machinery earns: build once with it and once without it; the notes in docs/decisions name the cases.

  check-listing, check-network    `cutset check` of models of 20 000 lines, as in the group `edit`
  check-ladder                    of 90 000 equations, as in `text_to_curve`
  check-large                     the network of 100 000 equations of `growth`
  point-network                   `cutset simulate` of the network to its first computed point
  second-boiler                   examples/boiler.dym with its translation and machine code kept on disk
  edit-network                    the network after the value of one component was changed, with the run before the edit kept on disk"""
import argparse
import os
import pathlib
import shutil
import tempfile

import edit
import models
from measure import Run, median

TO_FIRST_POINT = ['--quiet', '--stop', '1e-6', '--max-step', '1e-6', '--points', '2', '--states']


class Case:
    """A command on a model; with `kept`, after an earlier run of the text `kept`, which may leave something on disk."""

    def __init__(self, command, text, options=(), kept=None):
        self.command, self.text, self.options, self.kept = command, text, list(options), kept

    def run(self, program, folder):
        path, cache = os.path.join(folder, 'model.dym'), os.path.join(folder, 'cache')
        command = [program, self.command, path] + self.options
        if self.command == 'simulate':
            command += ['-o', os.path.join(folder, 'result.mat')]
        os.environ['CUTSET_CACHE'] = 'off'
        if self.kept is not None:
            shutil.rmtree(cache, ignore_errors=True)
            os.environ['CUTSET_CACHE'] = cache
            pathlib.Path(path).write_text(self.kept())
            before = Run(command, 300)
            assert before.good, before.why()
        pathlib.Path(path).write_text(self.text())
        run = Run(command, 300)
        assert run.good, run.why()
        return run


def network():
    return models.network(4545)


def edited_network():
    lines = network().splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if ' t2000(R=' in line)
    lines[place] = edit.other_value(lines[place])
    return ''.join(lines)


def boiler():
    return models.example('boiler')


CASES = {
    'check-listing': Case('check', lambda: models.listing(20000)),
    'check-network': Case('check', network),
    'check-ladder': Case('check', lambda: models.ladder(9000)),
    'check-large': Case('check', lambda: models.network(14700)),
    'point-network': Case('simulate', network, TO_FIRST_POINT),
    'second-boiler': Case('simulate', boiler, ['--quiet', '--stop', '2400', '--step', '10'], kept=boiler),
    'edit-network': Case('simulate', edited_network, TO_FIRST_POINT, kept=network),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('programs', nargs='+')
    parser.add_argument('--case', action='append', choices=sorted(CASES))
    parser.add_argument('--repeats', type=int, default=9)
    arguments = parser.parse_args()
    programs = [os.path.abspath(p) for p in arguments.programs]
    for name in arguments.case or CASES:
        runs = {p: [] for p in programs}
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(arguments.repeats):
                for p in programs:
                    runs[p].append(CASES[name].run(p, folder))
        first = min(r.seconds for r in runs[programs[0]])
        for p in programs:
            least = min(r.seconds for r in runs[p])
            print('%-14s %-40s %.4f s  %+5.1f %%  median %.4f s  %d MiB' %
                  (name, p[-40:], least, 100 * (least / first - 1), median([r.seconds for r in runs[p]]), runs[p][-1].memory >> 20), flush=True)


if __name__ == '__main__':
    main()
