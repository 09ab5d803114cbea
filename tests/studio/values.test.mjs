// Values changed where they stand in the picture: by the mouse, for the experiment or in the text; a short run follows.

import { after, test } from "node:test";
import { assert, closeBrowser, flyTo, mirror, onPage, openPage, rest, runIs, studio } from "./studio.mjs";

after(closeBrowser);

async function rowOf(page, path, name) {
  const row = (await mirror(page)).find((item) => item.part === "text" && item.path === path && item.label.trim().split(/\s+/).includes(name));
  assert.ok(row !== undefined, `${name} of ${path} is in sight`);
  return row;
}

test("a click on a parameter sets it, the run is made anew and the one before lies beside", async () => {
  const tanks = await studio({ examples: ["tanks.dym"], open: "tanks.dym" });
  const { page, context, complaints } = await openPage(tanks.url);
  await page.getByRole("button", { name: /Simulate/ }).first().click();
  await runIs(page, "finished");
  await flyTo(page, "Tank1");
  const row = await rowOf(page, "Tank1", "Area");
  const at = await onPage(page, row, 0.05, 0.5);
  await page.mouse.click(at.x, at.y);
  const field = page.getByRole("textbox", { name: "Tank1.Area" });
  await field.fill("3");
  await field.press("Enter");
  await page.getByRole("tab", { name: "Runs", exact: true }).click();
  await page.locator(".panel", { hasText: "changed" }).waitFor();
  await runIs(page, "finished");
  // Into the text: one edit, which the editor can take back.
  await rest(page);
  const again = await onPage(page, await rowOf(page, "Tank1", "Area"), 0.05, 0.5);
  await page.mouse.click(again.x, again.y);
  await page.getByRole("button", { name: "Write into the text" }).click();
  await page.getByRole("tab", { name: "Text", exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".shadow-host")?.shadowRoot?.querySelector(".cm-content")?.textContent.includes("Tank1(Area=3)"));
  assert.ok(tanks.read("tanks.dym").includes("Tank1(Area=2)"), "the file is as it was until it is saved");
  await page.getByRole("button", { name: /Undo/ }).click();
  await page.waitForFunction(() => document.querySelector(".shadow-host")?.shadowRoot?.querySelector(".cm-content")?.textContent.includes("Tank1(Area=2)"));
  await context.close();
  await tanks.end();
  assert.deepEqual(complaints, []);
});

test("which equation gives the drum pressure, and what does it do when the load rises?", async () => {
  const boiler = await studio({ examples: ["boiler.dym"], open: "boiler.dym" });
  const { page, context, complaints } = await openPage(boiler.url);
  // By the words that one has in mind.
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search" }).fill("drum pressure");
  await page.locator("#found0").filter({ hasText: "powerstation.drum" }).waitFor();
  await page.keyboard.press("Enter");
  await rest(page);
  await flyTo(page, "powerstation.drum.downcomers");
  const equations = (await mirror(page)).filter((item) => item.part === "text").map((item) => item.label);
  assert.ok(equations.some((text) => text.includes("der(P)")), equations.join("; "));
  // The display of the plant shows power and pressure after a run; the load is a parameter in sight.
  await page.keyboard.press("Home");
  await rest(page);
  await page.getByRole("button", { name: /Simulate/ }).first().click();
  await runIs(page, "finished");
  const display = (await mirror(page)).find((item) => item.part === "plot" && item.path === "");
  assert.ok(display?.name.includes("downcomers.P"));
  const row = await rowOf(page, "", "N2");
  const at = await onPage(page, row, 0.05, 0.5);
  await page.mouse.click(at.x, at.y);
  const field = page.getByRole("textbox", { name: "N2" });
  await field.fill("290E3");
  await field.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Runs", exact: true }).click();
  await runIs(page, "finished");
  await context.close();
  await boiler.end();
  assert.deepEqual(complaints, []);
});
