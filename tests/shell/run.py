#!/usr/bin/env python3
"""Drives `cutset shell` through a pseudo-terminal: `run.py --program P [NAME…]` runs all tests, or those whose name
contains a NAME. A test types what a person would type and looks at what the screen says."""
import os
import pathlib
import shutil
import signal
import stat
import sys
import tempfile
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from terminal import Failure, Terminal, rows_of  # noqa: E402

TRIOD = '''CONTINUOUS SYSTEM TRIOD
STATE U V
DER DU DV
G = IF ABS(U)<SQRT(2) THEN 2-U*U ELSE 0
DU = V
U:0.25
DV = -U-EPS*(1-G)*V
EPS:1
END
'''
TANK = '''model tank
  parameter Area = 2
  terminal q
  local h = 1
  q = 0.1*h
  Area*der(h) = -q
end
'''


class Case:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix='cutset-shell-')
        self.open = []

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return file.read()

    def start(self, *arguments, command=('shell',), **more):
        terminal = Terminal([self.program, *command, *arguments], self.folder, **more)
        self.open.append(terminal)
        terminal.prompt()
        return terminal

    def end(self):
        for terminal in self.open:
            terminal.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def check(condition, what):
    if not condition:
        raise Failure(what)


TESTS = []


def test(function):
    TESTS.append(function)
    return function


@test
def begins_and_ends(case):
    """`cutset` alone on a terminal is the shell; STOP and Ctrl-D end it, and the terminal is as it was."""
    for way in ('STOP\r', 'stop\r', 'quit\r', '\x04'):
        shell = case.start(command=())
        check(shell.modes() == (False, False, False), 'keys do not come one by one')
        shell.send(way)
        check(shell.wait() == 0, 'the exit status is not 0')
        check(shell.modes() == (True, True, True), 'the terminal is not as it was')


@test
def edits_a_line(case):
    """Arrows, Home, End, Ctrl-W, Ctrl-Y and undo."""
    shell = case.start()
    shell.send('abc\x1b[D\x1b[DX\x01Y\x05Z')
    shell.expect('YaXbcZ$')
    shell.send('\x17')  # Ctrl-W
    shell.send('one two\x17\x17\x19')
    shell.expect('one two$')
    shell.send('\x15')
    shell.send('help SIMX\x7fU\r')
    shell.expect('SIMU 0 25')
    shell.prompt()
    # Letters of two bytes are one letter.
    shell.send('åä\x7f\x7f\x7fhelp STOP\r')
    shell.expect('end the session')
    shell.prompt()
    # A line longer than the screen, edited in its middle.
    shell.send('" ' + 'x' * 250 + '\x01\x1b[C\x1b[C' + 'y' + '\r')
    shell.prompt()


@test
def completes(case):
    """Tab completes commands, files, variables and options of operations; two Tabs list what there is."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    shell.send('SYS\t')
    shell.expect('SYST $')
    shell.send('TR\t')
    shell.expect(r'SYST TRIOD(\.t)? ?$')
    shell.send('\r')
    shell.prompt()
    shell.send('PAR EP\t')
    shell.expect('PAR EPS')
    shell.send('\x03')
    shell.prompt()
    shell.send('linearize --js\t')
    shell.expect('linearize --json $')
    shell.send('\x03')
    shell.prompt()
    shell.send('help opti\t')
    shell.expect('help optimize')
    shell.send('\x03')
    shell.prompt()
    shell.send('S\t\t')
    shell.expect('SAVE.*SHOW.*SIMU.*STORE.*SYST')
    shell.expect('> S$')


@test
def keeps_history(case):
    """What was typed is there after the next start, found by arrows and by Ctrl-R; the file is private."""
    shell = case.start()
    shell.line('help SIMU')
    shell.line('help PLOT')
    shell.line(' help AXES')  # begins with a space: not kept
    shell.line('help PLOT')  # twice the same: kept once
    shell.send('\x04')
    shell.wait()
    path = os.path.join(case.folder, '.local/state/cutset/history')
    check(case.read('.local/state/cutset/history') == 'help SIMU\nhelp PLOT\n', 'the history file is wrong')
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o600, 'the history can be read by others')
    check(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700, 'its folder can be read by others')
    shell = case.start()
    shell.send('\x1b[A')
    shell.expect('help PLOT$')
    shell.send('\x1b[A')
    shell.expect('help SIMU$')
    shell.send('\x1b[B')
    shell.expect('help PLOT$')
    shell.send('\x03')
    shell.prompt()
    shell.send('\x12SIM')  # Ctrl-R
    shell.expect('search backwards.*help SIMU')
    shell.send('\r')
    shell.expect('simulate the active system')
    shell.prompt()
    # Ends of all kinds keep it.
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        shell.line('help STOP')
        shell.line('" signal %d' % number)
        shell.kill(number)
        check(shell.wait() == -number, 'not ended by the signal')
        if number != signal.SIGKILL:
            check(shell.modes() == (True, True, True), 'the terminal is not as it was')
        check(case.read('.local/state/cutset/history').endswith('" signal %d\n' % number), 'history was lost')
        shell = case.start()


@test
def bounds_history(case):
    """A long history is shortened; CUTSET_HISTORY says where it is, or that there is none."""
    path = case.write('mine', ''.join('" line %d\n' % i for i in range(5000)))
    shell = case.start(environment={'CUTSET_HISTORY': path})
    shell.send('\x1b[A')
    shell.expect('line 4999')
    shell.send('\x03\x04')
    shell.wait()
    lines = case.read('mine').splitlines()
    check(lines[-1] == '" line 4999' and len(lines) <= 2000, 'the history is not shortened')
    shell = case.start(environment={'CUTSET_HISTORY': 'off'})
    shell.line('help')
    shell.send('\x04')
    shell.wait()
    check(not os.path.exists(os.path.join(case.folder, '.local')), 'history in spite of off')


@test
def interrupts_at_the_prompt(case):
    """Ctrl-C clears the line."""
    shell = case.start()
    shell.send('NONSENSE\x03')
    shell.expect(r'\^C\n> $')
    text = shell.line('help STOP')
    check('end the session' in text and 'NONSENSE' not in text, 'the line was not cleared')


@test
def interrupts_a_run(case):
    """Ctrl-C stops a long run; the session is alive, and the run goes on with CONT."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    shell.line('SYST TRIOD')
    shell.line('PLOT U')
    shell.send('SIMU 0 2E7\r')
    shell.expect('U.*⠤|[⠁-⣿]')  # the picture grows
    shell.send('\x03')
    shell.expect('(?i)interrupted')
    shell.prompt()
    check('EPS' in shell.line('DISP'), 'the session is dead')
    shell.line('SIMU 0 10')
    text = shell.line('?')
    check('went to its end' in text, 'no run after an interrupted one: ' + text)
    shell.send('\x04')
    check(shell.wait() == 0, 'the exit status is not 0')


@test
def interrupts_an_operation(case):
    """Ctrl-C stops an operation of the program too."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    shell.line('SYST TRIOD')
    shell.send('simulate --stop 2e7\r')
    shell.expect(r'time [0-9.e+]+ ')  # its progress bar
    shell.send('\x03')
    shell.prompt()
    check(shell.modes() == (False, False, False), 'no editing after an operation')
    check('EPS' in shell.line('DISP'), 'the session is dead')


@test
def runs_operations(case):
    """Operations work on the active system with its present values, and leave nothing behind."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    shell.line('SYST TRIOD')
    first = shell.line('poles')
    check('0.5 ± 0.866025j' in first, 'the poles of u\'\' - u\' + u = 0: ' + first)
    shell.line('PAR EPS:0.5')
    check('0.25 ± 0.968246j' in shell.line('poles'), 'the operation does not see what was changed')
    check('"poles"' in shell.line('poles --json'), 'no JSON')
    check('"poles"' not in shell.line('poles'), 'an option of the call before')
    check('Examples' in shell.line('help bode'), 'no help of operations')


@test
def grows_in_place(case):
    """The picture of a long run is drawn anew in its place, and nothing of the screen before is lost."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start(columns=80, rows=30)
    shell.line('SYST TRIOD')
    shell.line('PLOT U')
    shell.send('SIMU 0 100000\r')
    shell.expect(r'\n> $')
    rows = rows_of(shell.raw, 80, 30)
    check(sum(row.startswith('> SIMU') for row in rows) == 1, 'the command is not there once')
    check(sum('time [s]' in row for row in rows) == 1, 'the picture is not drawn in place:\n' + '\n'.join(rows))
    check(any(row.startswith('> SYST TRIOD') for row in rows), 'the screen before is lost')


@test
def edits_a_file(case):
    """The editor as a mode: E writes, LEAVE and a kill leave the file as it was."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    shell.send('EDIT TRIOD\r')
    shell.expect('EDIT')
    shell.send('L EPS:1\r')
    shell.expect('EPS:1')
    shell.send('R EPS:2\r')
    shell.send('LEAVE\r')
    shell.expect(r'\n> $')
    check(case.read('TRIOD.t') == TRIOD, 'LEAVE changed the file')
    shell.send('EDIT TRIOD\r')
    shell.expect('EDIT')
    shell.send('L EPS:1\r')
    shell.expect('EPS:1')
    shell.send('R EPS:2\r')
    shell.send('E\r')
    shell.expect(r'\n> $')
    check(case.read('TRIOD.t') == TRIOD.replace('EPS:1', 'EPS:2'), 'E did not write the file')
    shell.send('EDIT TRIOD\r')
    shell.expect('EDIT')
    shell.send('L EPS:2\r')
    shell.expect('EPS:2')
    shell.send('R EPS:3\r')
    shell.send('P\r')
    shell.expect(r'\nEPS:3')
    shell.kill(signal.SIGKILL)
    shell.wait()
    check(case.read('TRIOD.t') == TRIOD.replace('EPS:1', 'EPS:2'), 'a kill in the middle of an edit lost the file')
    check(sorted(n for n in os.listdir(case.folder) if not n.startswith('.local')) == ['TRIOD.t'],
          'files were left behind: %s' % os.listdir(case.folder))


@test
def goes_back_from_input(case):
    """A name that is no file begins a new text; Ctrl-C goes back while nothing was typed."""
    shell = case.start()
    shell.send('SYST NOFILE\r')
    shell.expect('FILE NOT FOUND: NOFILE.*INPUT.*Ctrl-C goes back.*\n$')
    shell.send('\x03')
    shell.prompt()
    check('end the session' in shell.line('help STOP'), 'not back at the prompt')
    check(not os.path.exists(os.path.join(case.folder, 'NOFILE.t')), 'a file was made')
    shell.send('EDIT NOTES\r')
    shell.expect('INPUT')
    shell.send('ONE\r')
    shell.send('half a line\x03')  # clears the line
    shell.send('\x03')  # does not lose what was typed before
    shell.expect('E WRITES')
    shell.send('TWO\r\r')
    shell.expect('EDIT')
    shell.send('E\r')
    shell.expect(r'\n> $')
    check(case.read('NOTES.t') == 'ONE\nTWO\n' or case.read('NOTES') == 'ONE\nTWO\n', 'the text is lost')


@test
def goes_back_however_early(case):
    """Ctrl-C counts also when it is typed before the shell listens to keys again."""
    shell = case.start()
    for _ in range(30):
        shell.send('SYST NOFILE\r')
        shell.expect('INPUT')
        shell.send('\x03')
        shell.prompt()


@test
def opens_an_editor(case):
    """EDIT opens $EDITOR when one is set."""
    case.write('TRIOD.t', TRIOD)
    editor = case.write('editor', '#!/bin/sh\nsed -i s/EPS:1/EPS:7/ "$1"\n')
    os.chmod(editor, 0o755)
    shell = case.start(environment={'EDITOR': editor})
    shell.line('EDIT TRIOD')
    check('EPS:7' in case.read('TRIOD.t'), 'the editor was not started')


@test
def follows_the_size(case):
    """A terminal that changes its size: the line is drawn anew, pictures fit."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start(columns=120, rows=40)
    shell.line('SYST TRIOD')
    shell.line('PLOT U')
    shell.send('help S' + 'x' * 90)
    shell.resize(50, 20)
    shell.send('\x7f' * 90 + 'TOP\r')
    shell.expect('end the session')
    shell.prompt()
    text = shell.line('SIMU 0 25')
    check(max(len(line) for line in text.splitlines()[1:]) <= 50, 'the picture is wider than the screen:\n' + text)


@test
def helps_with_mistakes(case):
    """A wrong command gets the nearest right form; the session goes on."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    check('SIMU' in shell.line('SIMN 0 25'), 'no nearest command')
    shell.line('SYST TRIOD')
    check('EPS' in shell.line('PAR EPSX:3'), 'no nearest parameter')
    check('help' in shell.line('help NOTHING'), 'no help for help')
    shell.line('SIMU 0 5')
    check('EPS' in shell.line('DISP EPS'), 'the session is dead')


@test
def draws_and_advises(case):
    """Return to curve; ? and ??."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    text = shell.line('??')
    check('SYST TRIOD' in text, 'no proposal of the model here: ' + text)
    shell.line('SYST TRIOD')
    check('SIMU' in shell.line('??'), 'no proposal to simulate')
    shell.line('PLOT U')
    text = shell.line('SIMU 0 100')
    check(any('\u2801' <= c <= '\u28ff' for c in text), 'no picture:\n' + text)
    text = shell.line('?')
    check('went to its end' in text and 'oscillates' in text and '6.' in text, 'no meaning: ' + text)
    check('poles' in shell.line('??'), 'no proposal after an oscillation')


@test
def overlays_in_place(case):
    """The runs of a macro are drawn over each other in one picture; with new axes there are two."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start(columns=80, rows=60)
    shell.line('SYST TRIOD')
    shell.line('PLOT U')
    for last in ('SIMU', 'AXES\rSIMU'):
        shell.send('MACRO PAIR\rSIMU 0 10\rPAR EPS:2\r%s\rEND\r' % last)
        shell.expect(r'WRITTEN: PAIR.mac\n> $')
        begin = len(shell.raw)
        shell.line('PAIR')
        rows = rows_of(shell.raw[begin:], 80, 60)
        wanted = 1 if last == 'SIMU' else 2
        check(sum('time [s]' in row for row in rows) == wanted, 'not %d:\n%s' % (wanted, '\n'.join(rows)))


@test
def serves_plain_terminals(case):
    """A terminal that can only show lines: prompts, no escape sequences."""
    case.write('TRIOD.t', TRIOD)
    shell = Terminal([case.program, 'shell'], case.folder, {'TERM': 'dumb', 'NO_COLOR': '1'})
    case.open.append(shell)
    shell.expect('>$')
    shell.send('SYST TRIOD\n')
    shell.expect('\n>$')
    shell.send('PLOT U\n')
    shell.expect('\n>$')
    shell.send('SIMU 0 10\n')
    shell.expect(r'time \[s\]\n>$')
    shell.send('SIMU 0 2E7\n')
    shell.works(0.3)
    shell.send('\x03')
    shell.expect('INTERRUPTED')
    shell.expect('>$')
    check(b'\x1b' not in shell.raw, 'escape sequences')
    shell.send('\x04')
    check(shell.wait() == 0, 'the exit status is not 0')


@test
def types_ahead(case):
    """What is typed or pasted while a run goes on is executed afterwards."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    shell.send('SYST TRIOD\rSIMU 0 500\rhelp STOP\r')
    shell.expect('end the session')
    shell.prompt()
    shell.send('\x1b[200~PAR EPS:3\rDISP\tEPS\r\x1b[201~')
    shell.expect('EPS ?= ?3')
    shell.prompt()


@test
def never_loses_typed_text(case):
    """A file that cannot be written leaves the editor open; Ctrl-D asks once more; what was typed waits for -RECOVER."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()
    shell.send('EDIT nowhere/TRIOD\r')
    shell.expect('INPUT')
    shell.send('ONE\rTWO\r\r')
    shell.expect('EDIT')
    shell.send('E\r')
    shell.expect('cannot be written.*the editor stays open.*E NAME writes another file.*EDIT')
    shell.send('P\r')
    shell.expect('TWO')
    shell.send('E SAVED.t\r')
    shell.expect(r'WRITTEN: SAVED.t.*\n> $')
    check(case.read('SAVED.t') == 'ONE\nTWO\n', 'E NAME did not write the text')
    # Ctrl-D twice: the text waits.
    shell.send('EDIT TRIOD\r')
    shell.expect('EDIT')
    shell.send('L EPS:1\r')
    shell.expect('EPS:1')
    shell.send('R EPS:9\r')
    shell.send('\x04')
    shell.expect('CTRL-D ONCE MORE')
    shell.send('\x04')
    shell.expect('was not written.*-RECOVER')
    check(case.read('TRIOD.t') == TRIOD, 'Ctrl-D wrote the file')
    shell.send('\x04')
    shell.wait()
    shell = case.start()
    shell.send('EDIT TRIOD\r')
    shell.expect('typed and never written.*EDIT')
    shell.send('LEAVE\r')
    shell.expect(r'\n> $')
    shell.send('EDIT TRIOD -RECOVER\r')
    shell.expect('EDIT')
    shell.send('E\r')
    shell.expect(r'\n> $')
    check(case.read('TRIOD.t') == TRIOD.replace('EPS:1', 'EPS:9'), 'the text was not recovered')
    shell.send('EDIT TRIOD\r')
    shell.expect('EDIT')
    shell.send('LEAVE\r')
    check('never written' not in shell.expect(r'.*\n> $').group(), 'a text that was written is still offered')
    # A kill keeps it too.
    shell.send('EDIT TRIOD\r')
    shell.expect('EDIT')
    shell.send('N\rR LOST\rP\r')
    shell.expect(r'\nLOST')
    shell.kill(signal.SIGKILL)
    shell.wait()
    folder = os.path.join(case.folder, '.local/state/cutset/unwritten')
    names = os.listdir(folder)
    check(len(names) == 1, 'not one rescued text: %s' % names)
    with open(os.path.join(folder, names[0])) as file:
        check('LOST' in file.read(), 'the rescued text is another')
    check(stat.S_IMODE(os.stat(folder).st_mode) == 0o700, 'rescued texts can be read by others')


@test
def keeps_every_unwritten_text(case):
    """A text that waits for -RECOVER is neither overwritten by another nor removed by an E that changes nothing."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start()

    def lose(name, text):
        shell.send('EDIT %s\r' % name)
        shell.expect('INPUT')
        shell.send('%s\r' % text)
        shell.send('\x04')
        shell.expect('ONCE MORE')
        shell.send('\x04')
        shell.expect('was not written.*\n> $')
    lose('NOTES', 'FIRST TEXT')
    # LEAVE in INPUT, while nothing was typed, leaves.
    shell.send('EDIT NOTES\r')
    shell.expect('never written.*INPUT')
    shell.send('LEAVE\r')
    shell.expect(r'\n> $')
    lose('NOTES', 'SECOND TEXT')
    folder = os.path.join(case.folder, '.local/state/cutset/unwritten')
    texts = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as file:
            texts.append(file.read())
    check(sorted(texts) == ['FIRST TEXT\n', 'SECOND TEXT\n'], 'a text is lost: %s' % texts)
    shell.send('EDIT NOTES -RECOVER\r')
    shell.expect('EDIT')
    shell.send('E\r')
    shell.expect(r'\n> $')
    check(case.read('NOTES.t') == 'SECOND TEXT\n', 'not the newest text')
    # E that changes nothing.
    shell.send('EDIT TRIOD\r')
    shell.expect('EDIT')
    shell.send('L EPS:1\rR EPS:9\r\x04')
    shell.expect('ONCE MORE')
    shell.send('\x04')
    shell.expect('was not written.*\n> $')
    shell.send('EDIT TRIOD\r')
    shell.expect('never written.*EDIT')
    shell.send('E\r')
    shell.expect(r'\n> $')
    shell.send('EDIT TRIOD -RECOVER\r')
    shell.expect('EDIT')
    shell.send('E\r')
    shell.expect(r'\n> $')
    check('EPS:9' in case.read('TRIOD.t'), 'E without a change removed the rescued text')


@test
def keeps_macros_with_mistakes(case):
    """The lines of a macro that is wrong, or that Ctrl-C ends, wait for EDIT -RECOVER."""
    shell = case.start()
    shell.send('MACRO LOOP N\rFOR K = 1 TO N\rWRITE K\rEND\r')
    shell.expect(r'NEXT.*EDIT LOOP.mac -RECOVER.*\n> $')
    shell.send('EDIT LOOP.mac -RECOVER\r')
    shell.expect('EDIT')
    shell.send('L WRITE\r')
    shell.expect('WRITE K')
    shell.send('I NEXT K\rE\r')
    shell.expect(r'\n> $')
    check('1' in shell.line('LOOP 2') and '2' in shell.screen, 'the macro does not run')
    shell.send('MACRO OTHER\rWRITE 1\r')
    shell.send('\x03')
    shell.expect(r'has no END.*EDIT OTHER.mac -RECOVER.*\n> $')


@test
def shows_no_escape_sequences_of_files(case):
    """What a file holds does not reach the terminal as commands to it."""
    case.write('evil.t', 'CONTINUOUS SYSTEM X\n" \x1b]0;TITLE\x07 \x1b[31m\tred\nEND\n')
    shell = case.start()
    shell.line('LIST evil')
    check(b']0;TITLE' in shell.raw and b'\x1b]0;' not in shell.raw and b'\x1b[31m' not in shell.raw,
          'escape sequences of a file reach the terminal')


@test
def takes_a_paste_as_text(case):
    """What is pasted into INPUT is text to its end, whatever it looks like; a mistake is told once all is there."""
    shell = case.start()
    shell.send('SYST P\r')
    shell.expect('INPUT')
    text = 'CONTINUOUS SYSTEM P\nSTATE X\nDER DX\nDX = (X\nA = 3\n\nR = 5\nI = X/R\nEND\n'
    shell.send('\x1b[200~' + text.replace('\n', '\r') + '\x1b[201~')
    shell.expect('MISSING RIGHT PARENTHESIS.*EDIT')
    shell.send('P\r')
    shell.expect(r'DX = \(X')
    shell.send('R DX = X\rE\r')
    shell.expect(r'\n> $')
    check(case.read('P.t') == text.replace('(X', 'X'), 'the text is mangled:\n' + case.read('P.t'))
    check('A = 3' in shell.line('A'), 'the system is not active')


@test
def keeps_macros(case):
    """A macro that is typed is there in the next session; one that a file of the folder defines is named before it runs."""
    case.write('TRIOD.t', TRIOD)
    case.write('OTHER.mac', 'not a macro\n')
    shell = case.start()
    shell.send('MACRO TWICE X\rWRITE (2*X)\rEND\r')
    shell.expect(r'WRITTEN: TWICE.mac\n> $')
    shell.send('MACRO OTHER\rWRITE 1\rEND\r')
    shell.expect(r'until STOP only.*\n> $')
    check(case.read('OTHER.mac') == 'not a macro\n', 'a file of another kind was replaced')
    shell.send('\x04')
    shell.wait()
    shell = case.start()
    text = shell.line('TWICE 21')
    check('TWICE.mac' in text and '42' in text, 'the macro is gone, or it is not said where it is from: ' + text)


@test
def escapes_to_the_system(case):
    """`!` gives a command to the system, `history` lists what was typed; TURN EXTERNAL ON counts when typed, in no macro."""
    shell = case.start()
    check('6 * 7' not in shell.line('!echo $((6 * 7))').split('\n', 1)[1] and '42' in shell.screen, 'no command')
    check('exit status 3' in shell.line('!exit 3'), 'no status')
    check(shell.modes() == (False, False, False), 'no editing after a command of the system')
    check('!exit 3' in shell.line('history'), 'no history')
    case.write('BAD.mac', 'MACRO BAD\nTURN EXTERNAL ON\nEND\n')
    check('must be typed' in shell.line('BAD'), 'a macro switched code of others on')
    check('EXTERNAL OFF' in shell.line('TURN'), 'a macro switched code of others on')
    shell.line('TURN EXTERNAL ON')
    check('EXTERNAL ON' in shell.line('TURN').split('\n', 1)[1], 'a person may not')


@test
def shows_progress_without_a_plot(case):
    """A long run that draws nothing says how far it is, in a line that is gone afterwards."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start(columns=80, rows=30)
    shell.line('SYST TRIOD')
    shell.send('SIMU 0 2E7\r')
    shell.expect(r'time [0-9.e+]+ of 2e\+07, \d+ %')
    shell.send('\x03')
    shell.expect('INTERRUPTED')
    shell.prompt()
    rows = rows_of(shell.raw, 80, 30)
    check(not any(' of 2e+07' in row for row in rows), 'the line of progress stays:\n' + '\n'.join(rows))


@test
def moves_a_cursor(case):
    """CURSOR: arrows move it, + zooms, the values stand below the picture, which is drawn in its place."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start(columns=80, rows=60)
    shell.line('SYST TRIOD')
    shell.line('PLOT U')
    shell.line('SIMU 0 10')
    begin = len(shell.raw)
    shell.send('CURSOR\r')
    shell.expect(r'time = 5 s\n +U +-?[0-9.]+.*Return ends')
    shell.send('\x1b[C')
    shell.expect(r'time = 5.05 s')
    shell.expect('Return ends')
    shell.send('+')
    shell.expect('Return ends')
    shell.send('\x1b[D')
    shell.expect(r'time = 5.025 s')
    shell.expect('Return ends')
    shell.send('\r')
    shell.prompt()
    rows = rows_of(shell.raw[begin:], 80, 60)
    check(sum('time [s]' in row for row in rows) == 1, 'the picture is not drawn in place:\n' + '\n'.join(rows))
    check('U ' in shell.line('CURSOR 3.2'), 'no values')


@test
def draws_a_loop_once(case):
    """The runs of a loop typed at the prompt are drawn over each other in one picture, parameters in the legend."""
    case.write('TRIOD.t', TRIOD)
    shell = case.start(columns=80, rows=60)
    shell.line('SYST TRIOD')
    shell.line('PLOT U')
    begin = len(shell.raw)
    shell.send('FOR E = 1 TO 3\rPAR EPS:E\rSIMU 0 10\rNEXT E\r')
    shell.expect(r'time \[s\]\n> $')
    rows = rows_of(shell.raw[begin:], 80, 60)
    check(sum('time [s]' in row for row in rows) == 1, 'not one picture:\n' + '\n'.join(rows))


@test
def keeps_the_history_to_itself(case):
    """A history that others may read is closed to them; one that is no plain file is left alone."""
    path = case.write('mine', '" old\n')
    os.chmod(path, 0o644)
    shell = case.start(environment={'CUTSET_HISTORY': path})
    shell.line('help STOP')
    shell.send('\x04')
    shell.wait()
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o600, 'others may read the history')
    os.mkfifo(os.path.join(case.folder, 'pipe'))
    shell = case.start(environment={'CUTSET_HISTORY': os.path.join(case.folder, 'pipe')})
    check('end the session' in shell.line('help STOP'), 'a pipe as the history stops the shell')


@test
def draws_sixels(case):
    """A terminal that says that it can, gets pixels."""
    case.write('TRIOD.t', TRIOD)
    shell = Terminal([case.program, 'shell'], case.folder, {'CUTSET_PLOT': ''})
    case.open.append(shell)
    shell.prompt()
    shell.line('SYST TRIOD')
    shell.line('PLOT U')
    shell.send('\x1b[6;20;10t\x1b[?62;4;22c')  # the answers to the questions asked at the start
    shell.line('SIMU 0 25')
    check(b'\x1bP0;1q' in shell.raw, 'no sixels')


def main():
    arguments = sys.argv[1:]
    program = 'build/release/cutset'
    if '--program' in arguments:
        at = arguments.index('--program')
        program = arguments[at + 1]
        del arguments[at:at + 2]
    program = os.path.abspath(program)
    failed = 0
    chosen = [t for t in TESTS if not arguments or any(a in t.__name__ for a in arguments)]
    for function in chosen:
        case = Case(program)
        try:
            function(case)
        except Exception as problem:  # a test that breaks has failed
            failed += 1
            print('FAILED %s: %s' % (function.__name__, function.__doc__))
            if isinstance(problem, Failure):
                print('  ' + str(problem).replace('\n', '\n  '))
            else:
                traceback.print_exc(file=sys.stdout)
        finally:
            case.end()
    print('%d shell tests, %d failed' % (len(chosen), failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
