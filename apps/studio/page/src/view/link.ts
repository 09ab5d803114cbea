// A view as a link: `#/powerstation/drum` is a block filling the window, `#/powerstation/drum@0.5,0.4,1.2` a window within its frame
// (middle and width, as shares of the frame). Behind `~` stand the file and, where it was asked for by name, the class.

import type { Block } from "../model/block.ts";
import { type Camera, toChild } from "./camera.ts";
import type { Size } from "./geometry.ts";

export interface ViewLink {
  readonly path: readonly string[];
  /** Middle of the window and its width, as shares of the width and height of the frame of the block; none: the whole block. */
  readonly window: { readonly x: number; readonly y: number; readonly width: number } | undefined;
}

export function linkOf(camera: Camera, window: Size): ViewLink | undefined {
  const model = camera.root.parent === undefined ? camera.root.children[0] : undefined;
  const seen = model === undefined ? camera : toChild(camera, model);
  const picture = seen.root.picture;
  if (picture === undefined) return undefined;
  return {
    path: seen.root.path.slice(1),
    window: { x: seen.x / picture.width, y: seen.y / picture.height, width: window.width / seen.scale / picture.width },
  };
}

/** The camera of a link below the model's block; undefined while the pictures on its way are missing. */
export function cameraOf(link: ViewLink, model: Block, window: Size): Camera | undefined {
  if (link.window === undefined) return undefined;
  const { x, y, width } = link.window;
  const block = link.path.length === 0 ? model : model.find(link.path);
  const picture = block?.picture;
  if (block === undefined || picture === undefined || !(width > 0)) return undefined;
  return { root: block, x: x * picture.width, y: y * picture.height, scale: window.width / (width * picture.width) };
}

const digits = (value: number): string => Number(value.toPrecision(6)).toString();

export function toHash(link: ViewLink): string {
  const path = link.path.map(encodeURIComponent).join("/");
  const window = link.window === undefined ? "" : `@${digits(link.window.x)},${digits(link.window.y)},${digits(link.window.width)}`;
  return `#/${path}${window}`;
}

/** The address of a view of a model. */
export function addressOf(link: ViewLink, model: { readonly file: string; readonly asked: string }): string {
  return `${toHash(link)}~${encodeURIComponent(model.file)}${model.asked === "" ? "" : `~${encodeURIComponent(model.asked)}`}`;
}

export function modelAt(hash: string): { file: string; asked: string } | undefined {
  const [view, file, asked] = hash.split("~");
  if (!view!.startsWith("#/") || file === undefined || file === "") return undefined;
  try {
    return { file: decodeURIComponent(file), asked: decodeURIComponent(asked ?? "") };
  } catch {
    return undefined;
  }
}

export function fromHash(hash: string): ViewLink | undefined {
  const match = /^#\/([^@]*)(?:@(-?[\d.e+-]+),(-?[\d.e+-]+),([\d.e+-]+))?$/.exec(hash.split("~")[0]!);
  if (match === null) return undefined;
  let path: string[];
  try {
    path = match[1]!.split("/").filter((name) => name !== "").map(decodeURIComponent);
  } catch {
    return undefined;
  }
  if (match[2] === undefined) return { path, window: undefined };
  const [x, y, width] = [Number(match[2]), Number(match[3]), Number(match[4])];
  return [x, y, width].every(Number.isFinite) && width > 0 ? { path, window: { x, y, width } } : undefined;
}
