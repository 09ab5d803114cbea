// For everybody: what axe-core finds, keys for all that the mouse does, the tree that screen readers get, 200 % page zoom.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { assert, block, closeBrowser, crumbs, flyTo, mirror, openPage, rest, root, runIs, studio } from "./studio.mjs";

const axe = readFileSync(join(root, "apps/studio/page/node_modules/axe-core/axe.min.js"), "utf8");
const panels = ["Plots", "Values", "Runs", "Check", "Why", "Structure", "Analysis", "Text", "Console"];

let tanks;
before(async () => { tanks = await studio({ examples: ["tanks.dym"], open: "tanks.dym" }); });
after(async () => {
  await closeBrowser();
  await tanks.end();
});

/** Findings that keep people out, as "rule: element". */
async function findings(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "best-practice"] }));
  return result.violations.filter((v) => ["serious", "critical"].includes(v.impact)).flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.html.slice(0, 120)}`));
}

for (const scheme of ["light", "dark"]) {
  test(`axe-core has no serious findings, ${scheme}`, async () => {
    const { page, context } = await openPage(tanks.url, { scheme });
    await page.getByRole("button", { name: /Simulate/ }).first().click();
    await runIs(page, "finished");
    for (const name of panels) {
      await page.getByRole("tab", { name, exact: true }).click();
      assert.deepEqual(await findings(page), [], `with the panel ${name}`);
    }
    await page.keyboard.press("Escape");
    await page.locator("canvas.sheet").focus();
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search" }).fill("tank");
    await page.locator("#found0").waitFor();
    assert.deepEqual(await findings(page), [], "with the search");
    await context.close();
  });
}

describe("by keys alone", () => {
  test("from the model to a changed value, a run and its curve", async () => {
    const { page, context, complaints } = await openPage(tanks.url);
    const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
    await page.locator("canvas.sheet").focus();
    await press("/");
    await page.keyboard.type("Tank1.Area");
    await page.locator("#found0").filter({ hasText: "Area" }).waitFor();
    await press("Enter");
    await rest(page);
    assert.equal((await crumbs(page)).at(-1), "Tank1");
    // The rows of a text are reached by Tab as blocks are; Enter does what a click does.
    for (let i = 0; i < 40; ++i) {
      if (await page.evaluate(() => window.studio.selected()) === "text Area") break;
      await press("Tab");
    }
    assert.equal(await page.evaluate(() => window.studio.selected()), "text Area");
    await press("Enter");
    const field = page.getByRole("textbox", { name: "Tank1.Area" });
    await field.waitFor();
    await field.fill("4");
    await press("Enter");
    await press("Escape");
    await page.locator("canvas.sheet").focus();
    await press(" ");
    await runIs(page, "finished");
    await context.close();
    assert.deepEqual(complaints, []);
  });

  test("the tree of the screen reader has the names, roles and values that are drawn", async () => {
    const { page, context } = await openPage(tanks.url);
    const items = await mirror(page);
    assert.ok(items.some((item) => item.part === "block" && item.name === "Tank1"));
    const levels = await page.evaluate(() => [...document.querySelectorAll("#mirror [role=treeitem]")].every((item) => Number(item.getAttribute("aria-level")) >= 1 && item.getAttribute("aria-label") !== ""));
    assert.ok(levels, "each has a level and a label");
    assert.ok(await page.evaluate(() => document.querySelector("canvas.sheet").getAttribute("aria-describedby") === "mirror"));
    await context.close();
  });
});

test("at 200 % page zoom everything can still be reached", async () => {
  // What a zoom of 200 % does to the page: half the pixels, twice the ratio.
  const { page, context } = await openPage(tanks.url, { size: { width: 720, height: 450 }, ratio: 2 });
  for (const name of ["Simulate", "Zoom in", "Whole model", "Keys and help"]) assert.ok(await page.getByRole("button", { name }).first().isVisible(), name);
  await page.getByRole("tab", { name: "Values", exact: true }).click();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
  const box = await page.locator("canvas.sheet").boundingBox();
  assert.ok(box.width > 250, `the picture keeps ${box.width} pixels`);
  await context.close();
});
