// Texts changed in the editor and in the picture: what stands in the file afterwards, to the byte, and what is lit of a contradiction.

import { after, test } from "node:test";
import { assert, block, closeBrowser, flyTo, mirror, onPage, opened, pointOf, rest } from "./studio.mjs";

after(closeBrowser);

const inEditor = (page, words) => page.waitForFunction((wanted) => document.querySelector(".shadow-host")?.shadowRoot?.querySelector(".cm-content")?.textContent.includes(wanted), words);

async function saved(page, server, name, wanted) {
  await page.getByRole("button", { name: "Save", exact: true }).and(page.locator(":enabled")).click();
  await page.waitForFunction(() => !document.querySelector(".panel header h2").textContent.includes("•"));
  assert.equal(server.read(name), wanted);
}

test("a text with carriage returns, umlauts and no last line end keeps all that is not typed", () => {
  const lines = ["-- Behälter über dem Fluß 😀", "model tank", "  parameter A=2\t-- Fläche", "  local h", "  A*der(h) = 1", "end", "-- last line"];
  const text = lines.join("\r\n");
  return opened({ texts: { "tank.dym": text }, open: "tank.dym" }, async (page, server) => {
    await page.getByRole("tab", { name: "Text" }).click();
    await inEditor(page, "der(h)");
    await page.locator(".cm-line").filter({ hasText: "A*der(h) = 1" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type("0");
    await page.keyboard.press("Enter");
    await page.keyboard.type("h(0) = 3");
    await saved(page, server, "tank.dym", text.replace("A*der(h) = 1", "A*der(h) = 10\r\n  h(0) = 3"));
    await page.keyboard.press("Control+End");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => !document.querySelector(".shadow-host").shadowRoot.querySelector(".cm-content").textContent.includes("h(0) = 3"));
  });
});

test("an equation is changed where it stands: the picture, the check and the file follow; Escape takes it back", () => {
  const text = "model tank\n  local h, q\n  der(h) = 1 - q -- balance\n  q = 2*h\nend\n";
  return opened({ texts: { "tank.dym": text }, open: "tank.dym" }, async (page, server) => {
    await page.waitForFunction(() => /2 equations/.test(document.querySelector(".status")?.textContent ?? ""));
    const begin = async () => {
      const row = (await mirror(page)).find((item) => item.part === "text" && item.label.includes("q = "));
      const at = await pointOf(page, row);
      await page.mouse.click(at.x, at.y);
      await page.getByRole("menuitem", { name: "Edit it here" }).click();
      return page.getByRole("textbox", { name: "Text of the statement" });
    };
    let field = await begin();
    assert.equal(await field.inputValue(), "q = 2*h");
    await field.fill("q = 2*hh");
    await page.getByRole("dialog").getByText("hh").waitFor();
    await page.waitForFunction(() => document.querySelector(".status.bad") !== null);
    await field.press("Escape");
    await page.waitForFunction(() => /2 equations/.test(document.querySelector(".status")?.textContent ?? ""));
    field = await begin();
    await field.fill("q = 3*h");
    await field.press("Control+s");
    await field.press("Enter");
    await page.waitForFunction(() => [...document.querySelectorAll("#mirror [data-part=text]")].some((item) => item.getAttribute("aria-label").includes("q = 3*h")));
    assert.equal(server.read("tank.dym"), text.replace("2*h", "3*h"));
  });
});

test("each equation of a contradiction is marked, and flown to", () => opened({
  texts: { "wrong.dym": "model type Two\n  output u\n  local v\n  u + v = 1\n  u + v = 2\n  der(v) = time\nend\n\nmodel wrong\n  submodel (Two) a\n  local x\n  x = a.u\nend\n" }, open: "wrong.dym",
}, async (page) => {
  await page.locator(".status.bad").click();
  const problem = page.locator(".problem").first();
  assert.match(await problem.textContent(), /contradict/);
  const others = problem.locator("button.where");
  assert.ok(await others.count() >= 1, await problem.textContent());
  await others.first().click();
  await rest(page);
  await page.waitForFunction(() => document.querySelectorAll("#mirror [data-part=problem]").length >= 1);
  assert.ok((await mirror(page)).some((item) => item.part === "text" && item.label.includes("u + v = 2")), "the view is at the equation");
}));

test("a breakpoint set with the mouse is one line of the text; the level changes there, also after a reload", () => {
  const text = "-- A tank.\nmodel type Tank\n  cut c(P / q)\n  local h\n  der(h) = q\n  P = h\nend\n\nmodel two\n  submodel (Tank) a, b\n  connect a:c at b:c\nend\n";
  return opened({ texts: { "two.dym": text }, open: "two.dym" }, async (page, server) => {
    const level = async () => (await block(page, "a")).level;
    const choose = async (name) => {
      const at = await onPage(page, await block(page, "a"), 0.5, 0.02);
      await page.mouse.click(at.x, at.y);
      await page.getByRole("menuitem", { name }).click();
    };
    await page.waitForFunction(() => document.querySelector("#mirror [data-part=block][data-path=a]")?.dataset.level === "inside");
    for (let i = 0; i < 2; ++i) await page.keyboard.press("+");
    await rest(page);
    const { w } = await block(page, "a");
    await choose("Open from this size on");
    await page.keyboard.press("Home");
    await page.waitForFunction(() => document.querySelector("#mirror [data-part=block][data-path=a]")?.dataset.level !== "inside");
    assert.notEqual(await level(), "inside");
    await page.getByRole("tab", { name: "Text" }).click();
    await inEditor(page, "--@ show inside above");
    await saved(page, server, "two.dym", text.replace("  P = h\n", `  P = h\n  --@ show inside above ${Math.round(w)}\n`));
    await page.reload();
    await rest(page);
    assert.notEqual(await level(), "inside");
    await choose("Open by its own size");
    await page.waitForFunction(() => document.querySelector("#mirror [data-part=block][data-path=a]")?.dataset.level === "inside");
  });
});

test("a block is analysed by itself, with the values of its use", () => opened({
  texts: { "loop.mo": "model Loop\n  block Lag\n    parameter Real T=1;\n    input Real u;\n    output Real y;\n  equation\n    T*der(y) + y = u;\n  end Lag;\n  Lag slow(T=4);\n  Lag fast(T=0.5);\nequation\n  slow.u = 1;\n  fast.u = slow.y;\nend Loop;\n" }, open: "loop.mo",
}, async (page) => {
  await page.waitForFunction(() => /equations/.test(document.querySelector(".status")?.textContent ?? ""));
  for (let i = 0; i < 4; ++i) await page.keyboard.press("-");
  await rest(page);
  const at = await pointOf(page, await block(page, "slow"));
  await page.mouse.click(at.x, at.y);
  await page.getByRole("menuitem", { name: "Analyse it by itself" }).click();
  await page.getByRole("heading", { name: "Analysis of slow" }).waitFor();
  await page.getByRole("button", { name: "Poles" }).click();
  await page.locator(".panel pre").filter({ hasText: "-0.25" }).waitFor();
  await page.getByRole("button", { name: "of the whole model" }).click();
  await page.getByRole("button", { name: "Poles" }).click();
  await page.locator(".panel pre").filter({ hasText: "-2" }).waitFor();
  await flyTo(page, "fast");
}));
