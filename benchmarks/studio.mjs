// Measures the studio in Chromium for benchmarks/studio.py: `node studio.mjs PROGRAM [--quick]` prints a JSON object {case, value, unit, goal} a line.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
process.env.CUTSET = process.argv[2];
const { closeBrowser, openPage, runIs, still, studio, theBrowser } = await import("../tests/studio/studio.mjs");

const quick = process.argv.includes("--quick");
const tell = (name, value, unit, goal) => console.log(JSON.stringify({ case: name, value, unit, goal }));
const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => sorted(values)[values.length >> 1];
const p95 = (values) => sorted(values)[Math.floor(values.length * 0.95)];

/** A plant of 17³ parts in three levels: 5 220 blocks and 9 824 lines. */
function plant() {
  const level = (name, child) => {
    const parts = Array.from({ length: 17 }, (_, i) => `b${i}`);
    return `model type ${name}\n  submodel (${child}) ${parts.join(", ")}\n  cut inlet, outlet, hot, cold\n  path flow (inlet - outlet), heat (hot - cold)\n` +
      `  connect (flow) ${parts.join(" to ")}\n  connect (heat) ${parts.join(" to ")}\nend\n`;
  };
  const leaf = "model type leaf\n  cut inlet (P / W)\n  cut outlet (P2 / -W)\n  cut hot (T / Q)\n  cut cold (T2 / -Q)\n  path flow (inlet - outlet), heat (hot - cold)\n" +
    "  parameter R=1\n  P - P2 = R*W\n  T - T2 = R*Q\nend\n";
  return leaf + level("section", "leaf") + level("unit", "section") + level("plant", "unit").replace("model type", "model");
}

/** One call to the server from the page, and how long it took. */
const timed = (page, script, argument) => page.evaluate(script, argument);

async function firstPicture() {
  await theBrowser();
  const times = [], whole = [];
  for (let i = 0; i < (quick ? 1 : 3); ++i) {
    const context = await (await theBrowser()).newContext({ viewport: { width: 1600, height: 1000 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    const begin = performance.timeOrigin + performance.now();
    const boiler = await studio({ examples: ["boiler.dym"], open: "boiler.dym" });
    await page.goto(boiler.url, { waitUntil: "commit" });
    await page.waitForSelector("#mirror [role=treeitem]", { state: "attached" });
    whole.push(performance.timeOrigin + performance.now() - begin);
    times.push(await page.evaluate(() => performance.timeOrigin + performance.getEntriesByName("first picture")[0].startTime) - begin);
    await context.close();
    await boiler.end();
  }
  tell("boiler, command to first picture", median(times), "ms", 500);
  tell("boiler, command to the picture at rest", median(whole), "ms", null);
}

async function frames() {
  const large = await studio({ texts: { "plant.dym": plant() }, open: "plant.dym" });
  const { page, context } = await openPage(large.url, { reducedMotion: "no-preference" });
  const canvas = await page.locator("canvas.sheet").boundingBox();
  await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
  const zoom = async () => {
    for (const by of [-240, 240]) {
      for (let i = 0; i < (quick ? 8 : 24); ++i) await page.mouse.wheel(0, by);
      await still(page);
    }
  };
  await zoom();  // pictures are fetched
  await page.evaluate(() => {
    window.intervals = [];
    let last;
    const tick = (now) => {
      if (last !== undefined) window.intervals.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const before = await page.evaluate(() => window.studio.frames().length);
  await zoom();
  const intervals = await page.evaluate(() => window.intervals), drawn = (await page.evaluate(() => window.studio.frames())).slice(before);
  const costs = drawn.length > 0 ? drawn : await page.evaluate(() => window.studio.frames());
  await context.close();
  await large.end();
  tell("5 220 blocks, frame p95 while zooming", p95(intervals), "ms", 17);
  tell("5 220 blocks, script of a frame p95", p95(costs.map((frame) => frame.script)), "ms", 6);
  tell("5 220 blocks, most shapes in a frame", Math.max(...costs.map((frame) => frame.primitives)), "shapes", 3000);
}

async function editing() {
  const boiler = await studio({ examples: ["boiler.dym"], open: "boiler.dym" });
  const { page, context } = await openPage(boiler.url);
  await page.waitForFunction(() => document.querySelector(".status")?.textContent.includes("equations"));
  const picture = [], check = [];
  for (let i = 0; i < (quick ? 2 : 9); ++i) {
    const times = await timed(page, (value) => window.studio.measureEdit("boiler.dym", "N2=", value), `24${i}E3`);
    picture.push(times.picture);
    check.push(times.check);
  }
  tell("boiler, edit to changed picture", median(picture), "ms", 50);
  tell("boiler, edit to diagnostics", median(check), "ms", 150);
  await context.close();
  await boiler.end();
}

async function curves() {
  const tanks = await studio({ examples: ["tanks.dym"], open: "tanks.dym" });
  const { page, context } = await openPage(tanks.url);
  await page.getByRole("button", { name: /Simulate/ }).first().click();
  await runIs(page, "finished");
  const fresh = [], slid = [];
  for (let i = 0; i < (quick ? 2 : 9); ++i) {
    fresh.push(await timed(page, () => window.studio.measureRun("Tank1.h")));
    slid.push(await timed(page, (value) => window.studio.measureSlider("Tank1.Area", value, "Tank1.h"), 2 + 0.1 * i));
  }
  tell("tanks, start of a run to its curve", median(fresh), "ms", 300);
  tell("tanks, slider to changed curve", median(slid), "ms", 50);
  await context.close();
  await tanks.end();
}

async function longRun() {
  const rows = quick ? 100_000 : 1_000_000;
  const states = Array.from({ length: 50 }, (_, i) => `x${i}`), outputs = Array.from({ length: 50 }, (_, i) => `y${i}`);
  const text = `model long\n  local ${[...states, ...outputs].join(", ")}\n${states.map((x, i) => `  ${x}(0) = ${i + 1}\n  der(${x}) = sin(time*${1 + i / 10}) - 0.1*${x}\n  y${i} = ${x}*${x}\n`).join("")}end\n`;
  const long = await studio({ texts: { "long.dym": text }, open: "long.dym" });
  const { page, context } = await openPage(long.url);
  await page.waitForFunction(() => document.querySelector(".status")?.textContent.includes("equations"));
  const begin = performance.now();
  await page.evaluate((points) => window.studio.ask("settings.set", { stop: 1000, points }), rows);
  await page.getByRole("button", { name: /Simulate/ }).first().click();
  await runIs(page, "finished", "paused");
  tell(`${rows} rows of 100 variables, run`, (performance.now() - begin) / 1000, "s", null);
  await timed(page, (paths) => window.studio.measureCurves(paths, 0, 1000), [...states.slice(0, 4), ...outputs.slice(0, 4)]);
  const times = [];
  for (let i = 0; i < 20; ++i) times.push(await timed(page, ([paths, t0, t1]) => window.studio.measureCurves(paths, t0, t1), [[...states.slice(0, 4), ...outputs.slice(0, 4)], 10 * i, 1000 - 20 * i]));
  tell(`${rows} rows of 100 variables, 8 curves p95`, p95(times), "ms", 17);
  await context.close();
  await long.end();
}

for (const part of [firstPicture, frames, editing, curves, longRun]) await part();
await closeBrowser();
const folder = join(process.argv[2], "../../studio");
const bytes = ["index.html", "studio.js", "chunk.js", "studio.css"].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
tell("first load, compressed", bytes / 1000, "kB", 320);
