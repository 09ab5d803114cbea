// Lines between interfaces. Connections with a name (`connect (steam)`) have a colour of their own in their diagram; signals have an
// arrow; while a model runs, what flows is seen as the width of the line and the direction of its marks.

import type { Block } from "../model/block.ts";
import type { ClassPicture, Line, LineEnd, Member, Port } from "../model/picture.ts";
import type { Paint } from "./display-list.ts";
import { clamp } from "./geometry.ts";
import { layersOfDepth, type Pass, type Placed, variableOf } from "./scene.ts";

export const lineColours: readonly Paint[] = ["line0", "line1", "line2", "line3", "line4", "line5", "line6"];

const coloursOf = new WeakMap<ClassPicture, readonly Paint[]>();

/** The colour of each line of a class: that of what flows, else by the order in which the names of its connections appear. */
function colours(picture: ClassPicture): readonly Paint[] {
  let known = coloursOf.get(picture);
  if (known === undefined) {
    const names = [...new Set(picture.lines.filter((line) => line.medium === "").map((line) => line.name).filter((name) => name !== ""))];
    known = picture.lines.map((line) => line.medium !== "" ? line.medium as Paint : line.name === "" ? "line" : lineColours[names.indexOf(line.name) % lineColours.length]!);
    coloursOf.set(picture, known);
  }
  return known;
}

export function drawLines(pass: Pass, block: Block, picture: ClassPicture, at: Placed, alpha: number, depth: number): void {
  const { list, scene } = pass;
  const layer = depth * layersOfDepth + 2;
  const paints = colours(picture);
  const unit = clamp(at.k * 0.35, 0.5, 1.5);
  picture.lines.forEach((line, index) => {
    const points: number[] = [];
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (let i = 0; i < line.points.length; i += 2) {
      const x = at.x + at.k * line.points[i]!, y = at.y + at.k * line.points[i + 1]!;
      points.push(x, y);
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    if (left > scene.window.width || right < 0 || top > scene.window.height || bottom < 0) return;
    const hovered = scene.hovered?.block === block && scene.hovered.part === "line" && scene.hovered.index === index;
    const flow = flowOf(pass, block, picture, line);
    const width = hovered ? 3 : flow === undefined ? unit : unit + 2.75 * Math.sqrt(Math.abs(flow)) * clamp(at.k / 4, 0.2, 1);
    list.line(layer, hovered ? "lineHot" : paints[index]!, alpha, Math.round(width * 4) / 4, points, line.conditional);
    if (line.kind === "signal") arrow(pass, points, layer, hovered ? "lineHot" : paints[index]!, alpha, clamp(at.k * 1.6, 2, 8));
    else if (flow !== undefined && Math.abs(flow) > 1e-3) arrow(pass, flow > 0 ? halved(points) : halved(reversed(points)), layer, paints[index]!, alpha, clamp(width * 2.6, 5, 11));
    list.object({
      part: "line", block, index, name: lineName(picture, line), level: "", x: left, y: top, w: right - left, h: bottom - top, points, text: line.name,
    });
  });
}

export function lineName(picture: ClassPicture, line: Line): string {
  const end = ({ block, port, variable }: LineEnd): string => {
    const name = block === undefined ? "" : picture.uses[block]?.name ?? "";
    const joint = variable !== "" ? variable : port;
    return name === "" ? joint : joint === "" ? name : `${name}:${joint}`;
  };
  return `${end(line.from)} – ${end(line.to)}`;
}

/** The port at the end of a line, and the block to which it belongs. */
export function portAt(block: Block, picture: ClassPicture, end: LineEnd): { readonly block: Block; readonly port: Port } | undefined {
  const owner = end.block === undefined ? block : block.child(picture.uses[end.block]?.name ?? "");
  const shown = end.block === undefined ? picture : owner?.picture;
  if (owner === undefined || shown === undefined) return undefined;
  const port = findPort(shown.ports, end.port);
  return port === undefined ? undefined : { block: owner, port };
}

/** A port by its path: parts of a hierarchical cut follow a dot, those without a name by their number. */
export function findPort(ports: readonly Port[], path: string): Port | undefined {
  let among = ports;
  let found: Port | undefined;
  for (const name of path.split(".")) {
    found = among.find((port) => port.name === name) ?? (/^\d+$/.test(name) ? among[Number(name) - 1] : undefined);
    if (found === undefined) return undefined;
    among = found.parts;
  }
  return found;
}

export function membersOf(port: Port): Member[] {
  return [...port.members, ...port.parts.flatMap(membersOf)];
}

/** What flows along a line, as a share of the largest, positive from its first end to its last. */
function flowOf({ scene }: Pass, block: Block, picture: ClassPicture, line: Line): number | undefined {
  for (const [end, sign] of [[line.from, 1], [line.to, -1]] as const) {
    const at = portAt(block, picture, end);
    if (at === undefined) continue;
    const through = membersOf(at.port).find((member) => member.role === "through" && member.name !== "");
    if (through === undefined) continue;
    const share = scene.live.flow(variableOf(at.block, through.name), `${picture.key} ${line.name} ${through.unit}`);
    if (share === undefined || Number.isNaN(share)) return undefined;
    // Counting into the block at the first end is against the line; at the border of the class itself, inwards is along it.
    const inwards = (through.negative ? -1 : 1) * share;
    return (end.block === undefined ? inwards : -inwards) * sign;
  }
  return undefined;
}

function reversed(points: readonly number[]): number[] {
  const back: number[] = [];
  for (let i = points.length - 2; i >= 0; i -= 2) back.push(points[i]!, points[i + 1]!);
  return back;
}

/** The line up to the middle of its longest part, where a mark has room. */
function halved(points: readonly number[]): number[] {
  let longest = 0, at = 0;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const length = Math.hypot(points[i + 2]! - points[i]!, points[i + 3]! - points[i + 1]!);
    if (length > longest) {
      longest = length;
      at = i;
    }
  }
  return [points[at]!, points[at + 1]!, (points[at]! + points[at + 2]!) / 2, (points[at + 1]! + points[at + 3]!) / 2];
}

function arrow({ list }: Pass, points: readonly number[], layer: number, paint: Paint, alpha: number, size: number): void {
  const n = points.length;
  if (n < 4) return;
  const x = points[n - 2]!, y = points[n - 1]!;
  const dx = x - points[n - 4]!, dy = y - points[n - 3]!;
  const length = Math.hypot(dx, dy);
  if (length < 1e-6) return;
  const ux = dx / length, uy = dy / length;
  list.area(layer, paint, alpha, [
    x, y, x - size * ux - size * 0.45 * uy, y - size * uy + size * 0.45 * ux, x - size * ux + size * 0.45 * uy, y - size * uy - size * 0.45 * ux, x, y,
  ]);
}
