// The camera: which part of the picture the window shows. Its coordinates are those of one block's frame, the smallest that contains
// the window, so that they stay exact at any depth: with one frame for all, twelve levels of 1:20 would exceed a double.

import type { Block } from "../model/block.ts";
import type { Point, Rect, Size } from "./geometry.ts";

export interface Camera {
  /** The block in whose frame the camera stands. */
  readonly root: Block;
  /** The middle of the window, in that frame. */
  readonly x: number;
  readonly y: number;
  /** Pixels per unit of that frame. */
  readonly scale: number;
}

/** The same view, in the frame of the block around. */
export function toParent(camera: Camera): Camera {
  const parent = camera.root.parent;
  if (parent === undefined) return camera;
  const { x, y, k } = camera.root.inside;
  return { root: parent, x: x + k * camera.x, y: y + k * camera.y, scale: camera.scale / k };
}

/** The same view, in the frame of a child. */
export function toChild(camera: Camera, child: Block): Camera {
  const { x, y, k } = child.inside;
  return { root: child, x: (camera.x - x) / k, y: (camera.y - y) / k, scale: camera.scale * k };
}

/** The same view, in the frame of one of the blocks around. */
export function toAncestor(camera: Camera, root: Block): Camera {
  let seen = camera;
  while (seen.root !== root && seen.root.parent !== undefined) seen = toParent(seen);
  return seen;
}

/** What the window shows, in the frame of the camera's block. */
export function view(camera: Camera, window: Size): Rect {
  const w = window.width / camera.scale, h = window.height / camera.scale;
  return { x: camera.x - w / 2, y: camera.y - h / 2, w, h };
}

function within(inner: Rect, outer: Rect): boolean {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w && inner.y + inner.h <= outer.y + outer.h;
}

/** The same view from the smallest block whose frame contains the window. */
export function rerooted(camera: Camera, window: Size): Camera {
  let seen = camera;
  while (seen.root.parent !== undefined) {
    const picture = seen.root.picture;
    if (picture !== undefined && within(view(seen, window), { x: 0, y: 0, w: picture.width, h: picture.height })) break;
    seen = toParent(seen);
  }
  for (;;) {
    const shown = view(seen, window);
    const child = seen.root.children.find((block) => block.picture !== undefined && within(shown, block.inner));
    if (child === undefined) return seen;
    seen = toChild(seen, child);
  }
}

/** Zooms by a factor, with the point of the window (in pixels) staying where it is. */
export function zoomed(camera: Camera, window: Size, factor: number, at: Point): Camera {
  const scale = camera.scale * factor;
  const dx = at.x - window.width / 2, dy = at.y - window.height / 2;
  return { root: camera.root, scale, x: camera.x + dx / camera.scale - dx / scale, y: camera.y + dy / camera.scale - dy / scale };
}

/** Moves the picture by pixels. */
export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

/** The camera that shows a rectangle of a frame as large as possible with `border` pixels around. */
export function showing(root: Block, rect: Rect, window: Size, border: number): Camera {
  const scale = Math.min(
    Math.max(1, window.width - 2 * border) / rect.w,
    Math.max(1, window.height - 2 * border) / rect.h,
  );
  return { root, x: rect.x + rect.w / 2, y: rect.y + rect.h / 2, scale };
}

/** The width of the top block on the screen must stay between these: no way to lose it, none to leave the doubles. */
const smallestModel = 40;
const largestScale = 1e5;

/** Keeps the model in sight: not smaller than a stamp, never wholly beside the window. */
export function bounded(camera: Camera, window: Size): Camera {
  if (camera.root.parent !== undefined) {
    return camera.scale > largestScale ? { ...camera, scale: largestScale } : camera;
  }
  const model = camera.root.children[0];
  if (model === undefined) return camera;
  const scale = Math.max(camera.scale, smallestModel / model.w);
  const halfW = window.width / scale / 2, halfH = window.height / scale / 2;
  const keep = 30 / scale;
  return {
    root: camera.root,
    scale,
    x: Math.min(Math.max(camera.x, model.x - halfW + keep), model.x + model.w + halfW - keep),
    y: Math.min(Math.max(camera.y, model.y - halfH + keep), model.y + model.h + halfH - keep),
  };
}

/** The blocks around a block and itself, from the sheet inwards. */
export function chain(block: Block): Block[] {
  const blocks: Block[] = [];
  for (let at: Block | undefined = block; at !== undefined; at = at.parent) blocks.push(at);
  return blocks.reverse();
}

export function commonAncestor(a: Block, b: Block): Block {
  const left = chain(a), right = chain(b);
  let common = left[0]!;
  for (let i = 0; i < left.length && i < right.length && left[i] === right[i]; ++i) common = left[i]!;
  return common;
}
