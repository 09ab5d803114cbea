// The tree walk: from the smallest block that contains the window inwards, leaving out what is not in sight and stopping where a block is
// too small to open, it writes the display list. What it costs depends on what is seen, not on the size of the model.

import type { Block } from "../model/block.ts";
import { DisplayList, type Paint } from "./display-list.ts";
import { clamp, type Rect, smoothstep } from "./geometry.ts";
import { type Levels, levelName, levelsAt, sizeOnScreen } from "./levels.ts";
import { innerOnScreen, layersOfDepth, outside, type Pass, pathOf, type Placed, problemsOf, type Scene } from "./scene.ts";
import { firstSentence, legible, lineHeight, type Measure, shortened, stepped, visible, wrapped } from "./text.ts";
import { transferOf } from "./class-text.ts";
import { drawIcon, drawSymbol } from "./walk-icon.ts";
import { drawLines } from "./walk-lines.ts";
import { deepest, drawPorts } from "./walk-ports.ts";
import { drawStatements } from "./walk-text.ts";
import { drawDisplays } from "./walk-curves.ts";
import { toAncestor, view } from "./camera.ts";

export function walk(scene: Scene): DisplayList {
  const list = new DisplayList();
  const pass: Pass = { list, scene };
  const { camera, window } = scene;
  const at: Placed = { x: window.width / 2 - camera.x * camera.scale, y: window.height / 2 - camera.y * camera.scale, k: camera.scale };
  const depth = camera.root.path.length;
  if (camera.root.parent !== undefined) {
    // The window is wholly inside this block: its border is not in sight, its inside is.
    list.rect(depth * layersOfDepth, "inner", 1, 0, 0, window.width, window.height);
    drawInside(pass, camera.root, at, 1, depth);
  } else {
    for (const child of camera.root.children) drawBlock(pass, child, at, 1, depth + 1);
  }
  drawWindows(pass);
  return list;
}

function drawInside(pass: Pass, block: Block, at: Placed, alpha: number, depth: number): void {
  const picture = block.picture;
  if (picture === undefined || alpha < 0.02) return;
  drawStatements(pass, block, picture, at, alpha, depth);
  drawLines(pass, block, picture, at, alpha, depth);
  drawDisplays(pass, block, picture, at, alpha, depth);
  for (const child of block.children) drawBlock(pass, child, at, alpha, depth + 1);
}

function drawBlock(pass: Pass, block: Block, around: Placed, alpha: number, depth: number): void {
  const { list, scene } = pass;
  const rect: Rect = { x: around.x + around.k * block.x, y: around.y + around.k * block.y, w: around.k * block.w, h: around.k * block.h };
  if (outside(rect, scene.window, 8)) return;
  const size = sizeOnScreen(rect.w, rect.h);
  const layer = depth * layersOfDepth;
  if (block.use.kind !== "submodel") {
    drawSymbol(pass, block, rect, size, alpha, layer);
    return;
  }
  if (size < 3) {
    list.rect(layer, "bar", alpha * 0.6, rect.x, rect.y, rect.w, rect.h);
    return;
  }
  // From this size on the picture is asked for, so that it is there when the block opens.
  const picture = size > 60 ? block.picture : undefined;
  const purpose = purposeOf(block);
  const wanted = levelsAt(size, picture?.breakpoints ?? [], purpose !== "");
  // A purpose is told where its letters can be read; until then the icon keeps its place.
  const levels = wanted.purpose === 0 ? wanted : { ...wanted, purpose: wanted.purpose * smoothstep(legiblePurpose - 1, legiblePurpose, purposeIn(rect, block.use.icon.length > 0, purpose, scene.measure).size) };
  const inside = picture === undefined ? 0 : levels.inside;
  const opening = picture === undefined ? 0 : levels.opening;
  drawBox(pass, block, rect, size, alpha, opening, layer);
  if (inside < 1 && block.use.icon.length > 0 && size > 10) {
    const centre = iconCentre(rect, levels);
    const transfer = picture === undefined ? undefined : transferOf(picture, block.use.arguments);
    if (transfer === undefined) drawIcon(list, block.use.icon, centre, layer + 1, alpha * (1 - inside), size);
    else drawFraction(pass, transfer, rect, centre, alpha * (1 - inside), layer + 1);
  }
  if (inside > 0 && performance.now() < scene.deadline) {
    const own = block.inside;
    drawInside(pass, block, { x: around.x + around.k * own.x, y: around.y + around.k * own.y, k: around.k * own.k }, alpha * inside, depth);
  }
  drawPorts(pass, block, rect, around, alpha, opening, levels.ports, layer + 3);
  drawName(pass, block, rect, levels, opening, alpha, layer + 4, purpose);
  drawMarks(pass, block, rect, size, alpha, layer + 5);
  list.object({
    part: "block", block, index: -1, name: block.name, level: levelName({ ...levels, inside }), ...rect, points: undefined, text: purpose,
  });
}

/** A transfer function in the place of the icon. */
function drawFraction({ list, scene }: Pass, { above, below }: { readonly above: string; readonly below: string }, rect: Rect, centre: Rect, alpha: number, layer: number): void {
  const wide = Math.max(scene.measure(above, "label"), scene.measure(below, "label"), 1);
  const letters = stepped(Math.min(centre.h * 0.34, rect.w * 0.84 / wide));
  const x = rect.x + rect.w / 2, y = centre.y + centre.h / 2;
  if (letters < legible) return;
  list.text(layer, "icon", alpha, "label", letters, "center", x, y - letters * 0.72, above);
  list.text(layer, "icon", alpha, "label", letters, "center", x, y + letters * 0.78, below);
  list.line(layer, "icon", alpha, 1, [x - wide * letters * 0.54, y, x + wide * letters * 0.54, y]);
}

function purposeOf(block: Block): string {
  const shown = block.picture?.breakpoints.find((show) => show.level === "text" && show.text !== "");
  return shown?.text ?? (block.use.description !== "" ? block.use.description : firstSentence(block.picture?.documentation ?? ""));
}

/** The outer rectangle, with the inner one as far as it has opened; arrays are a stack. */
function drawBox(pass: Pass, block: Block, rect: Rect, size: number, alpha: number, opening: number, layer: number): void {
  const { list, scene } = pass;
  const radius = clamp(size * 0.03, 0, 5);
  const dash = block.use.conditional;
  if (block.use.dimensions !== "") {
    const step = clamp(size * 0.04, 1.5, 7);
    for (const n of [2, 1]) {
      list.rect(layer, "stack", alpha, rect.x + n * step, rect.y - n * step, rect.w, rect.h, radius);
      list.frame(layer, "line", alpha, 1, rect.x + n * step, rect.y - n * step, rect.w, rect.h, radius);
    }
  }
  const missing = block.use.key === "";
  const selected = scene.selected === block;
  list.rect(layer, "block", alpha, rect.x, rect.y, rect.w, rect.h, radius);
  if (selected) list.rect(layer, "blockSelected", alpha * (1 - opening), rect.x, rect.y, rect.w, rect.h, radius);
  const border: Paint = missing ? "missing" : selected ? "selected" : isHovered(scene, block) ? "hover" : "icon";
  const width = selected || isHovered(scene, block) ? 1.75 : 1;
  list.frame(layer + 1, border, alpha * clamp(size / 14, 0.35, 1), width, rect.x, rect.y, rect.w, rect.h, radius, dash || missing);
  if (opening > 0) {
    const inner = innerOnScreen(block, rect);
    list.rect(layer + 1, "inner", alpha * opening, inner.x, inner.y, inner.w, inner.h, Math.min(radius, 3));
    list.frame(layer + 1, "axis", alpha * opening * 0.8, 1, inner.x, inner.y, inner.w, inner.h, Math.min(radius, 3));
  }
}

function isHovered(scene: Scene, block: Block): boolean {
  return scene.hovered?.block === block && scene.hovered.part === "block";
}

function iconCentre(rect: Rect, levels: Levels): Rect {
  // The name has the lower third, the purpose takes more.
  const share = 0.62 - 0.2 * levels.purpose;
  const side = Math.min(rect.w * 0.72, rect.h * share) * 0.9;
  return { x: rect.x + rect.w / 2 - side / 2, y: rect.y + rect.h * share / 2 - side / 2 + rect.h * 0.04, w: side, h: side };
}

const nameSize = 14;

/** The name: in the middle of a closed block, in its upper margin when it is open; pinned to the window while the block is larger than it. */
function drawName(pass: Pass, block: Block, rect: Rect, levels: Levels, opening: number, alpha: number, layer: number, purpose: string): void {
  const { list, scene } = pass;
  const strength = alpha * levels.name;
  if (strength < 0.05) return;
  const label = block.use.dimensions === "" ? block.name : `${block.name}${block.use.dimensions}`;
  const wide = scene.measure(label, "strong");
  // A class that is missing has a question mark in the place of the icon.
  const hasIcon = block.use.icon.length > 0 || block.use.key === "";
  const largest = Math.max(nameSize, Math.min(rect.h * 0.06, 24));
  const closedSize = Math.min(largest, rect.h * (hasIcon ? 0.26 : 0.34), rect.w * 0.9 / wide);
  const inner = innerOnScreen(block, rect);
  const border = (rect.h - inner.h) / 2;
  const openSize = clamp(Math.min(border, rect.h * 0.08) * 0.6, 4, nameSize);
  const size = closedSize + (openSize - closedSize) * opening;
  const closedY = rect.y + rect.h * (levels.purpose > 0 ? 0.5 + (hasIcon ? 0.28 - 0.28 * levels.purpose : -0.22 * levels.purpose) : hasIcon ? 0.78 : 0.5);
  const openY = rect.y + Math.min(border, rect.h * 0.08) / 2;
  const pinned = Math.max(openY, Math.min(size * 1.1, rect.y + rect.h - size));
  const y = closedY + (pinned - closedY) * opening;
  const half = wide * size / 2;
  // Beside an interface that has the corner.
  const corner = block.use.joints.some((joint) => joint.side === "left" && joint.y < block.y + 0.16 * block.h) ? rect.w * deepest : 0;
  const openX = Math.min(Math.max(rect.x + corner, 0) + size * 0.8 + half, rect.x + rect.w - half);
  const x = rect.x + rect.w / 2 + (openX - rect.x - rect.w / 2) * opening;
  const shownSize = stepped(size);
  if (shownSize >= legible) {
    const text = shortened(label, (rect.w * 0.96) / shownSize, "strong", scene.measure);
    if (opening > 0.5 && pinned > openY) {
      list.rect(layer, "block", strength * 0.9, x - wide * shownSize / 2 - 6, y - size * 0.8, wide * shownSize + 12, size * 1.6, 3);
    }
    list.text(layer, block.use.key === "" ? "missing" : "inkName", strength * clamp((size - visible) / (legible - visible), 0, 1), "strong", shownSize, "center", x, y, text);
    if (block.use.key === "" && size > 7) list.text(layer, "missing", strength, "strong", stepped(Math.min(rect.h * 0.4, rect.w * 0.5)), "center", x, rect.y + rect.h * 0.36, "?");
  } else if (size >= visible) {
    const w = Math.min(wide * size, rect.w * 0.8);
    list.rect(layer, "bar", strength * 0.8, rect.x + rect.w / 2 - w / 2, y - size * 0.3, w, size * 0.6);
  }
  drawPurpose(pass, rect, levels, alpha, layer, purpose, hasIcon);
}

const legiblePurpose = 6.5;

/** The purpose below the name, in as few lines as give large letters, broken at the same words whatever the size of the block. */
function purposeIn(rect: Rect, hasIcon: boolean, purpose: string, measure: Measure): { readonly lines: readonly string[]; readonly size: number; readonly top: number } {
  const top = rect.y + rect.h * (hasIcon ? 0.63 : 0.46), room = rect.y + rect.h * 0.96 - top;
  for (const width of [15, 19, 24, 30, 38]) {
    const lines = wrapped(purpose, width, "label", measure);
    const size = rect.w * 0.88 / width;
    if (lines.length * size * lineHeight <= room) return { lines, size, top };
    if (width === 38) return { lines: lines.slice(0, Math.max(1, Math.floor(room / (size * lineHeight)))), size, top };
  }
  return { lines: [], size: 0, top };
}

function drawPurpose(pass: Pass, rect: Rect, levels: Levels, alpha: number, layer: number, purpose: string, hasIcon: boolean): void {
  // Once the name has made room.
  const strength = alpha * smoothstep(0.6, 1, levels.purpose);
  if (purpose === "" || strength < 0.05) return;
  const { list, scene } = pass;
  const { lines, size, top } = purposeIn(rect, hasIcon, purpose, scene.measure);
  lines.forEach((line, i) => {
    list.text(layer, "inkSoft", strength, "label", stepped(size), "center", rect.x + rect.w / 2, top + (i + 0.6) * size * lineHeight, line);
  });
}

/** What is wrong in a block, or lit. */
function drawMarks(pass: Pass, block: Block, rect: Rect, size: number, alpha: number, layer: number): void {
  const { list, scene } = pass;
  const path = pathOf(block);
  if (scene.lit.blocks.has(path)) list.frame(layer, "loop", alpha, 2.5, rect.x - 3, rect.y - 3, rect.w + 6, rect.h + 6, 6);
  const problems = scene.problems.size === 0 ? [] : problemsOf(scene.problems, block);
  if (problems.length === 0) return;
  const worst = problems.find((problem) => problem.severity === "error") ?? problems[0]!;
  if (problems.some((problem) => !problem.inside)) list.frame(layer, worst.severity, alpha, 2, rect.x - 1, rect.y - 1, rect.w + 2, rect.h + 2, 5);
  const mark = clamp(size * 0.12, 3, 9);
  const x = clamp(rect.x + rect.w, mark + 4, scene.window.width - mark - 4), y = clamp(rect.y, mark + 4, Math.max(mark + 4, rect.y + rect.h));
  list.ellipse(layer, worst.severity, alpha, 0, true, x, y, mark, mark);
  if (mark > 5) list.text(layer, "block", alpha, "strong", stepped(mark * 1.5), "center", x, y + 0.5, "!");
  list.object({ part: "problem", block, index: 0, name: worst.text, level: "", x: x - mark, y: y - mark, w: 2 * mark, h: 2 * mark, points: undefined, text: worst.text });
}

/** Outlines of what the other windows show. */
function drawWindows(pass: Pass): void {
  const { list, scene } = pass;
  const top = 1000 * layersOfDepth;
  for (const other of scene.windows) {
    // Both in the frame of a block around both: the sheet is always one, but the smallest keeps the digits.
    let mine = scene.camera;
    while (mine.root.parent !== undefined && !other.camera.root.path.slice(0, mine.root.path.length).every((name, i) => name === mine.root.path[i])) {
      mine = toAncestor(mine, mine.root.parent);
    }
    if (other.camera.root.path.length < mine.root.path.length) mine = toAncestor(mine, other.camera.root);
    const shown = view(toAncestor(other.camera, mine.root), other.window);
    const x = scene.window.width / 2 + (shown.x - mine.x) * mine.scale, y = scene.window.height / 2 + (shown.y - mine.y) * mine.scale;
    const w = shown.w * mine.scale, h = shown.h * mine.scale;
    if (w > 4 * scene.window.width && h > 4 * scene.window.height) continue;
    list.frame(top, "outline", 1, 2, x, y, w, h, 3, true);
    if (w > 30) list.text(top, "outline", 1, "label", 11, "left", x + 5, y + 10, other.label);
  }
}
