// Looking: the picture of the boiler plant, its levels, flights, links, windows, keys, and other languages.

import { after, before, describe, test } from "node:test";
import { assert, block, closeBrowser, crumbs, flyTo, mirror, onPage, openPage, pixel, rest, still, studio } from "./studio.mjs";

let boiler;

before(async () => { boiler = await studio({ examples: ["boiler.dym"], open: "boiler.dym" }); });
after(async () => {
  await closeBrowser();
  await boiler.end();
});

async function withPage(action, options) {
  const { page, context, complaints } = await openPage(boiler.url, options);
  try {
    await action(page, context);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

describe("the first picture", () => {
  test("shows the top level, complains of nothing and asks nobody else", () => withPage(async (page) => {
    const names = (await mirror(page)).filter((item) => item.part === "block").map((item) => item.path);
    for (const name of ["powerstation", "sea", "generator"]) assert.ok(names.includes(name), `${name} among ${names.join(" ")}`);
    assert.equal(new URL(page.url()).hash.includes("k="), false, "the token is out of the address");
    assert.equal(await page.title(), "boiler – Cutset Studio");
  }));

  test("the mirror tells what the pixels show", () => withPage(async (page) => {
    const items = (await mirror(page)).filter((item) => item.part === "block" && item.w > 30 && item.w < 700);
    assert.ok(items.length >= 3);
    for (const item of items.slice(0, 5)) {
      const corner = await pixel(page, item.x + item.w * 0.5, item.y + 3), beside = await pixel(page, item.x - 6, item.y - 6);
      assert.notDeepEqual(corner, beside, `${item.path} has a colour of its own`);
    }
  }));

  test("a reload and a second tab show the same view", () => withPage(async (page, context) => {
    await flyTo(page, "powerstation.drum");
    const before = await block(page, "powerstation.drum");
    await page.waitForFunction(() => location.hash.includes("powerstation"));
    await page.reload();
    await rest(page);
    const reloaded = await block(page, "powerstation.drum");
    assert.ok(Math.abs(reloaded.x - before.x) < 2 && Math.abs(reloaded.w - before.w) < 2);
    const second = await context.newPage();
    await second.goto(page.url());
    await rest(second);
    const there = await block(second, "powerstation.drum");
    assert.ok(Math.abs(there.x - before.x) < 2 && Math.abs(there.w - before.w) < 2, "the link leads there");
  }));
});

describe("moving about", () => {
  test("the wheel zooms from the plant to one equation, level by level", () => withPage(async (page) => {
    await flyTo(page, "powerstation");
    const seen = new Set();
    for (let step = 0; step < 80; ++step) {
      const risers = await block(page, "powerstation.drum.risers");
      const target = risers ?? await block(page, "powerstation.drum");
      if (risers !== undefined) seen.add(risers.level);
      const rows = (await mirror(page)).filter((item) => item.part === "text" && item.path === "powerstation.drum.risers");
      if (rows.some((item) => item.label.includes("der(x)"))) {
        seen.add("equations");
        break;
      }
      const at = await onPage(page, target);
      await page.mouse.move(at.x, at.y);
      await page.mouse.wheel(0, -240);
      await rest(page);
    }
    assert.deepEqual([...seen].filter((level) => ["name", "purpose", "inside", "equations"].includes(level)), ["name", "purpose", "inside", "equations"]);
    assert.deepEqual((await crumbs(page)).slice(0, 3), ["boiler", "powerstation", "drum"]);
  }));

  test("quick zoom: a double click fills the window, on nothing it steps back, Escape goes out a level", () => withPage(async (page) => {
    const sea = await block(page, "sea");
    const at = await onPage(page, sea, 0.5, 0.5);
    await page.mouse.dblclick(at.x, at.y);
    await rest(page);
    const filled = await block(page, "sea");
    const canvas = await page.locator("canvas.sheet").boundingBox();
    assert.ok(filled.w > 0.85 * canvas.width || filled.h > 0.85 * canvas.height, `${filled.w} × ${filled.h}`);
    await page.keyboard.press("Escape");
    await rest(page);
    assert.deepEqual(await crumbs(page), ["boiler"]);
    const model = await block(page, "");
    await page.mouse.dblclick(canvas.x + 4, canvas.y + 4);
    await rest(page);
    const smaller = await block(page, "");
    assert.ok(Math.abs(smaller.w / model.w - 0.7) < 0.01, `to ${smaller.w / model.w}`);
    await page.keyboard.press("Home");
    await rest(page);
    assert.ok(Math.abs((await block(page, "")).w - model.w) < 2);
  }));

  test("the middle button on a text gives it the width of the window, with the row in the middle", () => withPage(async (page) => {
    await flyTo(page, "sea");
    const row = (await mirror(page)).find((item) => item.part === "text" && item.label.includes("W = W0"));
    const at = await onPage(page, row, 0.2, 0.5);
    await page.mouse.click(at.x, at.y, { button: "middle" });
    await rest(page);
    const canvas = await page.locator("canvas.sheet").boundingBox();
    const now = (await mirror(page)).find((item) => item.part === "text" && item.label.includes("W = W0"));
    assert.ok(Math.abs(now.y + now.h / 2 - canvas.height / 2) < 3, "in the middle");
    const all = (await mirror(page)).filter((item) => item.part === "text" && item.path === "sea");
    assert.ok(all.every((item) => item.x > -1 && item.x + item.w < canvas.width + 1), "none is wider than the window");
  }));

  test("dragging moves the picture with the hand", () => withPage(async (page) => {
    const before = await block(page, "sea");
    const canvas = await page.locator("canvas.sheet").boundingBox();
    await page.mouse.move(canvas.x + 300, canvas.y + 20);
    await page.mouse.down();
    await page.mouse.move(canvas.x + 390, canvas.y + 60, { steps: 5 });
    await page.mouse.up();
    await rest(page);
    const after = await block(page, "sea");
    assert.ok(Math.abs(after.x - before.x - 90) < 1.5 && Math.abs(after.y - before.y - 40) < 1.5);
  }));

  test("an interface opens to the variables of its cut", () => withPage(async (page) => {
    await flyTo(page, "powerstation.drum.risers");
    const port = (await mirror(page)).find((item) => item.part === "port" && item.path === "powerstation.drum.risers" && item.name === "inwater");
    const at = await onPage(page, port);
    await page.mouse.dblclick(at.x, at.y);
    await rest(page);
    const members = (await mirror(page)).filter((item) => item.part === "member" && item.path === "powerstation.drum.risers").map((item) => item.label);
    for (const wanted of ["across Pd", "across Hd", "through Wd"]) assert.ok(members.some((label) => label.includes(wanted)), `${wanted} among ${members.join(", ")}`);
  }));

  test("search flies to a block, the history comes back", () => withPage(async (page) => {
    await flyTo(page, "preh4");
    assert.equal((await crumbs(page)).at(-1), "preh4");
    await page.waitForFunction(() => location.hash.includes("powerstation"));
    await page.locator("canvas.sheet").focus();
    await page.keyboard.press("Alt+ArrowLeft");
    await rest(page);
    assert.deepEqual(await crumbs(page), ["boiler"]);
    await page.keyboard.press("Alt+ArrowRight");
    await rest(page);
    assert.equal((await crumbs(page)).at(-1), "preh4");
  }));

  test("by keys alone: select, zoom, menu, out", () => withPage(async (page) => {
    await page.locator("canvas.sheet").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await rest(page);
    assert.equal((await crumbs(page)).length, 2);
    await page.keyboard.press("m");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await rest(page);
    assert.deepEqual(await crumbs(page), ["boiler"]);
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys and mouse" }).waitFor();
  }));

  test("a flight takes its time and ends where it should, when motion is welcome", () => withPage(async (page) => {
    await flyTo(page, "powerstation.drum");
    assert.equal((await crumbs(page)).at(-1), "drum");
    const frames = await page.evaluate(() => window.studio.frames().length);
    assert.ok(frames > 5, `${frames} frames`);
  }, { reducedMotion: "no-preference" }));
});

describe("several windows", () => {
  test("each outlines what the other shows, and one sends the other to a block", () => withPage(async (page, context) => {
    const other = await context.newPage();
    await other.goto(page.url());
    await rest(other);
    await flyTo(other, "powerstation.drum");
    const outlined = async () => {
      const data = await page.evaluate(() => {
        const canvas = document.querySelector("canvas.sheet");
        const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0;
        // The colour of outlines: #8b5cc7.
        for (let i = 0; i < pixels.length; i += 4) if (Math.abs(pixels[i] - 0x8b) < 6 && Math.abs(pixels[i + 1] - 0x5c) < 6 && Math.abs(pixels[i + 2] - 0xc7) < 6) ++count;
        return count;
      });
      return data;
    };
    await page.waitForFunction(() => {
      const canvas = document.querySelector("canvas.sheet");
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      for (let i = 0; i < pixels.length; i += 4) if (Math.abs(pixels[i] - 0x8b) < 6 && Math.abs(pixels[i + 1] - 0x5c) < 6 && Math.abs(pixels[i + 2] - 0xc7) < 6) return true;
      return false;
    });
    assert.ok(await outlined() > 0);
    const sea = await onPage(page, await block(page, "sea"), 0.5, 0.5);
    await page.mouse.click(sea.x, sea.y);
    await page.getByRole("menuitem", { name: /Show in window/ }).click();
    await other.waitForFunction(() => [...document.querySelectorAll(".crumbs button")].at(-1)?.textContent === "sea");
    await page.mouse.click(sea.x, sea.y);
    const opening = context.waitForEvent("page");
    await page.getByRole("menuitem", { name: "Show in a new window" }).click();
    const third = await opening;
    await rest(third);
    await third.waitForFunction(() => [...document.querySelectorAll(".crumbs button")].at(-1)?.textContent === "sea");
  }));
});

describe("looks", () => {
  test("dark and light differ, and the theme can be chosen", () => withPage(async (page) => {
    const before = await pixel(page, 3, 3);
    assert.ok(before[0] < 60, "dark as the system");
    await page.keyboard.press("F");
    await rest(page);
    const after = await pixel(page, 3, 3);
    assert.ok(after[0] > 200, "light as chosen");
  }, { scheme: "dark" }));

  test("at ratio 2 the picture is sharp at rest", () => withPage(async (page) => {
    assert.ok(await page.evaluate(() => { const c = document.querySelector("canvas.sheet"); return Math.abs(c.width / c.clientWidth - 2) < 0.02; }));
  }, { ratio: 2, size: { width: 900, height: 700 } }));

  test("the view is saved as SVG and PDF with the same texts, the whole model as pages", () => withPage(async (page) => {
    const { readFileSync } = await import("node:fs");
    const saved = async (what) => {
      const waiting = page.waitForEvent("download");
      await page.getByRole("combobox", { name: "Save a picture" }).selectOption(what);
      const download = await waiting;
      return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "latin1") };
    };
    const pdf = await saved("pdf");
    assert.equal(pdf.name, "boiler.pdf");
    for (const name of ["powerstation", "sea", "generator"]) assert.ok(pdf.text.includes(`(${name}) Tj`), name);
    assert.ok(pdf.text.startsWith("%PDF-1.4") && pdf.text.trimEnd().endsWith("%%EOF"));
    const start = Number(/startxref\n(\d+)/.exec(pdf.text)[1]);
    assert.equal(pdf.text.slice(start, start + 4), "xref", "the table is where the file says");
    const pages = await saved("model");
    assert.ok(Number(/\/Count (\d+)/.exec(pages.text)[1]) > 15, "a page for each class");
    const { name, text: svg } = await saved("svg");
    assert.equal(name, "boiler.svg");
    for (const name of ["powerstation", "sea", "generator"]) assert.ok(svg.includes(`>${name}<`), name);
    assert.ok(svg.startsWith("<svg") && svg.trimEnd().endsWith("</svg>"));
  }));
});

describe("other models", () => {
  test("Simnon's servo is a block diagram", async () => {
    const servo = await studio({ examples: ["simnon/servo.t"], texts: {}, open: "servo.t" });
    const { page, context } = await openPage(servo.url);
    const names = (await mirror(page)).filter((item) => item.part === "block").map((item) => item.name.toUpperCase());
    await context.close();
    await servo.end();
    for (const name of ["MOTOR", "CPID"]) assert.ok(names.includes(name), `${name} among ${names.join(" ")}`);
  });

  test("five thousand blocks: what a frame draws and how long its script takes", async (t) => {
    const level = (name, child) => {
      const parts = Array.from({ length: 17 }, (_, i) => `b${i}`);
      return `model type ${name}\n  submodel (${child}) ${parts.join(", ")}\n  cut inlet, outlet\n  path flow (inlet - outlet)\n  connect (flow) ${parts.join(" to ")}\nend\n`;
    };
    const leaf = "model type leaf\n  cut inlet (P / W)\n  cut outlet (P2 / -W)\n  path flow (inlet - outlet)\n  parameter R=1\n  P - P2 = R*W\nend\n";
    const text = leaf + level("section", "leaf") + level("unit", "section") + level("plant", "unit").replace("model type", "model");
    const large = await studio({ texts: { "plant.dym": text }, open: "plant.dym" });
    const { page, context } = await openPage(large.url, { reducedMotion: "no-preference" });
    const canvas = await page.locator("canvas.sheet").boundingBox();
    await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
    for (let i = 0; i < 20; ++i) await page.mouse.wheel(0, -240);
    await still(page);
    for (let i = 0; i < 20; ++i) await page.mouse.wheel(0, 240);
    await still(page);
    const frames = await page.evaluate(() => window.studio.frames());
    await context.close();
    await large.end();
    const script = frames.map((frame) => frame.script).sort((a, b) => a - b);
    t.diagnostic(`${frames.length} frames, script p50 ${script[script.length >> 1].toFixed(1)} ms, p95 ${script[Math.floor(script.length * 0.95)].toFixed(1)} ms`);
    assert.ok(frames.length > 10);
    assert.ok(Math.max(...frames.map((frame) => frame.primitives)) <= 3000, "primitives of a frame");
  });
});
