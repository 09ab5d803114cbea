#!/usr/bin/env python3
"""Hostile requests to the studio: each is refused or contained, changes no file, and the server answers the next honest one."""

import argparse
import json
import os
import shutil
import socket
import struct
import tempfile

from client import Closed, Studio, Tab, status

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOOD = "model ok\n  local x\n  der(x) = -x\n  x(0) = 1\nend\n"


def http(studio):
    """Requests that must be answered with one of these statuses, or with nothing at all."""
    port = studio.port
    own = f"127.0.0.1:{port}"

    def request(head, body=b""):
        return lambda: studio.raw(head.replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body)

    hosts = ["evil.test", "127.0.0.1.evil.test", f"127.1:{port}", f"2130706433:{port}", f"[::1]:{port}", f"user@{own}", f"127.0.0.1.:{port}",
             f"127.0.0.1:{port + 1}", "127.0.0.1", f"{own}@evil.test", f"LOCALHOST.evil:{port}", ""]
    for host in hosts:
        yield f"host {host!r}", request(f"GET / HTTP/1.1\nHost: {host}"), {400, 421}
    yield "no host", request("GET / HTTP/1.1"), {400, 421}
    yield "two hosts", request(f"GET / HTTP/1.1\nHost: {own}\nHost: evil.test"), {400, 421}
    yield "HTTP/1.0", request(f"GET / HTTP/1.0\nHost: {own}"), {505}
    yield "from another site", request(f"GET / HTTP/1.1\nHost: {own}\nSec-Fetch-Site: cross-site"), {403}
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "NONSENSE"):
        yield f"method {method}", request(f"{method} / HTTP/1.1\nHost: {own}\nOrigin: http://evil.test\nAccess-Control-Request-Method: PUT"), {400, 405}
    yield "a form", request(f"POST /session HTTP/1.1\nHost: {own}\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 3", b"a=b"), {400, 405}
    for target in ("//", "/../", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/%00", "/studio.js%00.css", f"http://{own}/", "/index.html", "/tanks.dym",
                   "/?k=1", "/" + "a" * 12000, "\\..\\", "*"):
        yield f"target {target[:20]}", request(f"GET {target} HTTP/1.1\nHost: {own}"), {400, 404}
    yield "20 kB of target", request(f"GET /{'a' * 20000} HTTP/1.1\nHost: {own}"), {400, 414, 431}
    yield "20 kB of header", request(f"GET / HTTP/1.1\nHost: {own}\nX: {'a' * 20000}"), {400, 431}
    yield "5000 headers", request(f"GET / HTTP/1.1\nHost: {own}\n" + "\n".join(f"X{i}: 1" for i in range(5000))), {400, 431}
    yield "chunked and length", request(f"GET / HTTP/1.1\nHost: {own}\nTransfer-Encoding: chunked\nContent-Length: 5", b"0\r\n\r\n"), {400}
    yield "bad chunks", request(f"GET / HTTP/1.1\nHost: {own}\nTransfer-Encoding: chunked", b"zzz\r\n"), {400}
    yield "length below zero", request(f"GET / HTTP/1.1\nHost: {own}\nContent-Length: -1"), {400}
    yield "no HTTP", lambda: studio.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc" + b"\0" * 200), {400}
    yield "a header folded", request(f"GET / HTTP/1.1\nHost: {own}\nX: a\n b"), {200, 400}
    yield "half closed", lambda: studio.raw(f"GET / HTTP/1.1\r\nHost: {own}\r\n\r\n".encode(), half_close=True), {200}
    pipelined = f"GET / HTTP/1.1\r\nHost: {own}\r\n\r\n".encode()
    yield "pipelined", lambda: studio.raw(pipelined * 50), {200}


def upgrades(studio):
    """Openings of a WebSocket that must be refused."""
    port = studio.port
    for origin in (None, "null", "http://evil.test", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}", f"http://a.localhost:{port}",
                   f"http://127.0.0.1:{port}.evil.test", f"http://user@127.0.0.1:{port}", "file://"):
        yield f"origin {origin}", {"Origin": origin}
    yield "no key", {"Sec-WebSocket-Key": None}
    yield "wrong version", {"Sec-WebSocket-Version": "8"}
    yield "wrong upgrade", {"Upgrade": "h2c"}
    yield "other site", {"Sec-Fetch-Site": "cross-site"}
    yield "other host", {"Host": "evil.test"}


def messages(studio):
    """Texts and frames after which the connection must be closed, without and with the token shown."""
    deep = '{"id":1,"call":"a","x":' + "[" * 100000 + "]" * 100000 + "}"
    for name, frames in {
        "no JSON": ["nonsense"], "a list": ["[1]"], "deep JSON": [deep], "no id": ['{"call":"files.list"}'], "an id below zero": ['{"id":-1,"call":"files.list"}'],
        "a large id": ['{"id":1e300,"call":"files.list"}'], "a call that is no text": ['{"id":9,"call":7}'], "not UTF-8": [b'{"id":9,"call":"\xff\xfe"}'],
    }.items():
        yield name, [("text", f) for f in frames]
    yield "binary", [("binary", b"\0\1\2")]
    yield "unmasked", [("unmasked", b'{"id":9,"call":"files.list"}')]
    yield "reserved bits", [("reserved", b'{"id":9,"call":"files.list"}')]
    yield "a huge length", [("raw", struct.pack("!BBQ", 0x81, 0x80 | 127, 1 << 62) + b"\0\0\0\0")]
    yield "5 MB", [("text", b'"' + b"a" * (5 << 20) + b'"')]
    yield "a fragmented bomb", [("raw", None)]
    yield "an unknown opcode", [("raw", struct.pack("!BB", 0x83, 0x80) + b"\0\0\0\0")]
    yield "a long ping", [("raw", struct.pack("!BBH", 0x89, 0x80 | 126, 1000) + b"\0" * 1004)]


def closes(tab, frames):
    try:
        for kind, payload in frames:
            if kind == "text":
                tab.send(payload)
            elif kind == "binary":
                tab.send(payload, opcode=2)
            elif kind == "unmasked":
                tab.send(payload, mask=False)
            elif kind == "reserved":
                tab.send(payload, reserved=4)
            elif payload is None:
                tab.send(b"{", fin=False)
                for _ in range(100):
                    tab.send(b" " * 65536, opcode=0, fin=False)
            else:
                tab.socket.sendall(payload)
        while True:
            answer = tab.receive(30)
            assert "event" in answer, answer
    except (Closed, BrokenPipeError, ConnectionResetError):
        return
    finally:
        tab.close()


def files(studio, tab):
    """Names of files and arguments that must be refused, each with a word."""
    names = ["../secret.dym", "/etc/passwd", "/etc/passwd.dym", "sub/../../secret.dym", "out.dym", "fifo.dym", "folder.dym", "/proc/self/mem", "proc.dym", "a\nb.dym", "a\x00.dym", ".hidden.dym",
             "", "a" * 5000 + ".dym", "latin.dym", "large.dym", "tanks.dym/", "tanks.DYM", "x.exe", "a\\b.dym", "library:../tanks.dym", "library:/etc/passwd",
             "library:nothing.dym", "sub//x.dym", "./tanks.dym"]
    for name in names:
        yield f"open {name[:24]!r}", lambda name=name: tab.refused("text.open", file=name)
        if name != "latin.dym" and name != "large.dym":
            yield f"new {name[:24]!r}", lambda name=name: tab.refused("file.new", file=name, text="x")
        yield f"model {name[:24]!r}", lambda name=name: tab.refused("model.open", file=name)
    yield "rename out", lambda: tab.refused("file.rename", file="ok.dym", to="../out2.dym")
    yield "rename over", lambda: tab.refused("file.rename", file="ok.dym", to="tanks.dym")
    yield "remove a link's target", lambda: tab.refused("file.remove", file="../secret.dym")
    for arguments in ({}, {"file": 7}, {"file": ["tanks.dym"]}, {"file": None}, {"file": "tanks.dym", "extra": 1}, {"file": {"a": 1}}):
        yield f"arguments {arguments}", lambda arguments=arguments: tab.refused("text.open", **arguments)
    for edits in ("x", [1], [{"begin": -1, "end": 0, "text": ""}], [{"begin": 5, "end": 2, "text": ""}], [{"begin": 0, "end": 1 << 40, "text": ""}],
                  [{"begin": 0, "end": 0, "text": 1}], [{"begin": 3, "end": 4, "text": ""}, {"begin": 0, "end": 1, "text": ""}], None):
        yield f"edits {edits}", lambda edits=edits: tab.refused("text.edit", file="tanks.dym", version=1, edits=edits)
    yield "an unknown call", lambda: tab.refused("eval", code="1")
    yield "a model of nobody", lambda: tab.refused("check", model="m99")
    yield "a model that is no text", lambda: tab.refused("check", model=[1])
    yield "hello again", lambda: tab.refused("hello", token=studio.token, protocol=1)
    yield "a large view", lambda: tab.refused("view.set", view={"a": "x" * 5000})


MODELS = {
    "brackets": "model m\n  parameter p = " + "(" * 1000000 + "1" + ")" * 1000000 + "\nend\n",
    "outside": 'table f "../secret.csv"\nmodel m\n  local x\n  der(x) = f(x)\nend\n',
    "absolute": 'table f "/etc/passwd"\nmodel m\n  local x\n  der(x) = f(x)\nend\n',
    "library": 'library "/etc/passwd"\nmodel m\n  local x\n  der(x) = x\nend\n',
    "recursion": "model type m\n  submodel (m) a\nend\nmodel r\n  submodel (m) b\nend\n",
    "doubling": "".join(f"model type a{i}\n  submodel (a{i - 1}) x y\nend\n" for i in range(1, 60)).replace("(a0)", "(b)") +
                "model type b\n  local z\n  z = 1\nend\nmodel top\n  submodel (a59) w\nend\n",
    "storm": "model m\n  local x\n  der(x) = if sin(1e9*time) > 0 then 1 else -1\n  x(0) = 0\nend\n",
    "not closed": "model m\n  local x\n  der(x) = ",
}


def models(tab):
    """Models that must end with a message, in their own process."""
    for name, text in MODELS.items():
        file = f"hostile-{name.replace(' ', '-')}.dym"
        tab.call("file.new", file=file, text=text)
        model = tab.call("model.open", file=file)["model"]
        answer = tab.ask("check", model=model)
        said = answer.get("error") or answer["result"]
        assert "error" in answer or name == "storm" or not said["ok"], f"{name}: {said}"
        assert "root:" not in json.dumps(said) and "s3cret" not in json.dumps(said), name
        tab.call("model.close", model=model)
        tab.call("file.remove", file=file)
        yield name


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    done = 0
    with tempfile.TemporaryDirectory() as base:
        folder = os.path.join(base, "models")
        os.mkdir(folder)
        shutil.copy(os.path.join(root, "examples", "tanks.dym"), folder)
        for name, text in {"../secret.dym": GOOD, "../secret.csv": "0,s3cret\n1,2\n", "ok.dym": GOOD}.items():
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        with open(os.path.join(folder, "latin.dym"), "wb") as f:
            f.write(b"-- \xe5\n" + GOOD.encode())
        with open(os.path.join(folder, "large.dym"), "wb") as f:
            f.truncate(17 << 20)
        os.mkfifo(os.path.join(folder, "fifo.dym"))
        os.mkdir(os.path.join(folder, "folder.dym"))
        os.symlink("../secret.dym", os.path.join(folder, "out.dym"))
        os.symlink("/proc/self/mem", os.path.join(folder, "proc.dym"))
        before = sorted(os.listdir(folder)), sorted(os.listdir(base))
        with Studio(program, folder, environment={"XDG_STATE_HOME": os.path.join(base, "state")}) as studio:
            honest = studio.tab()

            def alive(name):
                nonlocal done
                assert status(studio.get()) == 200, f"after {name}"
                assert honest.call("text.open", file="ok.dym")["text"] == GOOD, f"after {name}"
                done += 1

            for name, ask, wanted in http(studio):
                answer = ask()
                assert not answer or status(answer) in wanted, f"{name}: {answer[:200]}"
                assert b"Access-Control" not in answer and b"Set-Cookie" not in answer and answer.count(b"HTTP/1.1 ") <= 1, name
                alive(name)
            for name, headers in upgrades(studio):
                try:
                    Tab(studio, headers).close()
                    raise AssertionError(f"{name}: accepted")
                except Closed as closed:
                    assert closed.code != 101, name
                alive(name)
            for token in ("", "0" * 64, studio.token[:-1], studio.token + "0", studio.token[:-1] + "\0", studio.token.upper() + " "):
                tab = Tab(studio)
                closes(tab, [("text", json.dumps({"id": 1, "call": "hello", "token": token, "protocol": 1}))])
                alive(f"token {token}")
            for name, frames in messages(studio):
                for tab in (Tab(studio), studio.tab()):
                    try:
                        closes(tab, frames)
                    except TimeoutError:
                        raise AssertionError(f"{name}: not closed") from None
                    alive(name)
            flood = studio.tab()
            closes(flood, [("raw", struct.pack("!BB", 0x89, 0x80) + b"\0\0\0\0")] * 2000)
            alive("a flood of pings")
            slow = [studio.connect() for _ in range(120)]  # that say nothing, or nearly
            for s in slow[::2]:
                s.sendall(b"GET / HTTP/1.1\r\nHost: ")
            alive("silent connections")
            for s in slow:
                s.close()
            gone = studio.connect()  # that never reads its answer
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            gone.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            gone.close()
            alive("a reset")
            for name, refused in files(studio, honest):
                error = refused()
                assert error["message"], name
                alive(name)
            for name in models(honest):
                alive(name)
            honest.close()
        after = sorted(os.listdir(folder)), sorted(os.listdir(base))
        after = [f for f in after[0] if f != ".cutset-trash"], [f for f in after[1] if f != "state"]
        assert after == (before[0], before[1]), f"{before} {after}"
    print(f"{done} hostile requests refused or contained, the server answered after each")


if __name__ == "__main__":
    main()
