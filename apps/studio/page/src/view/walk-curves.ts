// Curves on the picture: characteristics of tables, and the displays that the modeller placed (`--@ plot`).

import type { Block } from "../model/block.ts";
import type { ClassPicture, CurveFamily } from "../model/picture.ts";
import type { Rect } from "./geometry.ts";
import { clamp } from "./geometry.ts";
import { formatted } from "./numbers.ts";
import { layersOfDepth, outside, type Pass, type Placed, variableOf } from "./scene.ts";
import { legible, stepped } from "./text.ts";
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
    const letters = stepped(clamp(box.h * 0.1, 0, 13));
    const inner: Rect = { x: box.x + box.w * 0.05, y: box.y + box.h * 0.2, w: box.w * 0.9, h: box.h * 0.72 };
    display.variables.forEach((name, n) => {
      const points = scene.live.spark(variableOf(block, name));
      const colour = lineColours[n % lineColours.length]!;
      if (letters >= legible) {
        list.text(layer + 4, colour, alpha, "label", letters, "left", box.x + box.w * 0.05 + n * box.w * 0.3, box.y + box.h * 0.1, name);
      }
      if (points === undefined) return;
      list.line(layer + 2, colour, alpha, 1.25, points.map((v, i) => i % 2 === 0 ? inner.x + v * inner.w : inner.y + inner.h - v * inner.h));
    });
    list.object({ part: "plot", block, index, name: display.variables.join(", "), level: "", ...box, points: undefined, text: display.variables.join(", ") });
  });
}
