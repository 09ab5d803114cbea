// The studio in a browser, for tests: starts `cutset studio` on a copy of the models, opens pages in one Chromium, and reads the mirror of
// the picture (the elements for screen readers), which is made of the same list as the pixels. It waits for states, never for a time.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "../../apps/studio/page/node_modules/playwright-core/index.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const program = process.env.CUTSET ?? join(root, "build/test/cutset");
const patience = 60_000;

/** A studio on a folder of its own with copies of `examples` and texts given, and with more of the environment; ended by `end()`. */
export async function studio({ examples = [], texts = {}, open, environment = {} }) {
  const folder = mkdtempSync(join(tmpdir(), "cutset-studio-"));
  mkdirExamples(folder, examples);
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const child = spawn(program, ["studio", join(folder, open), "--no-browser", "--print-url", "--stay"], { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } });
  let words = "";
  child.stderr.on("data", (data) => { words += data; });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /http:\/\/\S+/.exec(line);
      if (found !== null) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`cutset studio ended with ${code}: ${words}`)));
  });
  return {
    url, folder, process: child,
    read: (name) => readFileSync(join(folder, name), "utf8"),
    write: (name, text) => writeFileSync(join(folder, name), text),
    async end() {
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.removeAllListeners("exit");
      child.on("exit", () => undefined);
      child.kill("SIGTERM");
      await Promise.race([ended, new Promise((resolve) => child.once("close", resolve))]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Examples name their libraries by `../libraries`, so the copy keeps that place: the folder's own copy is beside them. */
function mkdirExamples(folder, examples) {
  for (const name of examples) {
    const text = readFileSync(join(root, "examples", name), "utf8");
    writeFileSync(join(folder, name.split("/").at(-1)), text.replaceAll("\"../libraries/", "\"libraries/"));
  }
  if (examples.length > 0) cpSync(join(root, "libraries"), join(folder, "libraries"), { recursive: true });
}

let browser;

export async function theBrowser() {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync", "--disable-component-update",
    ],
  });
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/** A page on a studio. `complaints` gathers what it wrote on its console and what it asked of others. */
export async function openPage(url, { scheme = "light", reducedMotion = "reduce", context, size = { width: 1600, height: 1000 }, ratio = 1, hash = "" } = {}) {
  const own = context ?? await (await theBrowser()).newContext({ viewport: size, colorScheme: scheme, reducedMotion, deviceScaleFactor: ratio, acceptDownloads: true });
  const page = await own.newPage();
  page.setDefaultTimeout(patience);
  const complaints = [];
  const origin = new URL(url).origin;
  page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !message.text().includes("willReadFrequently")) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(error.stack ?? String(error)));
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(origin) && !address.startsWith("data:") && !address.startsWith("blob:")) complaints.push(`asked for ${address}`);
  });
  await page.goto(url + hash);
  await rest(page);
  return { page, context: own, complaints };
}

/** Waits until the picture is there and stands still. */
export async function rest(page) {
  await page.waitForFunction(() => window.studio?.resting() === true && document.querySelector("#mirror [role=treeitem]") !== null, undefined, { timeout: patience });
  // The mirror follows the frame at rest by one turn of the page.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Waits until nothing moves, also where there is nothing to see. */
export function still(page) {
  return page.waitForFunction(() => window.studio.resting(), undefined, { timeout: patience });
}

/** What is drawn: part, path of the block, name, level, rectangle, label. */
export function mirror(page) {
  return page.evaluate(() => [...document.querySelectorAll("#mirror [role=treeitem]")].map((item) => {
    const [x, y, w, h] = item.dataset.rect.split(" ").map(Number);
    const [atX, atY] = item.dataset.at.split(" ").map(Number);
    return { atX, atY, part: item.dataset.part, path: item.dataset.path, name: item.dataset.name, level: item.dataset.level, label: item.getAttribute("aria-label"), x, y, w, h };
  }));
}

export async function block(page, path) {
  return (await mirror(page)).find((item) => item.part === "block" && item.path === path);
}

/** The view of a path, by the address of the page. */
export async function flyTo(page, path) {
  await page.locator("canvas.sheet").focus();
  await page.keyboard.press("/");
  const input = page.getByRole("combobox", { name: "Search" });
  await input.fill(path);
  await page.locator("#found0").filter({ hasText: path.split(".").at(-1) }).waitFor();
  await input.press("Enter");
  await rest(page);
}

/** Where the canvas lies on the page: mirror coordinates are its own. */
export async function onPage(page, item, dx = 0.5, dy = 0.5) {
  const box = await page.locator("canvas.sheet").boundingBox();
  return { x: box.x + item.x + item.w * dx, y: box.y + item.y + item.h * dy };
}

/** A place of it where it can be pointed at. */
export async function pointOf(page, item) {
  const box = await page.locator("canvas.sheet").boundingBox();
  return { x: box.x + item.atX, y: box.y + item.atY };
}

export function crumbs(page) {
  return page.locator(".crumbs button").allTextContents();
}

/** Waits for a condition on the page's run. */
export async function runIs(page, ...states) {
  await page.waitForFunction((wanted) => wanted.includes(document.querySelector(".run .state")?.textContent ?? ""), states, { timeout: patience });
}

/** The colour of a pixel of the canvas. */
export function pixel(page, x, y) {
  return page.evaluate(([px, py]) => {
    const canvas = document.querySelector("canvas.sheet");
    const ratio = canvas.width / canvas.clientWidth;
    return [...canvas.getContext("2d").getImageData(Math.round(px * ratio), Math.round(py * ratio), 1, 1).data.slice(0, 3)];
  }, [x, y]);
}

export { assert };

/** A page on a studio of its own, in which an action is tried; it may not complain. */
export async function opened(given, action) {
  const server = await studio(given);
  const { page, context, complaints } = await openPage(server.url);
  try {
    await action(page, server);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
    await server.end();
  }
}
