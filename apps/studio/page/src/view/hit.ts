// What is under the cursor, and which view the quick zoom shows of it.

import type { Block } from "../model/block.ts";
import { type Camera, showing, toAncestor, view, zoomed } from "./camera.ts";
import type { Drawn, Part } from "./display-list.ts";
import { contains, distanceToLine, type Point, type Rect, type Size } from "./geometry.ts";
import type { Measure } from "./text.ts";
import { openBox, spacingOf } from "./walk-ports.ts";
import { textOf } from "./walk-text.ts";

/** Within one block, what lies above what. */
const above: Record<Part, number> = { block: 0, line: 3, text: 4, curve: 4, plot: 4, port: 5, member: 6, problem: 9 };
const lineReach = 6;

export function hit(objects: readonly Drawn[], x: number, y: number): Drawn | undefined {
  let best: Drawn | undefined, bestScore = -1;
  for (const drawn of objects) {
    const score = drawn.block.path.length * 10 + (drawn.part === "text" && drawn.index === -1 ? 1 : above[drawn.part]);
    if (score <= bestScore) continue;
    const reach = drawn.part === "line" ? lineReach : drawn.part === "port" ? 3 : 0;
    if (!contains({ x: drawn.x - reach, y: drawn.y - reach, w: drawn.w + 2 * reach, h: drawn.h + 2 * reach }, x, y)) continue;
    if (drawn.points !== undefined && distanceToLine(drawn.points, x, y) > lineReach * lineReach) continue;
    best = drawn;
    bestScore = score;
  }
  return best;
}

/** Free pixels around an object that fills the window. */
export const fillBorder = 36;

export function showingBlock(block: Block, window: Size): Camera {
  return block.parent === undefined ? showing(block, { x: 0, y: 0, w: block.picture?.width ?? 1, h: block.picture?.height ?? 1 }, window, 0)
    : showing(block.parent, block, window, fillBorder);
}

/** The view of a whole block, or of the one around when this one is seen whole already. */
export function outwards(block: Block, camera: Camera, window: Size): Camera {
  const target = showingBlock(block, window);
  if (block.parent === undefined) return target;
  const parent = block.parent;
  const now = toAncestor(camera, parent);
  const seenWhole = now.root === parent && now.scale <= target.scale * 1.02 && covers(view(now, window), block);
  return seenWhole && parent.parent !== undefined ? showingBlock(parent, window) : target;
}

function covers(outer: Rect, inner: Rect): boolean {
  const slack = 0.01 * inner.w;
  return outer.x <= inner.x + slack && outer.y <= inner.y + slack && outer.x + outer.w >= inner.x + inner.w - slack && outer.y + outer.h >= inner.y + inner.h - slack;
}

/** The quick zoom: an object fills the window, a text its width with the row pointed at in the middle, a line belongs to the block around,
 *  nothing is a step back. */
export function quickZoom(drawn: Drawn | undefined, at: Point, camera: Camera, window: Size, measure: Measure): Camera {
  if (drawn === undefined) return zoomed(camera, window, 0.7, { x: window.width / 2, y: window.height / 2 });
  switch (drawn.part) {
    case "block":
    case "problem":
      return showingBlock(drawn.block, window);
    case "line":
      return outwards(drawn.block, camera, window);
    case "text":
      return showingText(drawn.block, at, camera, window, measure);
    case "port":
      return showingPort(drawn.block, drawn.index, window) ?? showingBlock(drawn.block, window);
    case "member":
    case "curve":
    case "plot": {
      const shown = view(camera, window);
      const k = 1 / camera.scale;
      return showing(camera.root, { x: shown.x + drawn.x * k, y: shown.y + drawn.y * k, w: drawn.w * k, h: drawn.h * k }, window, window.width * 0.12);
    }
  }
}

function showingText(block: Block, at: Point, camera: Camera, window: Size, measure: Measure): Camera {
  const picture = block.picture;
  const text = picture === undefined ? undefined : textOf(block, picture, measure);
  if (text === undefined) return showingBlock(block, window);
  const width = text.block.width * text.font;
  const scale = (window.width - 2 * fillBorder) / width;
  const own = ownCoordinates(block, at, camera, window);
  return { root: block, x: text.x + width / 2, y: own.y, scale };
}

function ownCoordinates(block: Block, at: Point, camera: Camera, window: Size): Point {
  const shown = view(camera, window);
  let x = shown.x + at.x / camera.scale, y = shown.y + at.y / camera.scale;
  const down: Block[] = [];
  for (let b: Block | undefined = block; b !== undefined && b !== camera.root; b = b.parent) down.push(b);
  for (const b of down.reverse()) {
    const inside = b.inside;
    x = (x - inside.x) / inside.k;
    y = (y - inside.y) / inside.k;
  }
  return { x, y };
}

export function showingPort(block: Block, index: number, window: Size): Camera | undefined {
  const joint = block.use.joints[index];
  if (joint === undefined || block.parent === undefined) return undefined;
  return showing(block.parent, openBox(joint.side, joint.x, joint.y, block, block.inner, spacingOf(block, joint)), window, Math.min(window.width, window.height) * 0.22);
}

/** The block that one is looking at: the deepest that has most of the window. */
export function focusOf(camera: Camera, window: Size): Block {
  let seen = camera;
  let focus = seen.root;
  for (;;) {
    const shown = view(seen, window);
    const next = seen.root.children.find((child) => {
      const w = Math.min(shown.x + shown.w, child.x + child.w) - Math.max(shown.x, child.x);
      const h = Math.min(shown.y + shown.h, child.y + child.h) - Math.max(shown.y, child.y);
      return w > 0 && h > 0 && w * h > 0.4 * shown.w * shown.h;
    });
    if (next === undefined) return focus;
    focus = next;
    if (next.picture === undefined) return focus;
    const { x, y, k } = next.inside;
    seen = { root: next, x: (seen.x - x) / k, y: (seen.y - y) / k, scale: seen.scale * k };
  }
}
