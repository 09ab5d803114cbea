// The texts of a class, in its frame: over all of it when there are no submodels, in its text box beside them otherwise.

import type { Block } from "../model/block.ts";
import type { Box, ClassPicture } from "../model/picture.ts";
import { type PlacedRow, setText, sparkWidth, type TextBlock } from "./class-text.ts";
import { clamp, type Rect, smoothstep } from "./geometry.ts";
import { formatted } from "./numbers.ts";
import { layersOfDepth, outside, type Pass, pathOf, type Placed, problemsOf, variableOf } from "./scene.ts";
import { legible, lineHeight, type Measure, stepped, visible } from "./text.ts";
import { drawCurveFamily } from "./walk-curves.ts";

/** The index of rows of interface variables, which are no statements; -1 is the text as a whole. */
const interfaceRow = -2;
/** Of the height of a frame that is free around its text. */
const textMargin = 0.035;

interface Set {
  readonly picture: ClassPicture;
  readonly block: TextBlock;
  /** The size of the font and the upper left corner, in the frame. */
  readonly font: number;
  readonly x: number;
  readonly y: number;
}

const known = new WeakMap<Block, Set>();

/** How the text of a block is set; undefined when it has none. */
export function textOf(block: Block, picture: ClassPicture, measure: Measure): Set | undefined {
  const old = known.get(block);
  if (old?.picture === picture) return old;
  const border = textMargin * Math.min(picture.width, picture.height);
  const box: Box = picture.uses.length === 0
    ? { x: border, y: border, w: picture.width - 2 * border, h: picture.height - 2 * border }
    : picture.textBox ?? { x: 0, y: 0, w: 0, h: 0 };
  if (box.w <= 0 || box.h <= 0) return undefined;
  const set = setText(picture, block.use.arguments, picture.uses.length === 0, box.w / box.h, measure);
  if (set.rows.length === 0) return undefined;
  const font = Math.min(box.w / set.width, box.h / set.height);
  const found: Set = {
    picture, block: set, font,
    x: box.x + (box.w - set.width * font) / 2,
    y: box.y + (box.h - set.height * font) / 2,
  };
  known.set(block, found);
  return found;
}

export function drawStatements(pass: Pass, block: Block, picture: ClassPicture, at: Placed, alpha: number, depth: number): void {
  const { list, scene } = pass;
  const set = textOf(block, picture, scene.measure);
  if (set === undefined) return;
  const size = set.font * at.k;
  if (size < visible * 0.6) return;
  const left = at.x + at.k * set.x, top = at.y + at.k * set.y;
  const whole = { x: left, y: top, w: set.block.width * size, h: set.block.height * size };
  if (outside(whole, scene.window)) return;
  const layer = depth * layersOfDepth;
  const asText = smoothstep(legible - 1, legible + 0.5, size), asBars = (1 - asText) * smoothstep(visible * 0.6, visible * 1.2, size);
  for (const placed of set.block.rows) {
    const y = top + (placed.y + placed.row.height / 2) * size;
    if (y < -placed.row.height * size || y > scene.window.height + placed.row.height * size) continue;
    drawRow(pass, block, picture, placed, left + placed.x * size, y, size, alpha, asText, asBars, layer);
  }
  if (asText > 0.5) {
    list.object({ part: "text", block, index: -1, name: `${block.name}: text`, level: "", ...whole, points: undefined, text: "" });
    for (const placed of set.block.rows) listRow(pass, block, placed, left, top, size);
  }
}

function drawRow(
  pass: Pass, block: Block, picture: ClassPicture, { row }: PlacedRow, x: number, y: number, size: number, alpha: number, asText: number, asBars: number, layer: number,
): void {
  const { list, scene } = pass;
  if (row.curves !== undefined) {
    drawCurveFamily(pass, row.curves, { x, y: y - (row.height / 2 - 0.4) * size, w: row.width * size, h: (row.height - 1) * size }, alpha, layer);
    return;
  }
  const letters = stepped(size);
  const statement = row.statement >= 0 ? picture.statements[row.statement] : undefined;
  if (statement !== undefined && asText > 0) markRow(pass, block, row.statement, statement.span, x, y, row.width * size, size, alpha, layer);
  for (const segment of row.segments) {
    const at = x + segment.x * size;
    if (at > scene.window.width || at + segment.width * size < 0) continue;
    if (asText > 0) list.text(layer + 4, segment.paint, alpha * asText, segment.face, letters, "left", at, y, segment.text);
    if (asBars > 0 && segment.text.trim() !== "") {
      const indent = segment.text.length - segment.text.trimStart().length;
      const skip = indent / segment.text.length * segment.width;
      list.rect(layer + 1, "bar", alpha * asBars * 0.7, at + skip * size, y - size * 0.28, (segment.width - skip) * size, size * 0.56);
    }
  }
  if (row.variable !== "" && asText > 0) drawValue(pass, block, row.variable, x + row.valueAt * size, y, size, letters, row, alpha * asText, layer + 4);
}

function drawValue(
  pass: Pass, block: Block, name: string, x: number, y: number, size: number, letters: number, row: PlacedRow["row"], alpha: number, layer: number,
): void {
  const { list, scene } = pass;
  const path = variableOf(block, name);
  const value = scene.live.value(path);
  if (value === undefined || Number.isNaN(value)) return;
  list.text(layer, "value", alpha, "code", letters, "left", x, y, formatted(value));
  const points = scene.live.spark(path);
  if (points === undefined || points.length < 4) return;
  const described = row.segments.at(-1);
  const end = described !== undefined && described.paint === "inkSoft" ? described.x : row.width;
  const left = x + (end - row.valueAt - sparkWidth - 0.8) * size, h = size * lineHeight * 0.8;
  const line: number[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) line.push(left + points[i]! * sparkWidth * size, y + h / 2 - points[i + 1]! * h);
  list.line(layer - 1, "spark", alpha, size > 10 ? 1.5 : 1, line);
  drawSparkAxes(pass, path, { x: left, y: y - h / 2, w: sparkWidth * size, h }, alpha, layer);
}

/** What one zooms into becomes a plot: with its axes, and the instant that is shown. */
function drawSparkAxes({ list, scene }: Pass, path: string, box: Rect, alpha: number, layer: number): void {
  const range = scene.live.range(path), times = scene.live.times(), now = scene.live.now();
  const letters = stepped(clamp(box.h * 0.16, 0, 12));
  const strength = alpha * smoothstep(legible, legible + 2, letters);
  if (now !== undefined && box.h > 12) list.line(layer - 1, "selected", alpha * 0.8, 1, [box.x + now * box.w, box.y, box.x + now * box.w, box.y + box.h]);
  if (strength < 0.05 || range === undefined || times === undefined) return;
  list.line(layer - 1, "axis", strength, 1, [box.x, box.y, box.x, box.y + box.h, box.x + box.w, box.y + box.h]);
  const right = box.x + box.w + letters * 0.5, below = box.y + box.h + letters * 0.75;
  list.text(layer, "inkFaint", strength, "label", letters, "left", right, box.y + letters * 0.4, formatted(range[1], 4));
  list.text(layer, "inkFaint", strength, "label", letters, "left", right, box.y + box.h - letters * 0.4, formatted(range[0], 4));
  list.text(layer, "inkFaint", strength, "label", letters, "left", box.x, below, formatted(times[0], 4));
  list.text(layer, "inkFaint", strength, "label", letters, "right", box.x + box.w, below, formatted(times[1], 4));
}

/** What is pointed at, found, or wrong in a statement. */
function markRow(
  { list, scene }: Pass, block: Block, index: number, span: ClassPicture["statements"][number]["span"], x: number, y: number, w: number, size: number, alpha: number,
  layer: number,
): void {
  const path = pathOf(block);
  const h = size * lineHeight;
  const rect = [x - size * 0.4, y - h / 2, w + size * 0.8, h] as const;
  if (scene.pointed?.path === path && scene.pointed.statement === index) list.rect(layer + 1, "pointed", alpha * 0.55, ...rect, 3);
  else if (scene.hovered?.block === block && scene.hovered.part === "text" && scene.hovered.index === index) list.rect(layer + 1, "shade", alpha * 0.7, ...rect, 3);
  const lit = span === undefined ? undefined : scene.lit.equations.find((each) => each.path === path && each.file === span.file && each.begin >= span.begin && each.begin < span.end);
  if (lit !== undefined) {
    list.rect(layer + 1, "loop", alpha * (lit.iterated ? 0.3 : 0.13), ...rect, 3);
    list.line(layer + 4, "loop", alpha, lit.iterated ? 3 : 1.5, [rect[0], rect[1], rect[0], rect[1] + rect[3]]);
  }
  const problem = scene.problems.size === 0 ? undefined : problemsOf(scene.problems, block).find((p) => span !== undefined && p.file === span.file && p.begin >= span.begin && p.begin <= span.end);
  if (problem !== undefined) {
    list.rect(layer + 1, problem.severity, alpha * 0.16, ...rect, 3);
    list.line(layer + 4, problem.severity, alpha, 1.5, [x, y + h * 0.42, x + w, y + h * 0.42]);
  }
}

function listRow({ list, scene }: Pass, block: Block, { row, x, y }: PlacedRow, left: number, top: number, size: number): void {
  if (row.statement < 0 && row.variable === "") return;
  const rect = { x: left + x * size, y: top + y * size, w: row.width * size, h: row.height * size };
  if (outside(rect, scene.window)) return;
  const text = row.segments.map((segment, i) => {
    const before = row.segments[i - 1];
    return before !== undefined && segment.x > before.x + before.width + 0.3 ? ` ${segment.text}` : segment.text;
  }).join("").replace(/\s+/g, " ").trim();
  const known = row.variable === "" ? undefined : scene.live.value(variableOf(block, row.variable));
  const value = Number.isNaN(known) ? undefined : known;
  list.object({
    part: "text", block, index: row.statement < 0 ? interfaceRow : row.statement, name: row.variable || (block.picture?.statements[row.statement]?.name ?? ""), level: "", ...rect, points: undefined,
    text: value === undefined ? text : `${text} ${formatted(value)}`,
  });
}
