// Interfaces: a little square where a line meets the block; when the block has opened, a box between its two rectangles with a name; and
// when one comes nearer still, its variables: which are equal on both sides (across) and which flow (through), with unit and value.

import type { Block } from "../model/block.ts";
import type { Joint, Member, Port, Side } from "../model/picture.ts";
import { clamp, type Rect, smoothstep } from "./geometry.ts";
import { innerOnScreen, outside, type Pass, type Placed, variableOf } from "./scene.ts";
import { formatted } from "./numbers.ts";
import { legible, lineHeight, shortened, stepped } from "./text.ts";
import { findPort, membersOf } from "./walk-lines.ts";

export function drawPorts(pass: Pass, block: Block, rect: Rect, around: Placed, alpha: number, opening: number, strength: number, layer: number): void {
  if (strength * alpha < 0.03) return;
  const inner = innerOnScreen(block, rect);
  block.use.joints.forEach((joint, index) => {
    const x = around.x + around.k * joint.x, y = around.y + around.k * joint.y;
    drawPort(pass, block, joint, index, x, y, rect, inner, spacingOf(block, joint) * around.k, alpha * strength, opening, layer);
  });
}

function drawPort(
  pass: Pass, block: Block, joint: Joint, index: number, x: number, y: number, rect: Rect, inner: Rect, spacing: number, alpha: number, opening: number,
  layer: number,
): void {
  const { list, scene } = pass;
  const small = clamp(Math.min(rect.w, rect.h) * 0.06, 2.5, 7);
  const closed: Rect = { x: x - small / 2, y: y - small / 2, w: small, h: small };
  const open = openBox(joint.side, x, y, rect, inner, spacing);
  const box: Rect = {
    x: closed.x + (open.x - closed.x) * opening,
    y: closed.y + (open.y - closed.y) * opening,
    w: closed.w + (open.w - closed.w) * opening,
    h: closed.h + (open.h - closed.h) * opening,
  };
  if (outside(box, scene.window, 4)) return;
  const hovered = scene.hovered?.block === block && scene.hovered.part === "port" && scene.hovered.index === index;
  list.rect(layer, opening > 0.5 ? "portOpen" : "portFill", alpha, box.x, box.y, box.w, box.h, Math.min(2, box.w * 0.1));
  list.frame(layer, hovered ? "hover" : "icon", alpha, hovered ? 2 : 1, box.x, box.y, box.w, box.h, Math.min(2, box.w * 0.1));
  const port = opening > 0.2 ? findPort(block.picture?.ports ?? [], joint.port) : undefined;
  const members = port === undefined ? [] : membersOf(port).filter((member) => member.name !== "");
  const detail = members.length === 0 ? 0 : smoothstep(60, 80, Math.min(box.w, box.h * 1.8));
  drawPortName(pass, joint, box, alpha * opening * (1 - smoothstep(0.15, 0.4, detail)), layer + 1);
  if (detail > 0) drawMembers(pass, block, joint, box, members, alpha * smoothstep(0.35, 0.6, detail), layer + 1);
  if (opening > 0.5 && port !== undefined) drawStub(pass, port, joint.side, box, inner, alpha * opening, layer);
  list.object({
    part: "port", block, index, name: joint.port, level: "", ...box, points: undefined,
    text: members.map((member) => `${member.role} ${member.name}${member.unit === "" ? "" : ` ${member.unit}`}`).join(", "),
  });
}

/** How far a box reaches into its block; a frame of another shape than the block leaves more room than one needs. */
export const deepest = 0.1;

/** From a joint to the next one on its side, in the frame around. */
export function spacingOf(block: Block, joint: Joint): number {
  const upright = joint.side === "left" || joint.side === "right";
  let least = Infinity;
  for (const other of block.use.joints) {
    if (other !== joint && other.side === joint.side) least = Math.min(least, Math.abs(upright ? other.y - joint.y : other.x - joint.x));
  }
  return least;
}

export function openBox(side: Side, x: number, y: number, rect: Rect, inner: Rect, spacing: number): Rect {
  if (side === "left" || side === "right") {
    const h = Math.min(spacing * 0.88, rect.h * 0.13);
    const w = Math.min(inner.x - rect.x, rect.w * deepest);
    return { x: side === "left" ? rect.x : rect.x + rect.w - w, y: y - h / 2, w, h };
  }
  const w = Math.min(spacing * 0.88, rect.w * 0.13);
  const h = Math.min(inner.y - rect.y, rect.h * deepest);
  return { x: x - w / 2, y: side === "top" ? rect.y : rect.y + rect.h - h, w, h };
}

function drawPortName({ list, scene }: Pass, joint: Joint, box: Rect, alpha: number, layer: number): void {
  if (alpha < 0.04 || joint.port === "") return;
  const wide = Math.max(1, scene.measure(joint.port, "label"));
  const size = stepped(Math.min(12, box.h * 0.55, Math.max(box.w * 0.88 / wide, Math.min(6.5, box.h * 0.5))));
  if (size < legible || box.w < 18) return;
  const text = shortened(joint.port, box.w * 0.92 / size, "label", scene.measure);
  list.text(layer, "inkSoft", alpha, "label", size, "center", box.x + box.w / 2, box.y + box.h / 2, text);
}

const symbols = { across: "=", through: "→", input: "▸", output: "▸", terminal: "•" } as const;

/** In the box of a connector its variables need not repeat its name. */
function shortName({ port }: Joint, { name }: Member): string {
  return name.startsWith(`${port}.`) ? name.slice(port.length + 1) : name;
}

function drawMembers(pass: Pass, block: Block, joint: Joint, box: Rect, members: readonly Member[], alpha: number, layer: number): void {
  const { list, scene } = pass;
  const nameWidth = Math.max(...members.map((member) => scene.measure(shortName(joint, member), "code")));
  const unitWidth = Math.max(0, ...members.map((member) => scene.measure(member.unit, "label")));
  const values = members.map((member) => {
    const value = scene.live.value(variableOf(block, member.name));
    return Number.isNaN(value) ? undefined : value;
  });
  const valueWidth = values.some((value) => value !== undefined) ? 6 : 0;
  const total = 1.6 + nameWidth + 0.8 + valueWidth + (unitWidth > 0 ? unitWidth + 0.6 : 0);
  const title = joint.port === "" ? 0 : 1.6;
  // As large as fits, but not larger than one reads until the box itself is what fills the window.
  const comfortable = 15 * Math.max(1, box.w / (0.3 * scene.window.width));
  const size = Math.min(comfortable, box.w * 0.9 / Math.max(total, scene.measure(joint.port, "strong")), box.h * 0.9 / (members.length * lineHeight + title));
  const letters = stepped(size);
  if (letters < legible) return;
  const left = box.x + (box.w - total * size) / 2;
  let y = box.y + (box.h - (members.length * lineHeight + title) * size) / 2;
  if (title > 0) {
    list.text(layer, "inkName", alpha, "strong", letters, "center", box.x + box.w / 2, y + size * 0.7, joint.port);
    y += title * size;
  }
  members.forEach((member, i) => {
    const paint = member.role === "across" || member.role === "through" ? member.role : "ink";
    const symbol = member.role === "through" && member.negative ? "←" : symbols[member.role];
    const middle = y + (i + 0.5) * lineHeight * size;
    list.text(layer, paint, alpha, "code", letters, "left", left, middle, symbol);
    list.text(layer, paint, alpha, "code", letters, "left", left + 1.6 * size, middle, shortName(joint, member));
    const value = values[i];
    const valueAt = left + (2.4 + nameWidth) * size;
    if (value !== undefined) list.text(layer, "value", alpha, "code", letters, "left", valueAt, middle, formatted(value));
    if (member.unit !== "") list.text(layer, "inkFaint", alpha, "label", letters, "left", valueAt + valueWidth * size, middle, member.unit);
    list.object({
      part: "member", block, index: i, name: member.name, level: "", x: left, y: middle - size * 0.7, w: total * size, h: size * lineHeight, points: undefined,
      text: `${member.role} ${member.name}${value === undefined ? "" : ` ${formatted(value)}`} ${member.unit}`.trim(),
    });
  });
}

/** From the box to where the line of the inside begins. */
function drawStub({ list }: Pass, port: Port, side: Side, box: Rect, inner: Rect, alpha: number, layer: number): void {
  if (port.side !== side) return;  // of a block that is turned: its inside is not
  if (side === "left" || side === "right") {
    const y = inner.y + inner.h * port.place, middle = box.y + box.h / 2;
    const from = side === "left" ? box.x + box.w : box.x, to = side === "left" ? inner.x : inner.x + inner.w;
    list.line(layer, "line", alpha, 1, [from, middle, (from + to) / 2, middle, (from + to) / 2, y, to, y]);
  } else {
    const x = inner.x + inner.w * port.place, middle = box.x + box.w / 2;
    const from = side === "top" ? box.y + box.h : box.y, to = side === "top" ? inner.y : inner.y + inner.h;
    list.line(layer, "line", alpha, 1, [middle, from, middle, (from + to) / 2, x, (from + to) / 2, x, to]);
  }
}
