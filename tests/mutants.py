#!/usr/bin/env python3
"""Mutated texts: `mutants.py [--program P] [--count N] [--seed S] [--keep FOLDER] [name…]`.

Takes a case of tests/cases or an example, changes a few words of one of its files (models, macros, JSON, tables) or of one of its command
lines, and executes the commands. Whatever the text has become, each must end in time, with exit status 0, 1 or 2; a result file of a
run that succeeded has no cell that is not a number; and where a model is refused, the message says where: file:line. What fails is
left in FOLDER. The same seed gives the same mutants."""
import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tests'))
import run_cases

ENVIRONMENT = dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8', COLUMNS='100', CUTSET_CACHE='off', CUTSET_VERIFY='on', ROOT=str(ROOT))
SECONDS = 20          # --limit-time of commands that have it; twice as much ends all others
BYTES = 6 << 30       # of address space
LONGEST = 30_000      # characters of a text
MODELS = ('.dym', '.t', '.mo', '.om', '.el')
TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|\d+\.?\d*(?:[eE][-+]?\d+)?|<=|>=|<>|:=|\*\*|.", re.S)
NUMBERS = ['0', '-1', '1', '2', '1e-300', '1e300', '1e20', '0.1', '3', '1000', '-0', '1e400']
WORDS = ['', ' ', '(', ')', '[', ']', ',', ';', ':', '=', "'", '"', '-', '*', '/', '**', '.', '{', '}', '\n', 'der(', 'pre(', 'new(', 'if', 'then',
         'else', 'end', 'when', 'model', 'time', 'local', 'parameter', 'submodel', 'cut', 'to', 'sqrt(', 'delay(', '\x00', '\xff', 'null', 'nan']
# Options that make a run long or write elsewhere are not invented.
OPTIONS = ['--set', '--init', '--input', '--known', '--unknown', '--tear', '--solver', '--stop', '--start', '--points', '--tolerance',
           '--initial', '--plot', '--json', '--states', '--engine', '--max-step', '--output-variables', '--vary', '--for', '--with', '--where']
TIMED = ('shell', 'simulate', 'sweep', 'steady', 'design', 'optimize', 'fit', 'bvp', 'sensitivity', 'linearize')
NO_MATTER = re.compile(r'--\w|No such file|cannot be written|limit|"errors"|declares no model|no values were found|no column')
SHELL_ONLY = re.compile(r'[|;&>$`*?]|<<')


class Subject:
    """Files and command lines that belong together."""

    def __init__(self, name, files, commands):
        self.name, self.files, self.commands = name, files, commands


def subjects(names):
    found = []
    for path in sorted((ROOT / 'tests/cases').rglob('*.case')):
        parts = run_cases.split(path.read_text())
        files = {header: '\n'.join(lines) + '\n' for header, lines in parts[1:] if not header.startswith('$ ')}
        commands = [header[2:] for header, _ in parts[1:] if header.startswith('$ cutset ')]
        commands = [c.replace('$ROOT', str(ROOT)) for c in commands]
        commands = [c for c in commands if not SHELL_ONLY.search(c.replace('2>&1', ''))]
        if commands and sum(map(len, files.values())) < LONGEST:
            found.append(Subject(str(path.relative_to(ROOT)), files, commands))
    classes = [*(ROOT / 'examples/omola').glob('*.om'), *(ROOT / 'examples/el').glob('*.el')]
    for path in sorted([*(ROOT / 'examples').glob('*.dym'), *(ROOT / 'examples/simnon').glob('*.t'), *classes]):
        name = path.name
        files = {p.name: p.read_text(errors='replace') for p in (path.parent.glob('*.t') if path.suffix == '.t' else [path])}
        commands = [f'cutset {c} {name}' for c in ('simulate --quiet -o out.csv', 'check', 'steady', 'linearize', 'translate --to c -o out.c')]
        if path in classes:
            commands = [f'cutset {c} {name}' for c in ('simulate --quiet -o out.csv', 'check', 'partition', 'translate --to modelica -o out.mo')]
            commands += [f'cutset experiment {name}' if path.suffix == '.el' else f'cutset translate --to omola {name}']
        if len(files[name]) < LONGEST:
            found.append(Subject(str(path.relative_to(ROOT)), files, commands))
    return [s for s in found if not names or any(n in s.name for n in names)]


def mutated(r, text, others):
    """The text with one to three words changed."""
    tokens = TOKEN.findall(text)
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        solid = [i for i, t in enumerate(tokens) if t.strip()]
        if not solid:
            return r.choice(WORDS)
        i, j = r.choice(solid), r.choice(solid)
        kind = r.randrange(8)
        if kind == 0:
            del tokens[i]
        elif kind == 1:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif kind == 2:
            tokens.insert(i, tokens[j])
        elif kind == 3:
            tokens[i] = r.choice(WORDS)
        elif kind == 4:
            tokens[i] = r.choice(others)
        elif kind == 5:
            numbers = [k for k in solid if tokens[k][0].isdigit()]
            tokens[r.choice(numbers) if numbers else i] = r.choice(NUMBERS)
        elif kind == 6:
            lines = ''.join(tokens).splitlines(keepends=True)
            k = r.randrange(len(lines))
            lines[k:k + 1] = r.choice([[], [lines[k], lines[k]], [lines[r.randrange(len(lines))]]])
            tokens = TOKEN.findall(''.join(lines))
        else:
            tokens[i] = tokens[j]
    if r.random() < 0.02:
        del tokens[r.randrange(len(tokens) + 1):]
    return ''.join(tokens)


def mutated_command(r, words):
    """The words of a command line, one of them changed; the command itself and what it writes stay."""
    words = list(words)
    at = [i for i in range(2, len(words)) if words[i] != '-o' and words[i - 1] != '-o' and words[i] != '<' and words[i - 1] != '<']
    if not at or r.random() < 0.3:
        return words + [r.choice(OPTIONS), r.choice(NUMBERS + ['x', 'x=1', 'x=time', 'y=x', '', ',', '*', 'bdf', 'steady', 'radau'])]
    i = r.choice(at)
    words[i] = mutated(r, words[i], NUMBERS + WORDS).replace('\x00', '') if r.random() < 0.8 else r.choice(OPTIONS)
    return words


class Mutant:
    """A subject with one thing changed: a file, or the command line (`changed` is None then)."""

    def __init__(self, seed, all_subjects):
        r = random.Random(seed)
        subject = r.choice(all_subjects)
        self.seed, self.name, self.files = seed, subject.name, dict(subject.files)
        self.given = subject.files
        first = r.randrange(len(subject.commands))
        self.commands = [shlex.split(c.replace('2>&1', '')) for c in subject.commands]
        self.changed = None
        if self.files and r.random() < 0.8:
            self.changed = r.choice(sorted(self.files))
            others = TOKEN.findall(r.choice(all_subjects[r.randrange(len(all_subjects))].commands)) + NUMBERS
            self.files[self.changed] = mutated(r, self.files[self.changed], others)
            self.commands = self.commands[first:first + 2]
        else:
            self.commands = [mutated_command(r, self.commands[first])]

    def write(self, folder, files):
        for name, text in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode('utf-8', 'replace') if '\xff' not in text else text.encode('latin-1', 'replace'))


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, words, folder):
    """(exit status or None, what it said)"""
    words, given = list(words), subprocess.DEVNULL
    if '<' in words[:-1]:
        at = words.index('<')
        path = folder / words[at + 1]
        if path.exists():
            given = open(path, 'rb')
        del words[at:at + 2]
    if words[1] in TIMED and '--limit-time' not in words:
        words += ['--limit-time', str(SECONDS)]
    try:
        done = subprocess.run([program, *words[1:]], cwd=folder, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT,
                              timeout=2 * SECONDS, preexec_fn=limited)
        return done.returncode, done.stdout.decode('utf-8', 'replace')
    except subprocess.TimeoutExpired:
        return None, ''
    except ValueError:  # a zero byte in a word
        return 2, ''
    finally:
        if given != subprocess.DEVNULL:
            given.close()


def not_a_number(folder, before):
    """The first cell of a new result that is not a number, or None."""
    for path in sorted(folder.rglob('*.csv')):
        if path in before:
            continue
        with open(path, newline='', errors='replace') as file:
            rows = csv.reader(file)
            names = next(rows, [])
            for number, row in enumerate(rows, 2):
                for name, cell in zip(names, row):
                    if cell.strip().lower().lstrip('-') in ('nan', 'inf'):
                        return f'{path.name}:{number}: {name} = {cell}'
    return None


def says_where(said):
    return re.search(r'[\w./-]+\.(?:dym|t|mo|om|el|mac|json|csv)["\')]?(?:, line |:)\d+', said) or re.search(r'\bline \d+\b', said)


def judge(mutant, words, status, said, folder, before):
    """What is wrong with the end of a command; None if nothing is."""
    if status is None:
        return 'no end'
    if status not in (0, 1, 2):
        return f'exit status {status}'
    if status == 0 and words[1] in ('simulate', 'sweep'):
        cell = not_a_number(folder, before)
        if cell:
            return f'not a number: {cell}'
    # Options, files and limits are no matter of a place in the model.
    if status == 1 and mutant.changed in words and mutant.changed.endswith(MODELS) and not says_where(said) and not NO_MATTER.search(said):
        return 'no place in: ' + (said.strip().splitlines() or ['nothing'])[0]
    return None


def as_given(program, mutant, words):
    """(exit status, seconds) of the command with the files as they were."""
    with tempfile.TemporaryDirectory(prefix='cutset-mutant-') as name:
        mutant.write(pathlib.Path(name), mutant.given)
        began = time.monotonic()
        status, _ = run(program, words, pathlib.Path(name))
        return status, time.monotonic() - began


def is_of_the_mutant(program, mutant, words, problem):
    """What takes long, or is refused without a place in a model, whatever the file says, is no finding."""
    if not problem.startswith(('no end', 'no place')):
        return True
    status, seconds = as_given(program, mutant, words)
    return seconds < SECONDS / 4 if problem == 'no end' else status == 0


def check(program, mutant, keep):
    """(exit statuses, [problems])"""
    statuses, problems = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix='cutset-mutant-') as name:
        folder = pathlib.Path(name)
        mutant.write(folder, mutant.files)
        before = set(folder.rglob('*'))
        for words in mutant.commands:
            status, said = run(program, words, folder)
            statuses[status] += 1
            problem = judge(mutant, words, status, said, folder, before)
            if problem and is_of_the_mutant(program, mutant, words, problem):
                problems.append((problem, shlex.join(words), said))
        if problems and keep:
            target = pathlib.Path(keep, str(mutant.seed))
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)
            mutant.write(target, mutant.files)
            (target / 'problem').write_text('\n'.join(f'{p}\n$ {c}\n{s}' for p, c, s in problems))
    return statuses, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', default=str(ROOT / 'build/test/cutset'))
    parser.add_argument('--count', type=int, default=400)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', help='mutants that fail are written here')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    all_subjects = subjects(options.names)
    statuses, kinds = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for mutant, (found, problems) in pool.map(lambda seed: (lambda m: (m, check(program, m, options.keep)))(Mutant(seed, all_subjects)), seeds):
            statuses += found
            for problem, command, said in problems:
                kinds[re.sub(r'[-+]?\d[\d.]*(?:e[-+]?\d+)?', '#', problem)[:100]] += 1
                print(f'seed {mutant.seed}, {mutant.name}, {mutant.changed or "command line"}: {problem}\n  $ {command}')
                print('    ' + '\n    '.join(said.strip().splitlines()[:6]))
    failed = sum(kinds.values())
    print(f'{options.count} mutants of {len(all_subjects)} texts from seed {options.seed}, {sum(statuses.values())} runs: exit status '
          f'{statuses[0]} times 0, {statuses[1]} times 1, {statuses[2]} times 2; {failed} failed')
    for kind, count in kinds.most_common():
        print(f'  {count} {kind}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
