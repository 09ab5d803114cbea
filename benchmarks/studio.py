"""Group `studio`: the page in Debian's Chromium, as the tests drive it: from the command to the first picture, frames of a plant of 5 220
blocks, from an edit to the picture and to diagnostics, from a run or a slider to the curve, long results, the size of the page."""
import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(program, report, quick=False):
    missing = [name for name in ('node', 'chromium') if not shutil.which(name)]
    if missing or not (ROOT / 'apps/studio/page/node_modules').is_dir():
        report('studio', 'all', None, '', None, skipped='there is no %s' % ' and no '.join(missing or ['built page']))
        return
    words = ['node', str(ROOT / 'benchmarks/studio.mjs'), os.path.abspath(program)] + (['--quick'] if quick else [])
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            row = json.loads(line)
            report('studio', row['case'], row['value'], row['unit'], row['goal'])
    if process.returncode:
        report('studio', 'all', None, '', None, note='node ended with %d' % process.returncode)
