#!/usr/bin/env python3
"""Runs the one-file cases in tests/cases: `run_cases.py [--program P] [--update] [name…]`.

A case is a text file `*.case`:

    What it shows, in one or more lines.
    === tank.dym
    model tank … end
    === $ cutset check tank.dym
    the expected output, standard output and standard error together
    [exit 1]

`=== name` starts a file of the case, written into an empty folder; `=== $ command` a command run there by the shell,
with the output expected. `[exit N]` ends the output of a command that fails. In commands and output, $ROOT stands for the
root of the project. An expected line that is just `...` stands for any number of lines. `--update` writes the output
found into the cases; review the difference."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def split(text):
    """[(header or None, [lines])]"""
    parts = [(None, [])]
    for line in text.splitlines():
        if line.startswith('=== '):
            parts.append((line[4:], []))
        else:
            parts[-1][1].append(line)
    return parts


def matches(expected, found):
    """Whether the lines agree; `...` in expected stands for any lines."""
    if not expected:
        return not found
    if expected[0] == '...':
        return any(matches(expected[1:], found[i:]) for i in range(len(found) + 1))
    return bool(found) and expected[0] == found[0] and matches(expected[1:], found[1:])


def run_case(path, program, update):
    parts = split(path.read_text())
    if not ''.join(parts[0][1]).strip():
        return 'the case does not say what it shows'
    commands = [header for header, _ in parts[1:] if header.startswith('$ ')]
    if not commands:
        return 'the case runs nothing'
    problems, renewed = [], [parts[0]]
    folder = tempfile.mkdtemp(prefix='cutset-case-')
    try:
        os.symlink(program, os.path.join(folder, 'cutset'))
        environment = dict(os.environ, ROOT=str(ROOT), PATH=folder + ':' + os.environ['PATH'], LC_ALL='C.UTF-8',
                           COLUMNS='100', NO_COLOR='1', CUTSET_CACHE='off', CUTSET_VERIFY='on')
        environment.pop('CUTSET_PATH', None)
        work = os.path.join(folder, 'work')
        os.mkdir(work)
        for header, lines in parts[1:]:
            if not header.startswith('$ '):
                target = pathlib.Path(work, header)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text('\n'.join(lines) + '\n')
                renewed.append((header, lines))
                continue
            try:
                done = subprocess.run(['bash', '-c', header[2:]], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
                output = done.stdout.decode('utf-8', 'replace').replace(str(ROOT), '$ROOT').replace(work, '$WORK')
                found = output.splitlines()
                if done.returncode != 0:
                    found.append('[exit %d]' % done.returncode)
            except subprocess.TimeoutExpired:
                found = ['[timeout]']
            expected = list(lines)
            while expected and not expected[-1].strip():
                expected.pop()
            while found and not found[-1].strip():
                found.pop()
            if not matches(expected, found):
                problems.append('$ %s\n--- expected\n%s\n--- found\n%s' % (header[2:], '\n'.join(expected), '\n'.join(found)))
                renewed.append((header, found))
            else:
                renewed.append((header, expected))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if problems and update:
        text = '\n'.join(renewed[0][1]) + '\n'
        for header, lines in renewed[1:]:
            text += '=== ' + header + '\n' + ''.join(line + '\n' for line in lines)
        path.write_text(text)
        return None
    return '\n'.join(problems) if problems else None


def main(argv):
    program, update, names = ROOT / 'build/test/cutset', False, []
    arguments = iter(argv)
    for argument in arguments:
        if argument == '--program':
            program = pathlib.Path(next(arguments)).resolve()
        elif argument == '--update':
            update = True
        elif argument in ('-h', '--help'):
            print(__doc__)
            return 0
        else:
            names.append(argument)
    cases = sorted(p for p in (ROOT / 'tests/cases').rglob('*.case')
                   if not names or any(name in str(p.relative_to(ROOT)) for name in names))
    if not cases:
        print('no case matches')
        return 1
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as workers:
        for path, problem in zip(cases, workers.map(lambda p: run_case(p, program, update), cases)):
            if problem:
                failed += 1
                print('FAILED %s\n%s\n' % (path.relative_to(ROOT), problem))
    print('%d cases, %d failed' % (len(cases), failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
