// The view without a browser: cameras, flights, levels of detail, the tree walk and what is under the cursor.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Block } from "../src/model/block.ts";
import { type Camera, rerooted, showing, toAncestor, toChild, toParent, view, zoomed } from "../src/view/camera.ts";
import { fly } from "../src/view/flight.ts";
import { focusOf, hit, outwards, quickZoom, showingBlock } from "../src/view/hit.ts";
import { levelsAt } from "../src/view/levels.ts";
import { addressOf, cameraOf, fromHash, linkOf, modelAt, toHash } from "../src/view/link.ts";
import type { Scene } from "../src/view/scene.ts";
import type { Measure } from "../src/view/text.ts";
import { walk } from "../src/view/walk.ts";
import { picture, plant, port, sheetOf, use } from "./scenes.ts";

const window = { width: 1600, height: 1000 };
const measure: Measure = (text, face) => text.length * (face === "code" ? 0.6 : 0.55);
const deep = ["b7", "b6", "b12"];

function near(a: number, b: number, slack = 1e-9): void {
  assert.ok(Math.abs(a - b) <= slack * Math.max(1, Math.abs(a), Math.abs(b)), `${a} is not ${b}`);
}

function sceneAt(camera: Camera, given: Partial<Scene> = {}): Scene {
  return {
    camera, window, measure, deadline: Infinity, live: { value: () => undefined, spark: () => undefined, flow: () => undefined, range: () => undefined, now: () => undefined, times: () => undefined }, problems: new Map(), lit: { blocks: new Set(), equations: [] },
    hovered: undefined, selected: undefined, pointed: undefined, windows: [], ...given,
  };
}

function modelOf(sheet: Block): Block {
  return sheet.children[0]!;
}

test("a camera in the frame of a child or of a parent shows the same", () => {
  const model = modelOf(plant());
  const camera: Camera = { root: model, x: 100, y: 60, scale: 7 };
  const back = toParent(toChild(camera, model.child("b3")!));
  near(back.x, camera.x);
  near(back.y, camera.y);
  near(back.scale, camera.scale);
});

test("the camera stands in the smallest block that contains the window", () => {
  const sheet = plant();
  const leaf = modelOf(sheet).find(deep)!;
  const inner = showing(leaf, { x: 120, y: 90, w: 60, h: 30 }, window, 0);
  const fromSheet = toAncestor(inner, sheet);
  const again = rerooted(fromSheet, window);
  assert.equal(again.root, leaf);
  near(again.x, inner.x, 1e-6);
  assert.equal(rerooted(showingBlock(modelOf(sheet), window), window).root, sheet);
});

test("lit equations are marked in their rows, those that are iterated more", () => {
  const sheet = plant(), leaf = modelOf(sheet).find(deep)!;
  const span = { file: "plant.dym", begin: 40, end: 60, line: 3, column: 1 };
  const marked = { ...leaf.picture!, statements: leaf.picture!.statements.map((each) => each.text.startsWith("Area*der") ? { ...each, span } : each) };
  const own = sheetOf("leaf", [marked]), block = modelOf(own);
  const shapes = (iterated: boolean | undefined): number =>
    walk(sceneAt(showingBlock(block, window), iterated === undefined ? {} : { lit: { blocks: new Set(), equations: [{ path: "", file: "plant.dym", begin: 42, iterated }] } })).primitives;
  assert.equal(shapes(false), shapes(undefined) + 2);
  assert.equal(shapes(true), shapes(false));
});

test("a curve that one zooms into gets axes", () => {
  const points = [0, 0, 0.5, 1, 1, 0.2];
  const live = { value: () => 2, spark: () => points, flow: () => undefined, range: () => [1, 3] as const, now: () => 0.5, times: () => [0, 10] as const };
  const leaf = modelOf(plant()).find(deep)!;
  const texts = (scale: number): number => {
    const camera = showingBlock(leaf, window);
    const words = walk(sceneAt({ ...camera, scale: camera.scale * scale }, { live })).inOrder().flatMap((each) => "texts" in each ? each.texts : []);
    return words.filter((text) => text === "3" || text === "10").length;
  };
  assert.equal(texts(1), 0);
  assert.ok(texts(8) > 0);
});

test("zooming leaves the point under the cursor where it is", () => {
  const camera: Camera = { root: modelOf(plant()), x: 10, y: 20, scale: 3 };
  const at = { x: 200, y: 700 };
  const before = view(camera, window), after = zoomed(camera, window, 2.5, at), now = view(after, window);
  near(before.x + at.x / camera.scale, now.x + at.x / after.scale);
  near(before.y + at.y / camera.scale, now.y + at.y / after.scale);
});

test("zooming in by many steps and out again comes back, through twelve levels", () => {
  // Each block has one child at a twentieth of its size: at the bottom the scale is 20^12 times that of the top.
  const levels = 12;
  const pictures = Array.from({ length: levels }, (_, n) =>
    picture({ key: `m${n}`, name: `m${n}`, hash: `${n}`, uses: n + 1 < levels ? [use("inner", `m${n + 1}`, 200, 60, 15, 10)] : [] }));
  const sheet = sheetOf("m0", pictures);
  let bottom = modelOf(sheet);
  for (let child = bottom.child("inner"); child !== undefined; child = bottom.child("inner")) bottom = child;
  assert.equal(bottom.path.length, levels);
  let camera = rerooted(showingBlock(bottom, window), window);
  for (let i = 0; i < 400; ++i) camera = rerooted(zoomed(camera, window, 1 / 1.1, { x: 800, y: 500 }), window);
  assert.equal(camera.root, sheet);
  // The way back loses the digits that the sheet cannot hold, the middle stays in the same block for half of the levels.
  for (let i = 0; i < 250; ++i) camera = rerooted(zoomed(camera, window, 1.1, { x: 800, y: 500 }), window);
  assert.ok(camera.root.path.length > 5, `only at ${camera.root.path.length}`);
});

test("a flight begins and ends where it should, and its steps are even", () => {
  const sheet = plant(), model = modelOf(sheet);
  const from = showingBlock(model.child("b0")!, window), to = showingBlock(model.find(deep)!, window);
  const flight = fly(from, to, window);
  const first = toAncestor(flight.at(0), sheet), start = toAncestor(from, sheet);
  near(first.x, start.x, 1e-6);
  near(first.scale, start.scale, 1e-6);
  assert.deepEqual(flight.at(1), to);
  let before = flight.at(0);
  for (let i = 1; i <= 200; ++i) {
    const now = flight.at(i / 200);
    const a = toAncestor(before, sheet), b = toAncestor(now, sheet);
    assert.ok(Math.abs(Math.log(b.scale / a.scale)) < 0.2, "the scale jumps");
    assert.ok(Math.hypot(b.x - a.x, b.y - a.y) * Math.min(a.scale, b.scale) < window.width * 0.25, "the middle jumps");
    before = now;
  }
});

test("levels come one after the other as a block grows", () => {
  const seen: string[] = [];
  for (let size = 4; size < 400; size *= 1.05) {
    const { name, purpose, inside } = levelsAt(size, [], true);
    const state = inside > 0.5 ? "inside" : purpose > 0.5 ? "purpose" : name > 0.5 ? "name" : "dot";
    if (seen.at(-1) !== state) seen.push(state);
  }
  assert.deepEqual(seen, ["dot", "name", "purpose", "inside"]);
});

test("a breakpoint of the modeller says where a block opens", () => {
  const shows = [{ level: "inside" as const, above: 500, below: undefined, text: "" }];
  assert.equal(levelsAt(400, shows, true).inside, 0);
  assert.equal(levelsAt(600, shows, true).inside, 1);
  assert.equal(levelsAt(300, [{ level: "name", below: 60, above: undefined, text: "" }], true).name, 0);
});

test("while one zooms, objects move as the camera does and none blinks", () => {
  const sheet = plant();
  let camera = rerooted(showingBlock(modelOf(sheet), window), window);
  const at = { x: 900, y: 480 };
  const states = new Map<string, string>();
  for (let step = 0; step < 200; ++step) {
    const list = walk(sceneAt(camera));
    const seen = new Set<string>();
    for (const object of list.objects) {
      if (object.part !== "block") continue;
      const path = object.block.path.join(".");
      seen.add(path);
      // Where it should be by the camera alone.
      const inRoot = toAncestor(camera, object.block.parent!.path.length < camera.root.path.length ? object.block.parent! : camera.root);
      if (inRoot.root === object.block.parent) {
        const x = window.width / 2 + (object.block.x - inRoot.x) * inRoot.scale;
        assert.ok(Math.abs(x - object.x) < 3, `${path} is ${x - object.x} pixels beside`);
      }
      const before = states.get(path);
      assert.notEqual(before, "gone", `${path} blinks`);
      states.set(path, "seen");
    }
    for (const [path, state] of states) if (state === "seen" && !seen.has(path)) states.set(path, "gone");
    camera = rerooted(zoomed(camera, window, 1.03, at), window);
  }
});

test("a frame draws at most three thousand primitives of a plant of five thousand blocks", () => {
  const sheet = plant();
  let most = 0;
  let camera = rerooted(showingBlock(modelOf(sheet), window), window);
  for (let step = 0; step < 260; ++step) {
    most = Math.max(most, walk(sceneAt(camera)).primitives);
    camera = rerooted(zoomed(camera, window, 1.04, { x: 905, y: 430 }), window);
  }
  assert.ok(most > 100 && most <= 3000, `${most} primitives`);
});

test("what lies deepest is hit, a line within some pixels", () => {
  const sheet = plant(), model = modelOf(sheet);
  const camera = rerooted(showingBlock(model, window), window);
  const { objects } = walk(sceneAt(camera));
  const block = objects.find((object) => object.part === "block" && object.name === "b7")!;
  assert.equal(hit(objects, block.x + block.w / 2, block.y + block.h / 2)?.block.name, "b7");
  const line = objects.find((object) => object.part === "line" && object.points!.length === 4)!;
  const found = hit(objects, (line.points![0]! + line.points![2]!) / 2, line.points![1]! + 4);
  assert.equal(found?.part, "line");
  assert.equal(hit(objects, 3, 3), undefined);
});

test("the quick zoom: block, line, nothing", () => {
  const sheet = plant(), model = modelOf(sheet);
  const block = model.child("b7")!;
  const camera = rerooted(showingBlock(block, window), window);
  const { objects } = walk(sceneAt(camera));
  const inner = objects.find((object) => object.part === "block" && object.block.path.join(".") === "plant.b7.b2")!;
  const at = { x: inner.x + inner.w / 2, y: inner.y + inner.h / 2 };
  const full = quickZoom(hit(objects, at.x, at.y), at, camera, window, measure);
  assert.equal(focusOf(full, window), inner.block);
  const line = objects.find((object) => object.part === "line" && object.block === block)!;
  assert.equal(focusOf(quickZoom(line, at, camera, window, measure), window), model);
  near(quickZoom(undefined, at, camera, window, measure).scale, camera.scale * 0.7);
  assert.equal(focusOf(outwards(block, camera, window), window), model);
});

test("a text fills the width of the window by its longest line", () => {
  const sheet = plant();
  const leaf = modelOf(sheet).find(deep)!;
  const camera = rerooted(showingBlock(leaf, window), window);
  const { objects } = walk(sceneAt(camera));
  const row = objects.find((object) => object.part === "text" && object.text.startsWith("Area*der"))!;
  const target = rerooted(quickZoom(row, { x: row.x + 5, y: row.y + row.h / 2 }, camera, window, measure), window);
  const there = walk(sceneAt(target)).objects;
  const rows = there.filter((object) => object.part === "text" && object.index >= 0);
  const same = rows.find((object) => object.index === row.index)!;
  assert.ok(Math.abs(same.y + same.h / 2 - window.height / 2) < 2, "the row is in the middle");
});

test("a link leads back to its view", () => {
  const sheet = plant(), model = modelOf(sheet);
  for (const camera of [showingBlock(model, window), showingBlock(model.child("b3")!, window), showing(model.find(deep)!, { x: 10, y: 10, w: 30, h: 20 }, window, 0)]) {
    const seen = rerooted(camera, window);
    const link = fromHash(toHash(linkOf(seen, window)!))!;
    const back = rerooted(cameraOf(link, model, window)!, window);
    assert.equal(back.root, seen.root);
    near(back.scale, seen.scale, 1e-4);
    near(back.x, seen.x, 1e-3);
  }
  assert.deepEqual(fromHash("#/powerstation/preh4"), { path: ["powerstation", "preh4"], window: undefined });
  const address = addressOf({ path: ["b", "c"], window: undefined }, { file: "plant/böiler 1.dym", asked: "drum" });
  assert.deepEqual(modelAt(address), { file: "plant/böiler 1.dym", asked: "drum" });
  assert.deepEqual(modelAt(addressOf({ path: [], window: undefined }, { file: "a.dym", asked: "" })), { file: "a.dym", asked: "" });
  assert.equal(modelAt("#/powerstation"), undefined);
  assert.equal(modelAt("#/a~%zz"), undefined);
  assert.equal(fromHash("#k=abc"), undefined);
  assert.equal(fromHash("#/a@1,2"), undefined);
  assert.equal(fromHash("#/%zz"), undefined);
});

test("another window is outlined", () => {
  const sheet = plant(), model = modelOf(sheet);
  const camera = rerooted(showingBlock(model, window), window);
  const other = { camera: rerooted(showingBlock(model.find(["b7", "b2"])!, window), window), window, label: "window 2" };
  const outlines = walk(sceneAt(camera, { windows: [other] })).inOrder().filter((batch) => batch.paint === "outline");
  assert.ok(outlines.length > 0);
  const rects = outlines.find((batch) => "rects" in batch && batch.rects.length > 0);
  assert.ok(rects !== undefined && "rects" in rects && rects.rects[2]! > 5 && rects.rects[2]! < window.width);
});

test("ports list their variables when they have opened", () => {
  const sheet = sheetOf("m", [picture({ key: "m", name: "m", uses: [use("a", "c", 50, 50, 150, 100, [{ port: "in", x: 50, y: 100, side: "left" }])] }), picture({ key: "c", name: "c", ports: [port("in", "left", 0.5)] })]);
  const block = modelOf(sheet).child("a")!;
  const camera = rerooted(showingBlock(block, window), window);
  const members = walk(sceneAt(camera)).objects.filter((object) => object.part === "member");
  assert.deepEqual(members.map((member) => member.name), ["Pin", "Win"]);
});
