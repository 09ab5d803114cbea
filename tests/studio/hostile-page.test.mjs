// A page of somebody else, in the same browser: it can neither read the studio, nor speak to it, nor show it in a frame, nor pretend to be it by
// a name that leads to 127.0.0.1.

import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { chromium } from "../../apps/studio/page/node_modules/playwright-core/index.mjs";
import { assert, studio } from "./studio.mjs";

let tanks, evil, browser, page;

before(async () => {
  tanks = await studio({ examples: ["tanks.dym"], open: "tanks.dym" });
  evil = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>evil</title><body></body>");
  });
  await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu", "--host-resolver-rules=MAP evil.test 127.0.0.1"],
  });
  page = await (await browser.newContext()).newPage();
  await page.goto(`http://evil.test:${evil.address().port}/`);
});

after(async () => {
  await browser.close();
  evil.close();
  await tanks.end();
});

const port = () => Number(new URL(tanks.url).port);
const token = () => /k=([0-9a-f]+)/.exec(tanks.url)[1];

test("it reads nothing by fetch, by either name", async () => {
  for (const host of ["127.0.0.1", "localhost", "evil.test"]) {
    const told = await page.evaluate(async (url) => {
      try {
        return (await (await fetch(url)).text()).length;
      } catch {
        return "refused";
      }
    }, `http://${host}:${port()}/`);
    assert.equal(told, "refused", host);
  }
});

test("its WebSocket is closed before a word is said, even with the right token", async () => {
  for (const host of ["127.0.0.1", "localhost", "evil.test"]) {
    const told = await page.evaluate(([url, secret]) => new Promise((resolve) => {
      const socket = new WebSocket(url);
      let heard = "";
      socket.onopen = () => socket.send(JSON.stringify({ id: 1, call: "hello", protocol: 1, token: secret }));
      socket.onmessage = (message) => { heard += message.data; };
      socket.onclose = () => resolve(heard);
      setTimeout(() => resolve(`${heard}still open`), 3000);
    }), [`ws://${host}:${port()}/session`, token()]);
    assert.equal(told, "", host);
  }
});

test("a frame of the studio stays empty", async () => {
  const seen = await page.evaluate((url) => new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.src = url;
    frame.onload = () => resolve("loaded");
    document.body.append(frame);
  }), tanks.url);
  assert.equal(seen, "loaded");  // of the error page: browsers do not tell the difference to the page around
  const frame = page.frames().find((each) => each !== page.mainFrame());
  assert.equal(await frame.evaluate(() => document.querySelector("#studio") === null).catch(() => true), true);
});

test("a name that leads to 127.0.0.1 is not the studio's: it is told to go elsewhere", async () => {
  const other = await browser.newPage();
  const answer = await other.goto(`http://evil.test:${port()}/`);
  assert.equal(answer.status(), 421);
  assert.equal(await other.evaluate(() => document.querySelector("#studio")), null);
  await other.close();
});

test("forms and scripts of others do nothing, and the studio answers its own page as before", async () => {
  await page.evaluate(async (url) => {
    const script = document.createElement("script");
    script.src = `${url}studio.js`;
    document.head.append(script);
    await new Promise((resolve) => { script.onload = script.onerror = resolve; });
    const form = Object.assign(document.createElement("form"), { method: "POST", action: `${url}session`, target: "_blank" });
    document.body.append(form);
    form.submit();
  }, `http://127.0.0.1:${port()}/`);
  const own = await browser.newPage();
  await own.goto(tanks.url);
  await own.waitForFunction(() => document.querySelector("#mirror [data-path=Tank1]") !== null);
  await own.close();
});
