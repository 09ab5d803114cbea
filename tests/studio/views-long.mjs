// Part of `./test --long`: random changes of the view, 10 000 or as many as VIEWS says. Nothing is complained of, memory does not grow, and at the end the
// whole model is seen as in the beginning.

import { assert, closeBrowser, mirror, openPage, rest, studio, theBrowser } from "./studio.mjs";

const count = Number(process.env.VIEWS ?? 10_000);
let seed = Number(process.env.SEED ?? 1);
const random = () => {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return seed / 4294967296;
};

const boiler = await studio({ examples: ["boiler.dym"], open: "boiler.dym" });
await theBrowser();
const { page, complaints } = await openPage(boiler.url);
const canvas = await page.locator("canvas.sheet").boundingBox();
const memory = () => page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
const rects = async () => (await mirror(page)).filter((item) => item.part === "block").map((item) => `${item.path} ${Math.round(item.x)} ${Math.round(item.w)}`).join("\n");
await page.keyboard.press("Home");
await rest(page);
const first = await rects();

const steps = [
  async (x, y) => { await page.mouse.move(x, y); await page.mouse.wheel(0, (random() - 0.5) * 900); },
  async (x, y) => { await page.mouse.move(x, y); await page.mouse.down(); await page.mouse.move(canvas.x + random() * canvas.width, canvas.y + random() * canvas.height); await page.mouse.up(); },
  (x, y) => page.mouse.dblclick(x, y),
  (x, y) => page.mouse.click(x, y, { button: "middle" }),
  ...["Escape", "Home", "+", "-", "ArrowLeft", "ArrowUp", "Tab", "Enter", "Alt+ArrowLeft", "Alt+ArrowRight"].map((key) => () => page.keyboard.press(key)),
];
let begin = 0;
for (let i = 0; i < count; ++i) {
  if (i === Math.floor(count / 10)) begin = await memory();
  await page.locator("canvas.sheet").focus();
  await steps[Math.floor(random() * steps.length)](canvas.x + random() * canvas.width, canvas.y + random() * canvas.height);
  if (i % 200 === 0) await rest(page);
}
for (let i = 0; i < 3; ++i) await page.keyboard.press("Escape");
await page.locator("canvas.sheet").focus();
await page.keyboard.press("Home");
await rest(page);
const grown = (await memory() - begin) / 1e6;
assert.equal(await rects(), first, "the whole model is seen as in the beginning");
assert.deepEqual(complaints, []);
assert.ok(grown < 30, `memory grew by ${grown.toFixed(1)} MB`);
console.log(`${count} changes of the view, memory grew by ${grown.toFixed(1)} MB`);
await closeBrowser();
await boiler.end();
