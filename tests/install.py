#!/usr/bin/env python3
"""The installed program works where it was not installed: cmake --install, the whole prefix moved, models run from another directory
with the installed libraries and modules; the manual page and the completions of bash, zsh and fish say what the program has.

    tests/install.py --build build/test
"""
import argparse
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    pass


def run(words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise Failed(f'{" ".join(map(str, words))} exits with {done.returncode}:\n{done.stdout}{done.stderr}')
    return done.stdout


class Installed:
    """A prefix that was moved after the installation, and a directory to work in."""

    def __init__(self, build, folder):
        first = folder / 'first'
        run(['cmake', '--install', build, '--prefix', first])
        self.prefix = folder / 'moved' / 'cutset'
        self.prefix.parent.mkdir()
        shutil.move(first, self.prefix)
        self.work = folder / 'work'
        self.work.mkdir()
        self.environment = {k: v for k, v in os.environ.items() if k != 'CUTSET_PATH'}
        self.environment['CUTSET_CACHE'] = str(folder / 'cache')
        self.environment['PATH'] = f'{self.prefix / "bin"}:{os.environ["PATH"]}'

    def cutset(self, *words):
        return run(['cutset', *words], cwd=self.work, env=self.environment)

    def commands(self):
        """The commands of --help."""
        return re.findall(r'^  ([a-z]+) {2,}\S', self.cutset('--help').split('\nOptions:')[1], re.M)

    def bash(self, *words):
        """What bash proposes for the last of these words."""
        script = self.prefix / 'share/bash-completion/completions/cutset'
        ask = f'source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cutset; printf "%s\\n" "${{COMPREPLY[@]}}"'
        out = run(['bash', '-euc', ask, 'bash', 'cutset', *words], cwd=self.work, env=self.environment)
        return sorted(line for line in out.splitlines() if line)


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, words, here):
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(here.work)
            os.execvpe(words[0], words, {**here.environment, 'TERM': 'dumb'})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.file)

    def type(self, text, awaited):
        os.write(self.file, text.encode())
        shown = ''
        while awaited not in shown:
            if not select.select([self.file], [], [], 60)[0]:
                raise Failed(f'after {text!r}: expected {awaited!r}, found {shown!r}')
            shown += os.read(self.file, 65536).decode(errors='replace')


def expect(found, expected, what):
    if found != expected:
        raise Failed(f'{what}: expected {expected!r}, found {found!r}')


def test_version(here):
    """The version is that of CMakeLists.txt."""
    version = re.search(r'project\(cutset VERSION (\S+)', (ROOT / 'CMakeLists.txt').read_text()).group(1)
    expect(here.cutset('--version').strip(), f'cutset {version}', 'cutset --version')


def test_libraries(here):
    """Models that name libraries by path, or not at all, run from another directory, also as machine code."""
    example = here.prefix / 'share/cutset/examples/motor_gear.dym'
    here.cutset('simulate', example, '--quiet', '-o', 'example.csv')
    alone = here.work / 'alone.dym'
    alone.write_text(re.sub(r'^library .*$', '', example.read_text(), flags=re.M))
    here.cutset('simulate', alone, '--quiet', '--engine', 'native', '-o', 'alone.csv')
    expect((here.work / 'alone.csv').read_text(), (here.work / 'example.csv').read_text(), 'the result')


def test_optimizers(here):
    """The module of the optimizers is found."""
    model = here.work / 'parabola.dym'
    model.write_text('model M\n  parameter p=1\n  local x\n  der(x) = (p - 2)**2\nend\n')
    here.cutset('optimize', model, '--minimize', 'x', '--over', 'p=0:5', '--stop', '1')


def test_documents(here):
    """Documentation and licence are there."""
    for name in ['README.md', 'LICENSE', 'docs/tutorial.md']:
        if not (here.prefix / 'share/doc/cutset' / name).exists():
            raise Failed(f'{name} is missing')


def test_man_page(here):
    """The manual page names every command, and groff has nothing to say."""
    page = here.prefix / 'share/man/man1/cutset.1'
    text = page.read_text()
    for command in here.commands():
        if f'.SS cutset {command} ' not in text:
            raise Failed(f'{command} is missing')
    if shutil.which('groff'):
        done = subprocess.run(['groff', '-man', '-Kutf8', '-Tutf8', '-ww', page], capture_output=True, text=True)
        expect(done.stderr, '', 'groff')


def test_bash(here):
    """bash completes commands, options, words and files."""
    expect(here.bash('simul'), ['simulate'], 'a command')
    proposed = here.bash('')
    for command in here.commands():
        if command not in proposed:
            raise Failed(f'{command} is not proposed')
    expect(here.bash('simulate', '--toler'), ['--tolerance'], 'an option')
    expect(here.bash('simulate', '--engine', 'n'), ['native'], 'a word')
    expect(here.bash('simulate', 'tank.dym', '--solver', 'ra'), ['radau'], 'a solver')
    for name in ['tank.dym', 'tank.t', 'tank.csv', 'tank.mat']:
        (here.work / name).touch()
    (here.work / 'tanks').mkdir(exist_ok=True)
    expect(here.bash('check', 'tan'), ['tank.dym', 'tank.t', 'tanks'], 'a model')
    expect(here.bash('plot', 'tan'), ['tank.csv', 'tank.mat', 'tanks'], 'a result')
    expect(here.bash('check', '--set', 'x'), [], 'free text')


def test_zsh(here):
    """zsh completes commands, options and words."""
    if not shutil.which('zsh'):
        return
    script = here.prefix / 'share/zsh/site-functions/_cutset'
    with Terminal(['zsh', '-f', '-i'], here) as zsh:
        zsh.type(f"PROMPT='> '; autoload -U compinit; compinit -u -D; source {script}; echo rea''dy\n", 'ready')
        for line, completed in [('simul', 'simulate '), ('simulate --toler', 'simulate --tolerance '),
                                ('simulate --engine n', 'simulate --engine native ')]:
            zsh.type(f'cutset {line}\t', f'cutset {completed}')
            zsh.type('\x15', '')


def test_fish(here):
    """fish completes commands, options, words and files."""
    if not shutil.which('fish'):
        return
    script = here.prefix / 'share/fish/vendor_completions.d/cutset.fish'
    (here.work / 'fish.dym').touch()
    (here.work / 'fish.csv').touch()

    def fish(line):
        out = run(['fish', '--no-config', '-c', f'source {script}; complete -C "{line}"'], cwd=here.work, env=here.environment)
        return sorted(entry.split('\t')[0] for entry in out.splitlines())

    expect(fish('cutset simul'), ['simulate'], 'a command')
    expect(fish('cutset simulate --toler'), ['--tolerance'], 'an option')
    expect(fish('cutset simulate --engine n'), ['native'], 'a word')
    expect(fish('cutset check fis'), ['fish.dym'], 'a model')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default=ROOT / 'build/test', help='the build that is installed')
    arguments = parser.parse_args()
    tests = [value for name, value in globals().items() if name.startswith('test_')]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            here = Installed(arguments.build, pathlib.Path(folder))
        except Failed as problem:
            print(f'FAILED installation\n{problem}')
            return 1
        for test in tests:
            try:
                test(here)
            except Failed as problem:
                print(f'FAILED {test.__name__}: {test.__doc__}\n{problem}')
                failed += 1
    print(f'{len(tests)} tests of the installed program, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
