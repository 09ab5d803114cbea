#!/usr/bin/env python3
"""The studio in Firefox: it opens, zooms, simulates, and an edit of the text changes the picture. Firefox is driven by WebDriver BiDi, the
protocol that it speaks itself. Left out, and said so, where there is no firefox-esr.
    tests/studio/firefox.py --program build/test/cutset [--shot FILE.png]"""

import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from client import Studio, Tab

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Firefox:
    """One window, and what a person does in it."""

    def __init__(self, profile):
        (pathlib.Path(profile) / "user.js").write_text('user_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n')
        self.process = subprocess.Popen(
            [shutil.which("firefox-esr") or "firefox", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "--width", "1280", "--height", "820"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": profile, "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "820"})
        for line in self.process.stderr:
            found = re.search(r"BiDi listening on ws://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                break
        self.tab = Tab(self, headers={"Origin": None})
        self.number = 0
        self.do("session.new", capabilities={})
        self.context = self.do("browsingContext.create", type="tab")["context"]

    def connect(self):
        import socket
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def do(self, method, **params):
        self.number += 1
        self.tab.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            answer = self.tab.receive(60)
            if answer.get("id") == self.number:
                if answer.get("type") == "error":
                    raise AssertionError(f"{method}: {answer['error']}: {answer['message']}")
                return answer["result"]

    def open(self, url):
        self.do("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def value(self, script):
        """What the script gives, by way of JSON."""
        result = self.do("script.evaluate", expression=f"Promise.resolve({script}).then((v) => JSON.stringify(v ?? null))", target={"context": self.context}, awaitPromise=True)
        if result["type"] != "success":
            raise AssertionError(f"{script}: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])

    def until(self, script, what, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(script):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {what}")
            time.sleep(0.1)

    def act(self, kind, actions):
        self.do("input.performActions", context=self.context, actions=[{"type": kind, "id": kind, "actions": actions}])

    def wheel(self, x, y, by, times=1):
        self.act("wheel", [{"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": by}] * times)

    def keys(self, *keys):
        self.act("key", [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")])

    def click(self, x, y, count=1):
        self.act("pointer", [{"type": "pointerMove", "x": int(x), "y": int(y)}] + [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}] * count)

    def picture(self):
        return base64.b64decode(self.do("browsingContext.captureScreenshot", context=self.context)["data"])

    def close(self):
        self.process.terminate()
        self.process.wait(30)


RESTING = "window.studio?.resting() === true && document.querySelector('#mirror [role=treeitem]') !== null"
FINISHED = "document.querySelector('.run .state')?.textContent === 'finished'"


def rect(name):
    return f"(document.querySelector('#mirror [data-part=block][data-path=\"{name}\"]')?.dataset.rect ?? '').split(' ').map(Number)"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", required=True)
    options.add_argument("--shot", help="also saves a picture of the window")
    given = options.parse_args()
    if not shutil.which("firefox-esr") and not shutil.which("firefox"):
        print("left out: there is no Firefox")
        return 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        text = (ROOT / "examples/tanks.dym").read_text().replace('"../libraries/', '"libraries/')
        (pathlib.Path(folder) / "tanks.dym").write_text(text)
        shutil.copytree(ROOT / "libraries", pathlib.Path(folder) / "libraries")
        with Studio(os.path.abspath(given.program), f"{folder}/tanks.dym") as studio:
            firefox = Firefox(profile)
            try:
                walk(firefox, studio, given.shot)
            finally:
                firefox.close()
    print("Firefox: opens, zooms, simulates, follows an edit")
    return 0


def walk(firefox, studio, shot):
    firefox.open(f"http://127.0.0.1:{studio.port}/#k={studio.token}")
    firefox.until(RESTING, "the picture")
    before = firefox.value(rect("Tank1"))
    assert len(before) == 4 and before[2] > 20, f"Tank1 is drawn at {before}"
    # The wheel over the block makes it larger.
    top = firefox.value("document.querySelector('canvas.sheet').getBoundingClientRect().y")
    x, y = int(before[0] + before[2] / 2), int(before[1] + before[3] / 2 + top)
    firefox.wheel(x, y, -240, 2)
    firefox.until(f"{RESTING} && {rect('Tank1')}[2] > {1.3 * before[2]}", "zooming by the wheel")
    # Run, and the values are there.
    firefox.value("document.querySelector('canvas.sheet').focus()")
    firefox.keys(" ")
    firefox.until(FINISHED, "the end of the run")
    # An edit made elsewhere is seen here, and the check speaks of it.
    tab = studio.tab()
    opened = tab.call("text.open", file="tanks.dym")
    at = opened["text"].encode().index(b"Tank1(Area")
    tab.call("text.edit", file="tanks.dym", version=opened["version"], edits=[{"begin": at, "end": at + 5, "text": "Tank9"}])
    firefox.value("document.querySelector('canvas.sheet').focus()")
    firefox.keys("\ue011")  # Home
    firefox.until(f"{RESTING} && document.querySelector('#mirror [data-path=\"Tank9\"]') !== null", "the block's new name")
    firefox.until("document.querySelector('.status')?.textContent.includes('error')", "what the check says of it")
    tab.close()
    if shot:
        pathlib.Path(shot).write_bytes(firefox.picture())


if __name__ == "__main__":
    sys.exit(main())
