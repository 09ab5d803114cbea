"""What comparisons of random models of events share: a model is run by Cutset and as a program in C, and must give between its events
what a small simulation in Python gives, or stop where that one finds a contradiction or no end."""
import argparse
import csv
import io
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Refused(Exception):
    """The run stops: clauses contradict each other, or act without end."""


class Runner:
    """`ending`: of the language; `run`: options of the run; `stopped`: words of the messages that say why it stops."""

    def __init__(self, program, folder, ending, run, stopped):
        self.program, self.folder, self.ending, self.options, self.stopped = program, folder, ending, run, stopped

    def execute(self, command):
        done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, CUTSET_CACHE='off'), timeout=120)
        if done.returncode != 0 and any(words in done.stderr for words in self.stopped):
            raise Refused(done.stderr)
        if done.returncode != 0:
            raise RuntimeError(f'status {done.returncode}: {done.stdout}{done.stderr}')

    def write(self, text):
        path = self.folder / f'm.{self.ending}'
        path.write_text(text)
        return path

    def rows(self):
        rows = list(csv.reader(io.StringIO((self.folder / 'm.csv').read_text())))
        return {float(row[0]): dict(zip(rows[0], map(float, row))) for row in rows[1:]}

    def simulate(self, text, *arguments):
        self.execute([self.program, 'simulate', self.write(text), *self.options, *arguments, '--quiet', '-o', self.folder / 'm.csv'])
        return self.rows()

    def translate(self, text):
        source, binary = self.folder / 'm.c', self.folder / 'm'
        self.execute([self.program, 'translate', self.write(text), '--to', 'c', *self.options, '-o', source])
        self.execute(['cc', '-O0', '-o', binary, source, '-lm'])
        self.execute([binary, '-o', self.folder / 'm.csv'])
        return self.rows()


def expected_of(model):
    try:
        return model.run()
    except Refused as why:
        return why


def difference(expected, run):
    """What a run gives otherwise than expected; None: nothing."""
    try:
        found = run()
    except Refused as why:
        return None if isinstance(expected, Refused) else f'stops: {why}'
    except RuntimeError as problem:
        return str(problem)
    if isinstance(expected, Refused):
        return f'goes on, though: {expected}'
    for time, values in expected.items():
        for name, value in values.items():
            if found[time].get(name, value) != value:
                return f'at {time} {name} = {found[time][name]}, expected {value}'
    return None


def main(doc, model_of, runs_of, count, **runner):
    """`model_of(seed)` with run(); `runs_of(model, runner, translated)`: list of (what, text, function that gives the rows)."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument('--program', default=str(ROOT / 'build/test/cutset'))
    parser.add_argument('--count', type=int, default=count)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--translated', type=int, default=10)
    options = parser.parse_args()
    bad = stopped = 0
    with tempfile.TemporaryDirectory(prefix='cutset-events-') as folder:
        for number in range(options.count):
            model = model_of(options.seed + number)
            expected = expected_of(model)
            stopped += isinstance(expected, Refused)
            runs = runs_of(model, Runner(os.path.abspath(options.program), pathlib.Path(folder), **runner), number < options.translated)
            for what, text, run in runs:
                problem = difference(expected, run)
                if problem:
                    bad += 1
                    print(f'model {options.seed + number}, {what}: {problem}\n{text}')
                    break
    print(f'{options.count} models, {stopped} of which contradict themselves or have no end: {bad} differ')
    return 1 if bad else 0
