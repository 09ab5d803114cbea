// The whole model, small, with what the window shows of it. One points or drags in it to move the view.

import { useEffect, useRef } from "preact/hooks";
import type { Block } from "../model/block.ts";
import * as store from "../store.ts";
import { drawn, shownOf, theViewport } from "../view-actions.ts";
import { showing } from "../view/camera.ts";
import { dark, light } from "../view/theme.ts";

const width = 168;

export function Minimap({ sheet }: { sheet: Block }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const model = sheet.children[0]!;
  const height = Math.round(width * model.h / model.w);
  void drawn.value;
  const shown = shownOf(model);
  // While the whole model is in the window there is nothing to find one's way in.
  const needed = shown !== undefined && shown.w < model.w * 0.95;

  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === null || context === undefined || shown === undefined) return;
    draw(context, model, height, shown);
  });
  const point = (event: PointerEvent): void => {
    if (event.buttons === 0 || shown === undefined) return;
    const box = canvas.current!.getBoundingClientRect();
    const x = model.x + (event.clientX - box.left) / width * model.w, y = model.y + (event.clientY - box.top) / height * model.h;
    const viewport = theViewport();
    if (viewport !== undefined) viewport.show(showing(sheet, { x: x - shown.w / 2, y: y - shown.h / 2, w: shown.w, h: shown.h }, viewport.size, 0));
  };
  if (!needed) return null;
  return (
    <canvas
      ref={canvas} class="minimap" width={width * devicePixelRatio} height={height * devicePixelRatio} style={{ width: `${width}px`, height: `${height}px` }}
      aria-hidden="true" onPointerDown={(event) => { canvas.current!.setPointerCapture(event.pointerId); point(event); }} onPointerMove={point}
    />
  );
}

function draw(context: CanvasRenderingContext2D, model: Block, height: number, shown: { x: number; y: number; w: number; h: number }): void {
  const palette = store.darkTheme.peek() ? dark : light;
  const k = width / model.w;
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  outline(context, model, -model.x * k, -model.y * k, k, palette.axis, 0);
  const x = (shown.x - model.x) * k, y = (shown.y - model.y) * k;
  // A window too small to see is shown as a cross.
  const w = Math.max(shown.w * k, 3), h = Math.max(shown.h * k, 3);
  context.strokeStyle = palette.selected;
  context.lineWidth = 1.5;
  context.strokeRect(x, y, w, h);
  context.fillStyle = palette.selected;
  context.globalAlpha = 0.12;
  context.fillRect(x, y, w, h);
  if (shown.w * k < 12) {
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(x + w / 2, 0);
    context.lineTo(x + w / 2, height);
    context.moveTo(0, y + h / 2);
    context.lineTo(width, y + h / 2);
    context.lineWidth = 0.5;
    context.stroke();
  }
  context.globalAlpha = 1;
}

function outline(context: CanvasRenderingContext2D, block: Block, x: number, y: number, k: number, colour: string, depth: number): void {
  context.strokeStyle = colour;
  context.lineWidth = 0.75;
  context.globalAlpha = depth === 0 ? 1 : 0.8;
  if (depth > 0) context.strokeRect(x + k * block.x, y + k * block.y, k * block.w, k * block.h);
  // Only what was opened is known; two levels are enough to know where one is.
  if (depth > 2 || k * block.w < 24) return;
  const inside = block.inside;
  for (const child of block.children) outline(context, child, x + k * inside.x, y + k * inside.y, k * inside.k, colour, depth + 1);
}
