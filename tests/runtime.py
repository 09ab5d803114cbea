#!/usr/bin/env python3
"""The run-time systems of translated programs (src/export/runtime): every file compiles with all warnings, and the program
around the example model gives its closed-form solution. Fortran is left out where there is no compiler."""
import csv
import io
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent / 'src/export/runtime'
C = ['gcc', '-std=c11', '-O2', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wstrict-prototypes',
     '-Wmissing-prototypes', '-Wwrite-strings', '-Wcast-qual', '-Wundef', '-Wvla', '-Wdouble-promotion', '-Werror']
# A part alone does not use all that it has.
PART = ['-Wno-unused-function', '-Wno-unused-variable', '-fsyntax-only', '-x', 'c']
FORTRAN = ['gfortran', '-std=f2018', '-O2', '-Wall', '-Wextra', '-Wconversion', '-Werror']


def call(arguments, folder):
    done = subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=dict(os.environ, LC_ALL='C.UTF-8'))
    return done.stdout if done.returncode == 0 else None, done.stderr


def check_results(text):
    """x = exp(-t), z**3 + z = x, y = 2 x, d = x(t - 0.1), n counts x < 0.5."""
    problems = []
    for row in csv.DictReader(io.StringIO(text)):
        t, x, z, y, d, n = (float(row[name]) for name in ('time', 'x', 'z', 'y', 'd', 'n'))
        expected = {'x': (x, math.exp(-t)), 'z': (z**3 + z, x), 'y': (y, 2 * x), 'd': (d, math.exp(-max(t - 0.1, 0)))}
        if abs(t - math.log(2)) > 1e-6:
            expected['n'] = (n, float(t > math.log(2)))
        problems += [f'at {t}: {name} gives {found}, not {right}' for name, (found, right) in expected.items()
                     if abs(found - right) > 1e-7]
    return problems if text.count('\n') > 10 else problems + ['too few rows:\n' + text]


def check_program(command, source, folder):
    _, warnings = call([*command, str(source), '-o', 'example', '-lm'], folder)
    if warnings:
        return [warnings]
    problems = []
    for solver in ('auto', 'dopri', 'rodas'):
        text, errors = call(['./example', '--solver', solver], folder)
        problems += [f'{source.name} with {solver}: {p}' for p in ([errors] if text is None else check_results(text))]
    return problems


def main():
    problems = []
    with tempfile.TemporaryDirectory(prefix='cutset-runtime-') as folder:
        parts = sorted((ROOT / 'c').glob('*.[ch]'))
        for part in parts:
            _, warnings = call([*C, *PART, str(part)], folder)
            problems += [warnings] if warnings else []
        problems += check_program(C, ROOT / 'c/program.c', folder)
        if shutil.which(FORTRAN[0]):
            problems += check_program(FORTRAN, ROOT / 'fortran/example.f90', folder)
    print('\n'.join(problems + [f'{len(parts)} files of the C run-time system and the examples: {len(problems)} problems']))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
