"""A studio and its tabs, for tests: starts `cutset studio`, speaks HTTP and WebSocket with nothing but sockets, so that what
no browser would send can be sent too."""

import base64
import json
import os
import re
import select
import socket
import struct
import subprocess
import time


class Closed(Exception):
    """The server closed the connection; code of the close frame, or None."""

    def __init__(self, code=None):
        super().__init__(f"closed, code {code}")
        self.code = code


class Studio:
    def __init__(self, program, directory, *options, environment=None):
        self.process = subprocess.Popen(
            [program, "studio", directory, "--no-browser", "--print-url", "--stay", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        line = self.process.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/#k=([0-9a-f]{64})\n", line)
        if not found:
            raise RuntimeError(f"no address: {line!r} {self.process.stderr.read()}")
        self.port, self.token = int(found[1]), found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, signal=15):
        if self.process.poll() is None:
            self.process.send_signal(signal)
        self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def raw(self, data, half_close=False):
        """What the server answers to these bytes, until it closes."""
        with self.connect() as s:
            try:
                s.sendall(data)
                if half_close:
                    s.shutdown(socket.SHUT_WR)
                out = b""
                while part := s.recv(65536):
                    out += part
            except (ConnectionResetError, BrokenPipeError):
                return b""
            return out

    def get(self, target="/", headers=None, method="GET", host=None):
        fields = {"Host": host or f"127.0.0.1:{self.port}", **(headers or {})}
        text = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items()) + "\r\n"
        return self.raw(text.encode())

    def tab(self, token=None):
        tab = Tab(self)
        tab.hello = tab.call("hello", token=token or self.token, protocol=1)
        return tab


def status(answer):
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else None


class Tab:
    def __init__(self, studio, headers=None, target="/session"):
        self.socket = studio.connect()
        self.bytes = b""
        self.events = []
        self.next_id = 1
        fields = {"Host": f"127.0.0.1:{studio.port}", "Origin": f"http://127.0.0.1:{studio.port}",
                  "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **(headers or {})}
        text = f"GET {target} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items() if v is not None)
        self.socket.sendall(text.encode() + b"\r\n")
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.socket.recv(65536)
            if not part:
                raise Closed()
            head += part
        self.answer, self.bytes = head.split(b"\r\n\r\n", 1)
        if status(self.answer) != 101:
            raise Closed(status(self.answer))

    def close(self):
        self.socket.close()

    def frame(self, payload, opcode=1, fin=True, mask=True, reserved=0):
        if isinstance(payload, str):
            payload = payload.encode()
        first = (0x80 if fin else 0) | reserved << 4 | opcode
        bit = 0x80 if mask else 0
        if len(payload) < 126:
            head = struct.pack("!BB", first, bit | len(payload))
        elif len(payload) < 65536:
            head = struct.pack("!BBH", first, bit | 126, len(payload))
        else:
            head = struct.pack("!BBQ", first, bit | 127, len(payload))
        if not mask:
            return head + payload
        key = b"mask"  # of zeros it would be one, but Firefox takes that for none
        n = len(payload)
        return head + key + (int.from_bytes(payload, "big") ^ int.from_bytes((key * (n // 4 + 1))[:n], "big")).to_bytes(n, "big")

    def send(self, payload, **kind):
        self.socket.sendall(self.frame(payload, **kind))

    def need(self, n, until):
        while len(self.bytes) < n:
            if not select.select([self.socket], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError
            try:
                part = self.socket.recv(1 << 20)
            except ConnectionResetError:
                raise Closed() from None
            if not part:
                raise Closed()
            self.bytes += part
        out, self.bytes = self.bytes[:n], self.bytes[n:]
        return out

    def receive(self, seconds=60):
        """The next message: a dict of a text, (header, columns) of a binary one."""
        until = time.monotonic() + seconds
        while True:
            first, length = self.need(2, until)
            if length == 126:
                length, = struct.unpack("!H", self.need(2, until))
            elif length == 127:
                length, = struct.unpack("!Q", self.need(8, until))
            payload = self.need(length, until)
            opcode = first & 15
            if opcode == 1:
                return json.loads(payload)
            if opcode == 2:
                return columns(payload)
            if opcode == 8:
                raise Closed(struct.unpack("!H", payload[:2])[0] if payload else None)
            if opcode == 9:
                self.send(payload, opcode=10)

    def post(self, name, **arguments):
        number, self.next_id = self.next_id, self.next_id + 1
        self.send(json.dumps({"id": number, "call": name, **arguments}))
        return number

    def answer_to(self, number, seconds=60):
        while True:
            message = self.receive(seconds)
            head = message[0] if isinstance(message, tuple) else message
            if head.get("id") == number:
                return message
            self.events.append(message)

    def ask(self, name, **arguments):
        return self.answer_to(self.post(name, **arguments))

    def call(self, name, **arguments):
        """The result; an error is one of the test."""
        answer = self.ask(name, **arguments)
        if isinstance(answer, tuple):
            return answer
        if "error" in answer:
            raise AssertionError(f"{name}: {answer['error']}")
        return answer["result"]

    def refused(self, name, **arguments):
        answer = self.ask(name, **arguments)
        assert not isinstance(answer, tuple) and "error" in answer, f"{name} {arguments}: {answer}"
        return answer["error"]

    def wait(self, wanted, seconds=60):
        """The first event, of those that came or come, that `wanted` says yes to; it and those before it are gone."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if wanted(event):
                    return event
            self.events.append(self.receive(seconds))

    def wait_for(self, name, **members):
        return self.wait(lambda e: isinstance(e, dict) and e.get("event") == name and
                         all(e.get(k) == v for k, v in members.items()))


def columns(message):
    length, = struct.unpack_from("<I", message)
    header = json.loads(message[4:4 + length])
    at, out = 4 + length, []
    assert at % 8 == 0
    for curve in header["curves"]:
        n = curve["points"]
        numbers = struct.unpack_from(f"<{2 * n}d", message, at)
        out.append((numbers[:n], numbers[n:]))
        at += 16 * n
    assert at == len(message)
    return header, out
