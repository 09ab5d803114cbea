#!/usr/bin/env python3
"""Sessions of the studio's protocol: texts, checks, runs. Values are those of `cutset simulate`, to the bit. Waits for states only."""

import argparse
import csv
import os
import shutil
import signal
import subprocess
import tempfile

from client import Studio

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SWITCHED = """model bouncer
  parameter g=9.81 e=0.8
  local h v
  der(h) = v
  der(v) = -g
  h(0) = 5
  v(0) = 0
  when h < 0 then
    reinit(v, -e*pre(v))
  end
end
"""


def simulated(program, file, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.csv")
        subprocess.run([program, "simulate", file, "-o", out, "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
        with open(out, newline="") as f:
            rows = list(csv.reader(f))
    names = [name.split(" [")[0] for name in rows[0]]
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}


def finished(tab, model, run):
    return tab.wait(lambda e: isinstance(e, dict) and e.get("event") == "run.state" and e["run"] == run and
                    e["state"] in ("finished", "failed", "terminated", "stopped"))


def rows_of(tab, model, run, path):
    header, curves = tab.call("curves", model=model, run=run, paths=[path], t0=None, t1=None, pixels=4096)
    assert header["curves"][0]["exact"], header
    return curves[0]


def replace(path, text):
    """In one go, as editors do: nobody reads half of it."""
    with open(path + ".new", "w") as f:
        f.write(text)
    os.replace(path + ".new", path)


def texts(studio, folder):
    a, b = studio.tab(), studio.tab()
    opened = a.call("text.open", file="tanks.dym")
    b.call("text.open", file="tanks.dym")
    text = opened["text"]
    at = text.index("Area(2)") if "Area(2)" in text else text.index("2")
    edited = a.call("text.edit", file="tanks.dym", version=1, edits=[{"begin": at, "end": at, "text": "ä"}])
    assert edited["version"] == 2 and not edited["saved"] and edited["can_undo"]
    event = b.wait_for("text.changed", file="tanks.dym", version=2)
    assert event["edits"] == [{"begin": at, "end": at, "text": "ä"}] and event["by"] == a.hello["connection"]
    stale = b.refused("text.edit", file="tanks.dym", version=1, edits=[])
    assert stale["code"] == "stale" and stale["version"] == 2
    inside = b.refused("text.edit", file="tanks.dym", version=2, edits=[{"begin": at + 1, "end": at + 1, "text": "x"}])
    assert inside["code"] == "bad-argument"
    a.call("text.undo", file="tanks.dym", version=2)
    a.call("text.redo", file="tanks.dym", version=3)
    undone = a.call("text.undo", file="tanks.dym", version=4)
    assert undone["saved"]
    assert b.call("text.open", file="tanks.dym")["text"] == text

    # Saving: one line is another one, the mode stays, a conflict keeps both texts.
    path = os.path.join(folder, "tanks.dym")
    os.chmod(path, 0o640)
    a.call("text.edit", file="tanks.dym", version=5, edits=[{"begin": 0, "end": 0, "text": "-- ours\n"}])
    a.call("text.save", file="tanks.dym", version=6)
    with open(path) as f:
        assert f.read() == "-- ours\n" + text
    assert os.stat(path).st_mode & 0o777 == 0o640
    replace(path, "-- theirs\n" + text)
    taken = b.wait_for("text.disk", file="tanks.dym", state="taken")
    a.call("text.edit", file="tanks.dym", version=taken["version"], edits=[{"begin": 0, "end": 0, "text": "-- mine\n"}])
    replace(path, "-- theirs again\n" + text)
    b.wait_for("text.disk", file="tanks.dym", state="conflict")
    conflict = a.refused("text.save", file="tanks.dym", version=taken["version"] + 1)
    assert conflict["code"] == "conflict" and conflict["disk"].startswith("-- theirs again")
    a.call("text.take_disk", file="tanks.dym", version=taken["version"] + 1)
    now = a.call("text.open", file="tanks.dym")
    assert now["text"].startswith("-- theirs again") and now["saved"] and now["can_undo"]
    a.close()
    b.close()


def understanding(tab, model):
    checked = tab.call("check", model=model)
    assert checked["ok"] and checked["states"] == ["Tank1.h", "Tank2.h", "Pipe1.v", "Pipe2.v"], checked
    why = tab.call("why", model=model, path="Tank1.P1")
    assert why["steps"] and all({"file", "begin", "end", "submodel"} <= set(s) for s in why["steps"]), why
    assert tab.refused("why", model=model, path="Tank1.PP1")["help"]
    paths = {i["path"] for i in tab.call("instances", model=model)["instances"]}
    assert {"Tank1", "Tank2", "Pipe1", "Pipe2"} <= paths
    incidence = tab.call("incidence", model=model)
    assert incidence["after"]["rows"] == incidence["after"]["columns"] == len(incidence["after"]["places"])
    classes = tab.call("classes", model=model)
    assert classes["default"] in {c["key"] for c in classes["classes"]}
    picture = tab.call("picture", model=model, key=classes["default"])["picture"]
    assert {b["name"] for b in picture["blocks"]} >= {"Tank1", "Pipe1"}
    drawn = tab.call("hardcopy", model=model, what="class", key=classes["default"], format="svg")
    assert drawn["type"] == "image/svg+xml" and len(drawn["base64"]) > 1000


def runs(program, studio, folder):
    tab = studio.tab()
    model = tab.call("model.open", file="tanks.dym")["model"]
    understanding(tab, model)
    expected = simulated(program, os.path.join(folder, "tanks.dym"))
    tab.call("run.start", model=model)
    assert finished(tab, model, 1)["state"] == "finished"
    for path in ("Tank1.h", "Pipe2.v"):
        times, values = rows_of(tab, model, 1, path)
        assert list(times) == expected["time"] and list(values) == expected[path], path

    # Paused, looked at and continued: the same to the bit.
    tab.call("run.pace", model=model, pace=1)
    tab.call("run.start", model=model)
    tab.call("run.pause", model=model)
    tab.call("run.pace", model=model, pace=None)
    tab.events.clear()
    tab.call("run.go_on", model=model, until=50)
    tab.wait_for("run.state", run=2, state="paused")
    tab.call("quantities", model=model)
    point = tab.call("checkpoint", model=model, label="here")
    tab.call("run.go_on", model=model)
    finished(tab, model, 2)
    times, values = rows_of(tab, model, 2, "Tank1.h")
    assert list(times) == expected["time"] and list(values) == expected["Tank1.h"]

    # A branch with another value, compared.
    tab.call("run.branch", model=model, checkpoint=point["checkpoint"], label="wider")
    tab.call("set", model=model, parameters={"Tank1.Area": 4})
    tab.call("run.go_on", model=model)
    finished(tab, model, 3)
    found = tab.call("run.compare", model=model, a=2, b=3)
    assert found["differences"] and found["t0"] == point["time"], found
    assert tab.call("changes", model=model, run=3)["parameters"] == {"Tank1.Area": 4}
    assert tab.refused("set", model=model, parameters={"Tank1.Aera": 4})["diagnostics"]
    tab.call("unset", model=model, parameters=["Tank1.Area"])

    # Curves are decimated without losing extremes; values are those of the rows.
    header, [(times, values)] = tab.call("curves", model=model, run=1, paths=["Tank1.h"], t0=None, t1=None, pixels=20)
    assert not header["curves"][0]["exact"] and len(times) <= 80
    assert min(values) == min(expected["Tank1.h"]) and max(values) == max(expected["Tank1.h"])
    at = tab.call("values", model=model, run=1, time=expected["time"][500], paths=["Tank1.h", "no"])
    assert at["values"] == [expected["Tank1.h"][500], None] and at["unknown"] == ["no"]

    # The console works on the same model; its own run leaves that of the page alone.
    tab.call("console", model=model, line="PAR Tank2.Area: 3")
    tab.wait_for("values.set", parameters={"Tank2.Area": 3})
    assert tab.call("console", model=model, line="SIMU 0 10")["outcome"] == "done"
    tab.call("unset", model=model, parameters=["Tank2.Area"])
    done = tab.call("operation", model=model, words=["check", "--json"])
    assert done["status"] == 0 and '"states": 4' in done["output"], done
    assert tab.refused("operation", model=model, words=["shell"])["code"] == "not-allowed"
    csv_file = tab.call("hardcopy", model=model, what="curves", run=1, paths=["Tank1.h"], format="csv")
    assert csv_file["type"] == "text/csv"
    tab.close()


def edits_count(studio):
    """An unsaved edit is what is checked and run; a mistake is told with its place."""
    tab = studio.tab()
    model = tab.call("model.open", file="tanks.dym")["model"]
    assert tab.call("check", model=model)["ok"]
    opened = tab.call("text.open", file="tanks.dym")
    broken = tab.call("text.edit", file="tanks.dym", version=opened["version"],
                      edits=[{"begin": len(opened["text"].encode()), "end": len(opened["text"].encode()), "text": "model"}])
    checked = tab.wait_for("checked", ok=False)
    error = checked["diagnostics"][0]
    assert error["severity"] == "error" and error["file"] == "tanks.dym" and error["end"] >= error["begin"], error
    assert tab.refused("run.start", model=model)["diagnostics"]
    tab.call("text.undo", file="tanks.dym", version=broken["version"])
    tab.wait_for("checked", ok=True)
    tab.close()


def events(studio):
    tab = studio.tab()
    tab.call("file.new", file="bouncer.dym", text=SWITCHED)
    model = tab.call("model.open", file="bouncer.dym")["model"]
    tab.call("settings.set", model=model, stop=3)
    tab.call("run.start", model=model)
    state = finished(tab, model, 1)
    assert state["state"] == "finished", state
    found = tab.call("events", model=model, run=1)
    assert found["total"] >= 1 and found["events"][0]["causes"][0]["kind"] == "crossing", found
    assert "reinit" in found["events"][0]["actions"][0]["text"]
    first = found["events"][0]["time"]
    before = tab.call("values", model=model, run=1, time=first, side="before", paths=["v"])["values"][0]
    after = tab.call("values", model=model, run=1, time=first, side="after", paths=["v"])["values"][0]
    assert before < 0 < after
    tab.close()


def deaths(studio):
    """A worker that is killed takes nothing with it: the model is there again, its run stands at its last checkpoint."""
    tab, other = studio.tab(), studio.tab()
    model = tab.call("model.open", file="tanks.dym")["model"]
    tab.call("set", model=model, parameters={"Tank1.Area": 2.5})
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(studio.process.pid)], capture_output=True, text=True, check=True)
    for pid in children.stdout.split():
        os.kill(int(pid), signal.SIGKILL)
    died = tab.wait_for("worker.died")
    assert died["restarted"] and "signal 9" in died["reason"], died
    assert other.call("files.list")["files"]
    assert tab.call("changes", model=model)["parameters"] == {"Tank1.Area": 2.5}
    tab.call("unset", model=model, parameters=["Tank1.Area"])
    tab.call("run.start", model=model)
    tab.wait_for("run.state", state="finished")
    tab.close()
    other.close()


def recovery(program, folder, environment):
    """What was not saved when the studio was killed is there again, with its undo."""
    studio = Studio(program, folder, environment=environment)
    tab = studio.tab()
    opened = tab.call("text.open", file="tanks.dym")
    tab.call("text.edit", file="tanks.dym", version=1, edits=[{"begin": 0, "end": 0, "text": "-- kept\n"}])
    studio.end(signal.SIGKILL)
    with Studio(program, folder, environment=environment) as again:
        tab = again.tab()
        assert any(f["file"] == "tanks.dym" and f["unsaved"] for f in tab.call("files.list")["files"])
        found = tab.call("text.open", file="tanks.dym")
        assert found["recovered"] and found["text"] == "-- kept\n" + opened["text"] and found["can_undo"]
        tab.call("text.undo", file="tanks.dym", version=found["version"])
        assert tab.call("text.open", file="tanks.dym")["saved"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    with tempfile.TemporaryDirectory() as base:
        folder = os.path.join(base, "models")
        os.mkdir(folder)
        environment = {"XDG_STATE_HOME": os.path.join(base, "state")}
        example = os.path.join(root, "examples", "tanks.dym")
        shutil.copy(example, folder)
        with open(example) as f:
            original = f.read()
        parts = 0
        with Studio(program, folder, environment=environment) as studio:
            for part in (lambda: texts(studio, folder), lambda: replace(os.path.join(folder, "tanks.dym"), original),
                         lambda: runs(program, studio, folder), lambda: edits_count(studio), lambda: events(studio),
                         lambda: deaths(studio)):
                part()
                parts += 1
        recovery(program, folder, environment)
        print(f"{parts} parts of sessions as expected")


if __name__ == "__main__":
    main()
