// What a frame is drawn from, besides the camera: everything that lies over the model.

import type { Block } from "../model/block.ts";
import type { Rect, Size } from "./geometry.ts";
import { classPrefix } from "./problems.ts";
import type { Camera } from "./camera.ts";
import type { Measure } from "./text.ts";
import type { DisplayList } from "./display-list.ts";

/** Values of the run at the instant that is shown. */
export interface Live {
  /** NaN: not known; undefined: there is no run. */
  value(path: string): number | undefined;
  /** The curve of a variable so far: times and values scaled to 0 … 1. */
  spark(path: string): readonly number[] | undefined;
  /** The least and the greatest value of that curve. */
  range(path: string): readonly [number, number] | undefined;
  /** The first and the last instant of the run so far. */
  times(): readonly [number, number] | undefined;
  /** The instant that is shown, as a share of the run. */
  now(): number | undefined;
  /** A through variable's share of the largest of its group, -1 … 1. */
  flow(path: string, group: string): number | undefined;
}

export interface Marked {
  readonly severity: "error" | "warning" | "note";
  readonly text: string;
  /** Bytes of the file, to find the statement. */
  readonly file: string;
  readonly begin: number;
  /** In a block within this one. */
  readonly inside: boolean;
}

/** An equation, by the block and the place of its text. */
export interface LitEquation {
  readonly path: string;
  readonly file: string;
  readonly begin: number;
  /** The solver iterates here. */
  readonly iterated: boolean;
}

export interface Lit {
  readonly blocks: ReadonlySet<string>;
  readonly equations: readonly LitEquation[];
}

export interface Scene {
  readonly camera: Camera;
  readonly window: Size;
  readonly measure: Measure;
  /** When the frame has to be done: from then on blocks stay closed. Infinity at rest, where all is drawn. */
  readonly deadline: number;
  readonly live: Live;
  /** What is wrong, by the path of the block or by its class (`problems.ts`). */
  readonly problems: ReadonlyMap<string, readonly Marked[]>;
  /** Of a loop, of a chain of equations. */
  readonly lit: Lit;
  readonly hovered: { readonly block: Block; readonly part: string; readonly index: number } | undefined;
  readonly selected: Block | undefined;
  /** Statements found by search or by `why`: block path and index. */
  readonly pointed: { readonly path: string; readonly statement: number } | undefined;
  /** What the other windows show. */
  readonly windows: readonly { readonly camera: Camera; readonly window: Size; readonly label: string }[];
}

/** Layers of one depth: fill, border, lines, ports, texts, marks. */
export const layersOfDepth = 6;

/** A block's frame on the screen: screen = (x, y) + k * own. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

export interface Pass {
  readonly list: DisplayList;
  readonly scene: Scene;
}

export function pathOf(block: Block): string {
  return block.path.slice(1).join(".");
}

export function variableOf(block: Block, name: string): string {
  const path = pathOf(block);
  return path === "" ? name : `${path}.${name}`;
}

export function outside(rect: Rect, window: Size, border = 0): boolean {
  return rect.x > window.width + border || rect.y > window.height + border || rect.x + rect.w < -border || rect.y + rect.h < -border;
}

/** The inner rectangle of a block whose outer one is at `rect`. */
export function innerOnScreen(block: Block, rect: Rect): Rect {
  const inner = block.inner;
  const k = rect.w / block.w;
  return { x: rect.x + (inner.x - block.x) * k, y: rect.y + (inner.y - block.y) * k, w: inner.w * k, h: inner.h * k };
}

/** What is wrong in a block itself, and in the blocks within it. */
export function problemsOf(problems: Scene["problems"], block: Block): Marked[] {
  return [...problems.get(pathOf(block)) ?? [], ...problems.get(classPrefix + block.use.key) ?? []];
}
