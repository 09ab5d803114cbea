"""Running programs under a watch: processor time, time, peak memory; medians."""
import os
import struct
import subprocess
import tempfile
import time


class Run:
    """What one run of a program took. `seconds` is processor time (user and system, all threads), `elapsed` the time on the wall, `memory`
    its peak in bytes; `output` is None when the program was stopped after `limit` seconds."""

    def __init__(self, command, limit=60, folder=None):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            began = time.monotonic()
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, cwd=folder)
            self.stopped = False
            pause = 0.0002
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() - began > limit:
                    process.kill()
                    _, status, usage = os.wait4(process.pid, 0)
                    self.stopped = True
                    break
                # often enough for short runs, seldom enough not to disturb long ones
                time.sleep(pause)
                pause = min(pause * 1.2, 0.01)
            self.elapsed = time.monotonic() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            self.status = process.returncode
            self.seconds = usage.ru_utime + usage.ru_stime
            self.user = usage.ru_utime
            self.memory = usage.ru_maxrss * 1024
            out.seek(0)
            self.output = None if self.stopped else out.read().decode(errors='replace')
            errors.seek(0)
            self.errors = errors.read().decode(errors='replace')

    @property
    def good(self):
        return not self.stopped and self.status == 0

    def why(self):
        """In a few words what went wrong."""
        if self.stopped:
            return 'stopped after %.0f s' % self.elapsed
        lines = [line for line in (self.errors or self.output).splitlines() if line.strip()]
        return lines[0][:120] if lines else 'status %d' % self.status


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def read_end(path):
    """Values at the end of a result file (.mat level 4, transposed) by name."""
    with open(path, 'rb') as file:
        data = file.read()
    matrices, place = {}, 0
    while place + 20 <= len(data):
        kind, rows, columns, _, length = struct.unpack_from('<5i', data, place)
        name = data[place + 20:place + 20 + length - 1].decode()
        place += 20 + length
        size = {0: 8, 1: 4, 2: 4, 5: 1}[kind // 10 % 10]
        matrices[name] = (place, rows, columns, size, 'dfi  b'[kind // 10 % 10])
        place += rows * columns * size
    start, width, count, _, _ = matrices['name']
    names = [data[start + i * width:start + (i + 1) * width].decode().rstrip(' \0') for i in range(count)]
    info = struct.unpack_from('<%di' % (4 * count), data, matrices['dataInfo'][0])
    result = {}
    for i, name in enumerate(names):
        table, index = info[4 * i], info[4 * i + 1]
        start, rows, columns, size, code = matrices['data_1' if table == 1 else 'data_2']
        value, = struct.unpack_from('<' + code, data, start + ((columns - 1) * rows + abs(index) - 1) * size)
        result[name] = -value if index < 0 else value
    return result
