// Icons of classes, and the symbols of signal expressions: Σ, Π, −1 and generators.

import type { Block } from "../model/block.ts";
import type { IconShape } from "../model/picture.ts";
import type { DisplayList, Paint } from "./display-list.ts";
import { clamp, type Rect } from "./geometry.ts";
import type { Pass } from "./scene.ts";
import { legible, lineHeight, stepped, wrapped } from "./text.ts";

/** Names of colours in icons, as they are on white paper. */
const fills: Readonly<Record<string, Paint>> = { grey: "#cdd3db", blue: "#96c3eb", orange: "#f8be6e", red: "#e88273", green: "#a0cd96", yellow: "#f8e182" };

export function drawIcon(list: DisplayList, icon: readonly IconShape[], box: Rect, layer: number, alpha: number, size: number): void {
  if (alpha < 0.04) return;
  // Texts may stand below the square of an icon, where the name of the block is: with them all of it fits into the box.
  const lowest = Math.max(1, ...icon.map(({ shape, points, size: height }) => shape === "text" ? Math.min(1.6, (points[1] ?? 0) + height / 2) : 1));
  const kx = box.w / (1 + lowest), ky = box.h / (1 + lowest), cx = box.x + box.w / 2, cy = box.y + ky;
  const width = clamp(size / 60, 1, 2);
  icon.forEach(({ shape, points, text, fill, stroke, size: height }, i) => {
    const at = points.map((p, k) => k % 2 === 0 ? cx + kx * p : cy + ky * p);
    const coloured = stroke !== "";
    const filled: Paint | undefined = coloured
      ? fill === "none" ? undefined : fill as Paint
      : fill === "ink" ? "icon" : fill === "paper" || fill === "none" ? undefined : fills[fill] ?? "shade";
    const line: Paint | undefined = stroke === "none" ? undefined : coloured ? stroke as Paint : "icon";
    // What has colours of its own is painted shape over shape, in the order of the text.
    const on = coloured ? layer + (i + 1) / (icon.length + 2) : layer;
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = at;
    switch (shape) {
      case "line":
        if (line !== undefined) list.line(on, line, alpha, width, at);
        break;
      case "polygon": {
        const closed = [...at, x0, y0];
        if (filled !== undefined) list.area(on, filled, alpha, closed);
        if (line !== undefined) list.line(on, line, alpha, width, closed);
        break;
      }
      case "rectangle": {
        const x = Math.min(x0, x1), y = Math.min(y0, y1), w = Math.abs(x1 - x0), h = Math.abs(y1 - y0);
        if (filled !== undefined) list.rect(on, filled, alpha, x, y, w, h);
        if (line !== undefined) list.frame(on, line, alpha, width, x, y, w, h);
        break;
      }
      case "ellipse": {
        const rx = Math.abs(x1 - x0) / 2, ry = Math.abs(y1 - y0) / 2, mx = (x0 + x1) / 2, my = (y0 + y1) / 2;
        if (filled !== undefined) list.ellipse(on, filled, alpha, width, true, mx, my, rx, ry);
        if (line !== undefined) list.ellipse(on, line, alpha, width, false, mx, my, rx, ry);
        break;
      }
      case "text": {
        // As high as the text says, but not much wider than the icon.
        const letters = stepped(height > 0 ? Math.min(ky * height * 0.85, 2.7 * box.w / Math.max(1, text.length)) : box.h * 0.32);
        if (letters >= legible) list.text(on, line ?? "icon", alpha, "label", letters, "center", x0, y0, text);
        break;
      }
    }
  });
}

const signs = { sum: "Σ", product: "Π", negate: "−1", generator: "∼", expression: "ƒ" } as const;

/** A symbol of a signal expression. Large enough it shows the expression itself. */
export function drawSymbol(pass: Pass, block: Block, rect: Rect, size: number, alpha: number, layer: number): void {
  const { list, scene } = pass;
  const kind = block.use.kind;
  if (kind === "submodel") return;
  if (kind === "node") {
    // A junction: a point where lines meet.
    const radius = clamp(size * 0.12, 1.5, 4);
    list.ellipse(layer + 3, "icon", alpha, 0, true, rect.x + rect.w / 2, rect.y + rect.h / 2, radius, radius);
    if (size > 40) list.text(layer + 4, "inkSoft", alpha, "label", stepped(clamp(size * 0.14, legible, 12)), "center", rect.x + rect.w / 2, rect.y + rect.h / 2 - radius - 8, block.name);
    list.object({ part: "block", block, index: -1, name: block.name, level: "name", ...rect, points: undefined, text: "node" });
    return;
  }
  const cx = rect.x + rect.w / 2, cy = rect.y + rect.h / 2;
  const hovered = scene.hovered?.block === block && scene.hovered.part === "block";
  const border: Paint = hovered ? "hover" : "icon";
  if (kind === "sum" || kind === "product" || kind === "negate") {
    list.ellipse(layer, "block", alpha, 0, true, cx, cy, rect.w / 2, rect.h / 2);
    list.ellipse(layer + 1, border, alpha, 1.2, false, cx, cy, rect.w / 2, rect.h / 2);
  } else {
    list.rect(layer, "block", alpha, rect.x, rect.y, rect.w, rect.h, rect.h * 0.2);
    list.frame(layer + 1, border, alpha, 1.2, rect.x, rect.y, rect.w, rect.h, rect.h * 0.2);
  }
  const lines = kind === "generator" || kind === "expression" ? expressionIn(pass, block.use.text, rect) : undefined;
  if (lines !== undefined) {
    lines.texts.forEach((line, i) => list.text(layer + 4, "ink", alpha, "code", stepped(lines.size), "center", cx, cy + (i - (lines.texts.length - 1) / 2) * lines.size * lineHeight, line));
  } else if (size > 8) {
    list.text(layer + 4, "ink", alpha, "label", stepped(Math.min(rect.h, rect.w) * 0.55), "center", cx, cy + 0.5, signs[kind]);
  }
  if (kind === "sum" && size > 30) drawSigns(pass, block, rect, alpha, layer + 4);
  list.object({ part: "block", block, index: -1, name: block.name, level: "name", ...rect, points: undefined, text: block.use.text });
}

/** The expression in as many lines as make it largest; undefined while it is too small to read. */
function expressionIn({ scene }: Pass, text: string, rect: Rect): { readonly texts: readonly string[]; readonly size: number } | undefined {
  let best: { texts: string[]; size: number } | undefined;
  for (const width of [8, 12, 18, 26, 40, 60]) {
    const texts = wrapped(text, width, "code", scene.measure);
    const widest = Math.max(1, ...texts.map((line) => scene.measure(line, "code")));
    const size = Math.min(rect.w * 0.88 / widest, rect.h * 0.84 / (texts.length * lineHeight), Math.max(13, rect.h * 0.16));
    if (best === undefined || size > best.size * 1.02) best = { texts, size };
  }
  return best !== undefined && best.size >= legible + 1 ? best : undefined;
}

/** The sign with which each input of a sum counts, beside its joint. */
function drawSigns({ list }: Pass, block: Block, rect: Rect, alpha: number, layer: number): void {
  const k = rect.w / block.w;
  const letters = stepped(clamp(rect.h * 0.22, legible, 14));
  [...block.use.text].forEach((sign, i) => {
    const joint = block.use.joints[i];
    if (joint === undefined) return;
    const x = rect.x + (joint.x - block.x) * k, y = rect.y + (joint.y - block.y) * k;
    const towards = joint.side === "left" ? [-0.7, -0.8] : joint.side === "right" ? [0.7, -0.8] : joint.side === "top" ? [0.8, -0.7] : [0.8, 0.7];
    list.text(layer, "inkSoft", alpha, "label", letters, "center", x + towards[0]! * letters, y + towards[1]! * letters, sign === "-" ? "−" : sign);
  });
}
