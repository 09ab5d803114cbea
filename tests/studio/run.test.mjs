// Running and understanding: simulate, curves, values on the picture, sliders, branches, errors, why, text.

import { readFileSync } from "node:fs";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { assert, block, closeBrowser, flyTo, mirror, openPage, pointOf, rest, runIs, studio } from "./studio.mjs";

after(closeBrowser);

function suite(name, given, tests) {
  describe(name, () => {
    const held = {};
    // Each test has a studio of its own: runs and values outlive a page.
    beforeEach(async () => {
      held.studio = await studio(given);
      Object.assign(held, await openPage(held.studio.url));
    });
    afterEach(async () => {
      await held.context.close();
      await held.studio.end();
    });
    tests(held);
  });
}

const simulate = async (page) => {
  await page.getByRole("button", { name: "Simulate" }).click();
  await runIs(page, "finished");
};

const plotted = (page) => page.locator(".plot .legend span").allTextContents();

suite("a run", { examples: ["tanks.dym"], open: "tanks.dym" }, (held) => {
  test("simulates, shows values on the picture and the curves of a connection", async () => {
    const { page, complaints } = held;
    await simulate(page);
    await flyTo(page, "Tank1");
    await page.waitForFunction(() => [...document.querySelectorAll("#mirror [data-part=text]")].some((item) => item.dataset.name === "h" && /level [−\d.e]+$/.test(item.getAttribute("aria-label"))));
    await page.keyboard.press("Home");
    await rest(page);
    const line = (await mirror(page)).find((item) => item.part === "line" && item.name.includes("Tank1") && item.name.includes("Pipe1"));
    const points = await page.evaluate(() => [...document.querySelectorAll("#mirror [data-part=line]")].map((item) => item.dataset.name));
    assert.ok(line !== undefined, points.join(", "));
    const at = await pointOf(page, line);
    await page.mouse.click(at.x, at.y);
    await page.locator(".plot canvas").first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".plot .legend span").length >= 3);
    assert.ok((await plotted(page)).some((text) => /q/.test(text)));
    assert.deepEqual(complaints, []);
  });

  test("a page that is loaded again has the run, its values and its view as before", async () => {
    const { page } = held;
    await simulate(page);
    await flyTo(page, "Tank1");
    await page.reload();
    await rest(page);
    assert.equal((await page.locator(".crumbs button").allTextContents()).at(-1), "Tank1");
    await runIs(page, "finished");
    await page.waitForFunction(() => [...document.querySelectorAll("#mirror [data-part=text]")].some((item) => item.dataset.name === "h" && /level [−\d.e]+$/.test(item.getAttribute("aria-label"))));
  });

  test("an instant of the run is shown by scrubbing", async () => {
    const { page } = held;
    await simulate(page);
    const axis = page.getByRole("slider", { name: "Time shown" });
    await axis.focus();
    await axis.press("Home");
    await page.waitForFunction(() => document.querySelector(".run .clock").textContent.includes("t = 0"));
    await flyTo(page, "Tank1");
    await page.waitForFunction(() => [...document.querySelectorAll("#mirror [data-part=text]")].some((item) => item.dataset.name === "h" && /level 1$/.test(item.getAttribute("aria-label"))), undefined, { timeout: 20000 });
  });

  test("a parameter set by its field acts on the next run", async () => {
    const { page } = held;
    await page.getByRole("tab", { name: "Values" }).click();
    const field = page.getByRole("textbox", { name: "Tank1.Area" });
    await field.fill("4");
    await field.press("Enter");
    await page.getByRole("button", { name: /Take back 1/ }).waitFor();
    await simulate(page);
    await page.getByRole("button", { name: /Take back 1/ }).click();
    await page.getByRole("button", { name: /Take back/ }).waitFor({ state: "detached" });
  });

  test("paused, checkpoint, branch, compare", async () => {
    const { page } = held;
    await page.getByLabel("Until").fill("100000");
    await page.getByLabel("Until").press("Enter");
    await page.getByRole("button", { name: "Simulate" }).click();
    await runIs(page, "running", "finished");
    if (await page.getByRole("button", { name: "Pause" }).isVisible()) await page.getByRole("button", { name: "Pause" }).click();
    await runIs(page, "paused", "finished");
    await page.getByRole("tab", { name: "Runs" }).click();
    await page.getByRole("button", { name: "Checkpoint" }).click();
    await page.getByRole("button", { name: "Branch" }).first().click();
    await runIs(page, "paused");
    await page.locator(".quantity").first().waitFor();  // the values are there to be changed
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByLabel("Until").fill("200");
    await page.getByLabel("Until").press("Enter");
  });
});

suite("understanding", { examples: ["boiler.dym"], open: "boiler.dym" }, (held) => {
  test("why: the chain of equations, each flies to its place", async () => {
    const { page } = held;
    await page.getByRole("tab", { name: "Why" }).click();
    await page.getByRole("textbox", { name: "Variable" }).fill("powerstation.drum.risers.Rm");
    await page.getByRole("textbox", { name: "Variable" }).press("Enter");
    await page.locator(".step").first().waitFor();
    const steps = await page.locator(".step").count();
    assert.ok(steps >= 1);
    await page.locator(".step").last().click();
    await rest(page);
    assert.ok((await page.locator(".crumbs button").allTextContents()).length >= 3);
  });

  test("the incidence of its equations, and loops that light up", async () => {
    const { page } = held;
    await page.getByRole("tab", { name: "Structure" }).click();
    await page.getByRole("img", { name: /Incidence of \d+ equations/ }).waitFor();
    if (await page.locator(".step.loop").count() > 0) {
      await page.locator(".step.loop").first().click();
      await page.locator(".chips button").first().waitFor();
    }
  });
});

suite("errors", {
  texts: { "wrong.dym": "model type Tank\n  cut inlet(P / q)\n  parameter A=2\n  local h\n  A*der(h) = q\n  P = 1000*hh\nend\n\nmodel wrong\n  submodel (Tank) a, b\n  connect a:inlet at b:inlet\nend\n" },
  open: "wrong.dym",
}, (held) => {
  test("are marked on their block and told in the words of the command line; the text mends them", async () => {
    const { page } = held;
    await page.locator(".status.bad").waitFor();
    await page.locator(".status.bad").click();
    const told = await page.locator(".problem").first().textContent();
    assert.match(told, /hh/);
    await page.waitForFunction(() => document.querySelector("#mirror [data-part=problem]") !== null);
    assert.ok((await mirror(page)).filter((item) => item.part === "block").length >= 2, "the rest is drawn");
    await page.locator(".problem").first().click();
    await rest(page);
    await page.getByRole("tab", { name: "Text" }).click();
    const editor = page.locator(".cm-content");
    await editor.waitFor();
    await page.waitForFunction(() => document.querySelector(".shadow-host")?.shadowRoot?.querySelector(".cm-content")?.textContent.includes("1000*hh"));
    await editor.locator(".cm-line").filter({ hasText: "1000*hh" }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
    await page.getByRole("button", { name: "Save", exact: true }).and(page.locator(":enabled")).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForFunction(() => document.querySelector(".panel header h2")?.textContent === "wrong.dym");
    assert.match(readFileSync(`${held.studio.folder}/wrong.dym`, "utf8"), /P = 1000\*h\n/);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => document.querySelector(".shadow-host").shadowRoot.querySelector(".cm-content").textContent.includes("1000*hh"));
  });

  test("a file changed by another program is taken", async () => {
    const { page, studio: { write, read } } = held;
    await page.getByRole("tab", { name: "Text" }).click();
    await page.locator(".cm-content").waitFor();
    await page.waitForFunction(() => document.querySelector(".shadow-host")?.shadowRoot?.querySelector(".cm-content")?.textContent.includes("model"));
    const text = read("wrong.dym");
    write("wrong.dym", text.replace("parameter A=2", "parameter A=7"));
    await page.waitForFunction(() => {
      const content = document.querySelector(".shadow-host").shadowRoot.querySelector(".cm-content").textContent;
      return content.includes("A=7") || document.querySelector("[role=alert]") !== null;
    });
  });
});

suite("a worker that is killed", { examples: ["tanks.dym"], open: "tanks.dym" }, (held) => {
  test("is told, started again, and the page goes on", async () => {
    const { page, studio: { process: server } } = held;
    const { execFileSync } = await import("node:child_process");
    const workers = execFileSync("ps", ["-o", "pid=", "--ppid", String(server.pid)]).toString().trim().split(/\s+/).map(Number);
    assert.ok(workers.length >= 1);
    for (const worker of workers) process.kill(worker, "SIGKILL");
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").textContent(), /ended/);
    await simulate(page);
    assert.ok((await block(page, "Tank1")) !== undefined);
  });
});
