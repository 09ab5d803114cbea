// Takes the pictures of the studio in docs/ anew: `CUTSET=build/release/cutset node scripts/studio-pictures.mjs [FOLDER]`. Look at them before they are committed.

import { join } from "node:path";
import { closeBrowser, flyTo, mirror, onPage, openPage, rest, root, runIs, studio } from "../tests/studio/studio.mjs";

const folder = process.argv[2] ?? join(root, "docs");
const boiler = await studio({ examples: ["boiler.dym"], open: "boiler.dym" });
const { page } = await openPage(boiler.url, { size: { width: 1280, height: 800 } });
const shot = async (name) => {
  await rest(page);
  await page.mouse.move(640, 795);
  await page.screenshot({ path: join(folder, `studio-${name}.png`) });
};
await page.getByRole("button", { name: "Close the hint" }).click();
await shot("1-model");
await flyTo(page, "powerstation");
await shot("2-plant");
await flyTo(page, "powerstation.drum");
await shot("3-drum");
await flyTo(page, "powerstation.drum.downcomers");
await shot("4-equations");

// The load rises instead of falling: the run before lies beside.
await page.keyboard.press("Home");
await rest(page);
await page.getByRole("button", { name: /Simulate/ }).first().click();
await runIs(page, "finished");
const row = (await mirror(page)).find((item) => item.part === "text" && item.path === "" && item.name === "N2");
const at = await onPage(page, row, 0.2, 0.5);
await page.getByRole("tab", { name: "Plots", exact: true }).click();
await page.getByRole("textbox", { name: "Variables to plot" }).fill("powerstation.drum.downcomers.P");
await page.keyboard.press("Enter");
await page.getByRole("textbox", { name: "Variables to plot" }).fill("powerstation.N");
await page.keyboard.press("Enter");
await rest(page);
const again = (await mirror(page)).find((item) => item.part === "text" && item.path === "" && item.name === "N2") ?? row;
const there = again === row ? at : await onPage(page, again, 0.2, 0.5);
await page.mouse.click(there.x, there.y);
await page.getByRole("textbox", { name: "N2" }).fill("290E3");
await page.keyboard.press("Enter");
await page.waitForFunction(() => document.querySelectorAll(".plot .legend span").length >= 4);
await runIs(page, "finished");
await page.waitForTimeout(1200);  // the curves of both runs have come
await shot("5-run");
await page.close();
await boiler.end();

const { readFileSync } = await import("node:fs");
const text = readFileSync(join(root, "examples/tanks.dym"), "utf8").replaceAll("\"../libraries/", "\"libraries/").replace("to Pipe1 to", "to Pipe3 to");
const wrong = await studio({ examples: ["tanks.dym"], texts: { "tanks.dym": text }, open: "tanks.dym" });
const second = await openPage(wrong.url, { size: { width: 1280, height: 800 } });
await second.page.getByRole("button", { name: "Close the hint" }).click();
await second.page.getByRole("tab", { name: "Check", exact: true }).click();
await rest(second.page);
await second.page.screenshot({ path: join(folder, "studio-6-error.png") });
await closeBrowser();
await wrong.end();
