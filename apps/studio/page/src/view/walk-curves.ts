// Curves on the picture: characteristics of tables, and the displays that the modeller placed (`--@ plot`).

import type { Block } from "../model/block.ts";
import type { ClassPicture, CurveFamily } from "../model/picture.ts";
import type { Rect } from "./geometry.ts";
import { clamp } from "./geometry.ts";
import type { Paint } from "./display-list.ts";
import { formatted } from "./numbers.ts";
import { layersOfDepth, outside, type Pass, type Placed, variableOf } from "./scene.ts";
import { legible, shortened, stepped } from "./text.ts";
import { lineColours } from "./walk-lines.ts";

export function drawCurveFamily(pass: Pass, family: CurveFamily, box: Rect, alpha: number, layer: number): void {
  const { list } = pass;
  if (box.w < 8 || outside(box, pass.scene.window)) return;
  let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
  for (const { x, y } of family.curves) {
    for (const v of x) { x0 = Math.min(x0, v); x1 = Math.max(x1, v); }
    for (const v of y) { y0 = Math.min(y0, v); y1 = Math.max(y1, v); }
  }
  if (!(x1 > x0)) return;
  if (!(y1 > y0)) y1 = y0 + 1;
  list.line(layer + 1, "axis", alpha, 1, [box.x, box.y, box.x, box.y + box.h, box.x + box.w, box.y + box.h]);
  family.curves.forEach(({ x, y }, n) => {
    const points: number[] = [];
    x.forEach((v, i) => {
      const px = box.x + (v - x0) / (x1 - x0) * box.w, py = box.y + box.h - (y[i]! - y0) / (y1 - y0) * box.h;
      if (family.steps && i > 0) points.push(px, points.at(-1)!);
      points.push(px, py);
    });
    list.line(layer + 2, family.curves.length === 1 ? "curve" : lineColours[n % lineColours.length]!, alpha, clamp(box.h / 60, 1, 2.5), points);
  });
  const letters = stepped(box.h * 0.09);
  if (letters < legible) return;
  list.text(layer + 4, "inkFaint", alpha, "label", letters, "left", box.x, box.y + box.h + letters, formatted(x0));
  list.text(layer + 4, "inkFaint", alpha, "label", letters, "right", box.x + box.w, box.y + box.h + letters, formatted(x1));
  list.text(layer + 4, "inkFaint", alpha, "label", letters, "left", box.x + letters * 0.4, box.y + letters * 0.7, formatted(y1));
  list.text(layer + 4, "inkFaint", alpha, "label", letters, "left", box.x + letters * 0.4, box.y + box.h - letters * 0.7, formatted(y0));
}

export function drawDisplays(pass: Pass, block: Block, picture: ClassPicture, at: Placed, alpha: number, depth: number): void {
  const { list, scene } = pass;
  const layer = depth * layersOfDepth;
  picture.displays.forEach((display, index) => {
    const box: Rect = { x: at.x + at.k * display.x, y: at.y + at.k * display.y, w: at.k * display.w, h: at.k * display.h };
    if (box.w < 6 || outside(box, scene.window)) return;
    list.rect(layer, "block", alpha, box.x, box.y, box.w, box.h, 3);
    list.frame(layer + 1, "axis", alpha, 1, box.x, box.y, box.w, box.h, 3);
    drawDisplay(pass, block, display.variables, box, alpha, layer);
    list.object({ part: "plot", block, index, name: display.variables.join(", "), level: "", ...box, points: undefined, text: display.variables.join(", ") });
  });
}

/** The curves of a display, each from its least to its greatest value, under its name and its value at the instant that is shown. */
function drawDisplay({ list, scene }: Pass, block: Block, variables: readonly string[], box: Rect, alpha: number, layer: number): void {
  const letters = stepped(clamp(Math.min(box.h * 0.13, box.w * 0.055), 0, 13));
  const rows = variables.length * letters * 1.35;
  const left = letters >= legible ? box.w * 0.03 + letters * 4.6 : box.w * 0.05;
  const inner: Rect = { x: box.x + left, y: box.y + rows + letters * 0.6, w: box.w * 0.97 - left, h: Math.max(1, box.h * 0.94 - rows - letters * 0.6) };
  list.line(layer + 1, "axis", alpha * 0.7, 1, [inner.x, inner.y, inner.x, inner.y + inner.h, inner.x + inner.w, inner.y + inner.h]);
  variables.forEach((name, n) => {
    const path = variableOf(block, name);
    const points = scene.live.spark(path), value = scene.live.value(path), range = scene.live.range(path);
    const colour: Paint = variables.length === 1 ? "curve" : lineColours[n % lineColours.length]!;
    if (letters >= legible) {
      const y = box.y + letters * (1 + 1.35 * n);
      const shown = value === undefined || Number.isNaN(value) ? "" : `   ${formatted(value)}`;
      list.text(layer + 4, colour, alpha, "label", letters, "left", box.x + box.w * 0.04, y, shortened(name + shown, box.w * 0.92 / letters, "label", scene.measure));
    }
    if (points === undefined) return;
    list.line(layer + 2, colour, alpha, clamp(box.h / 90, 1, 2), points.map((v, i) => i % 2 === 0 ? inner.x + v * inner.w : inner.y + inner.h - v * inner.h));
    if (n === 0 && range !== undefined && letters >= legible) {
      list.text(layer + 4, "inkFaint", alpha, "label", stepped(letters * 0.9), "right", inner.x - letters * 0.4, inner.y + letters * 0.4, formatted(range[1], 4));
      list.text(layer + 4, "inkFaint", alpha, "label", stepped(letters * 0.9), "right", inner.x - letters * 0.4, inner.y + inner.h - letters * 0.4, formatted(range[0], 4));
    }
  });
  if (letters >= legible && variables.every((name) => scene.live.value(variableOf(block, name)) === undefined)) {
    list.text(layer + 4, "inkFaint", alpha, "label", letters, "center", inner.x + inner.w / 2, inner.y + inner.h / 2, "no run yet");
  }
  const now = scene.live.now();
  if (now !== undefined) list.line(layer + 2, "selected", alpha * 0.8, 1, [inner.x + now * inner.w, inner.y, inner.x + now * inner.w, inner.y + inner.h]);
}
