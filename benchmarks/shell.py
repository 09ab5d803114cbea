"""Group `shell`: from the return key to the curve. `cutset shell` runs on a pseudo-terminal with the servo of Simnon's manual; the time is
that from writing the key to the next prompt, with the whole picture before it; medians of the SIMUs after the first."""
import os
import pathlib
import shutil
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'shell'))
from measure import median  # noqa: E402
from terminal import Terminal  # noqa: E402


def timed(shell, line):
    """Seconds from the return key to the prompt after what the command prints."""
    shell.send(line)
    shell.expect(line.replace('[', r'\[').replace(']', r'\]') + '$')
    began = time.monotonic()
    shell.send('\r')
    shell.expect(r'\n> $')
    return time.monotonic() - began


def run(program, report, quick=False):
    with tempfile.TemporaryDirectory() as folder:
        for name in ('motor', 'cpid', 'dpid', 'servo'):
            shutil.copy(ROOT / 'examples' / 'simnon' / (name + '.t'), folder)
        shell = Terminal([os.path.abspath(program), 'shell'], folder)
        try:
            shell.prompt()
            report('shell', 'SYST of the servo', 1000 * timed(shell, 'SYST motor cpid dpid servo'), 'ms', None)
            for line in ('PLOT UP Y[MOTOR] YR', 'AXES H 0 2.5 V -0.1 2.5', 'PAR DT[DPID]:0.05'):
                timed(shell, line)
            report('shell', 'first SIMU, return key to curve', 1000 * timed(shell, 'SIMU 0 2.5'), 'ms', None)
            for case, change in (('continuous', 'PAR CONT:1'), ('sampled', 'PAR CONT:0')):
                times = []
                timed(shell, change)
                for i in range(5 if quick else 21):
                    timed(shell, 'PAR G[CPID]:%g' % (1 + 0.01 * i))
                    timed(shell, 'AXES')
                    times.append(timed(shell, 'SIMU'))
                report('shell', 'SIMU again, %s controller' % case, 1000 * median(times), 'ms', 30)
        finally:
            shell.close()
