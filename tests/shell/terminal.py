"""A program on a pseudo-terminal, for tests that type and look."""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

PATIENCE = 120  # seconds; generous, because machines are busy: no test measures time with it
ESCAPES = re.compile(rb'\x1b(\[[0-9;?]*[ -/]*[@-~]|P[^\x1b]*\x1b\\|[78=>])')


class Failure(Exception):
    pass


def rows_of(raw, columns, rows):
    """The lines that a terminal of that size shows after these bytes, those that scrolled out at the top included."""
    text = raw.decode('utf-8', 'replace')
    lines, row, column, saved = [[]], 0, 0, (0, 0)
    token = re.compile('\x1b\\[([0-9;?]*)([@-~])|\x1bP[^\x1b]*\x1b\\\\|\x1b([78])|([\r\n\a\b])|(.)', re.S)
    for match in token.finditer(text):
        numbers, command, save, control, letter = match.groups()
        n = int(numbers) if numbers and numbers.isdigit() else 1
        top = max(0, len(lines) - rows)
        if command == 'A':
            row = max(top, row - n)
        elif command == 'B':
            row = min(max(len(lines), rows) - 1, row + n)
        elif command == 'C':
            column = min(columns - 1, column + n)
        elif command == 'K':
            del lines[row][column:]
        elif command == 'J':
            if numbers == '2':
                lines, row, column = [[]], 0, 0
            else:
                del lines[row][column:]
                del lines[row + 1:]
        elif save == '7':
            saved = row, column
        elif save == '8':
            row, column = saved
        elif control == '\r':
            column = 0
        elif control == '\n':
            row += 1
        elif letter:
            if column == columns:
                row, column = row + 1, 0
            while len(lines) <= row:
                lines.append([])
            lines[row] += ' ' * (column - len(lines[row]))
            lines[row][column:column + 1] = [letter]
            column += 1
        while len(lines) <= row:
            lines.append([])
    return [''.join(line).rstrip() for line in lines]


class Terminal:
    """Runs a command on a terminal of its own. `screen` is everything it wrote, without escape sequences."""

    def __init__(self, command, folder, environment=None, columns=100, rows=40):
        env = dict(os.environ, TERM='xterm-256color', LC_ALL='C.UTF-8', CUTSET_CACHE='off', CUTSET_PLOT='unicode')
        for name in ('NO_COLOR', 'EDITOR', 'VISUAL', 'CUTSET_PATH', 'CUTSET_HISTORY', 'XDG_STATE_HOME'):
            env.pop(name, None)
        env['HOME'] = folder
        env.update(environment or {})
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, env)
        self.resize(columns, rows)
        self.raw = b''
        self.screen = ''
        self.rest = b''  # of an escape sequence that has not come as a whole
        self.decoder = codecs.getincrementaldecoder('utf-8')('replace')
        self.seen = 0  # of `screen`: where the next expect begins
        self.status = None

    def resize(self, columns, rows):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def _read(self, seconds):
        ready, _, _ = select.select([self.file], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.file, 65536)
        except OSError:
            data = b''
        self.raw += data
        self.rest = ESCAPES.sub(b'', self.rest + data)
        end = self.rest.find(b'\x1b')
        end = len(self.rest) if end < 0 else end
        self.screen += self.decoder.decode(self.rest[:end]).replace('\r', '')
        self.rest = self.rest[end:]
        return bool(data)

    def send(self, text):
        os.write(self.file, text.encode() if isinstance(text, str) else text)

    def expect(self, pattern, patience=PATIENCE):
        """Waits until the pattern appears in what was written since the last one; the match."""
        deadline = time.monotonic() + patience
        while True:
            found = re.compile(pattern, re.S).search(self.screen, self.seen)
            if found:
                self.seen = found.end()
                return found
            if time.monotonic() > deadline or not self._read(min(1, patience)) and self._ended():
                found = re.compile(pattern, re.S).search(self.screen, self.seen)
                if found:
                    self.seen = found.end()
                    return found
                raise Failure('waited for %r, saw:\n%s' % (pattern, self.screen[max(0, self.seen - 200):][-3000:]))

    def _ended(self):
        if self.status is None:
            try:
                done, status = os.waitpid(self.process, os.WNOHANG)
            except ChildProcessError:
                done, status = self.process, 0
            if done:
                self.status = status
        return self.status is not None

    def line(self, text):
        """Types a line and waits for the prompt after it; what was printed in between."""
        begin = len(self.screen)
        self.send(text + '\r')
        self.expect(r'\n> $')
        return self.screen[begin:]

    def works(self, seconds, patience=PATIENCE):
        """Waits until the program has computed for so long."""
        def used():
            with open('/proc/%d/stat' % self.process) as file:
                return int(file.read().rsplit(')', 1)[1].split()[11]) / os.sysconf('SC_CLK_TCK')
        goal, deadline = used() + seconds, time.monotonic() + patience
        while used() < goal:
            if time.monotonic() > deadline:
                raise Failure('the program does nothing')
            time.sleep(0.05)

    def prompt(self):
        return self.expect(r'> $')

    def kill(self, number):
        os.kill(self.process, number)

    def wait(self, patience=PATIENCE):
        """The exit status, negative for a signal."""
        deadline = time.monotonic() + patience
        while not self._ended():
            self._read(0.1)
            if time.monotonic() > deadline:
                raise Failure('the program does not end; it wrote:\n' + self.screen[-2000:])
        while self._read(0):
            pass
        return os.waitstatus_to_exitcode(self.status)

    def modes(self):
        """Of the terminal: (canonical, echo, signals)."""
        local = termios.tcgetattr(self.file)[3]
        return bool(local & termios.ICANON), bool(local & termios.ECHO), bool(local & termios.ISIG)

    def close(self):
        if not self._ended():
            os.kill(self.process, signal.SIGKILL)
            self.wait()
        os.close(self.file)
