// Draws a display list on a canvas: one path for all shapes of a paint, opacity and layer.

import type { DisplayList, Paint, Shapes, Words } from "./display-list.ts";
import { fontOf } from "./text.ts";

/** A colour for each name. */
export type Palette = Record<Exclude<Paint, `#${string}`>, string> & { readonly paper: string; readonly dark: boolean };

const adapted = new Map<string, string>();

/** Colours of the modeller are meant for white paper: on dark paper light and dark change places, the hue stays. */
export function colourOf(palette: Palette, paint: Paint): string {
  if (!paint.startsWith("#")) return palette[paint as keyof Palette] as string;
  if (!palette.dark) return paint;
  let known = adapted.get(paint);
  if (known === undefined) {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(paint.slice(at, at + 2), 16) / 255) as [number, number, number];
    const most = Math.max(r, g, b), least = Math.min(r, g, b), lightness = (most + least) / 2;
    // Between the block and the ink of the dark palette.
    const wanted = 0.13 + 0.75 * (1 - lightness), shift = wanted - lightness;
    known = `rgb(${[r, g, b].map((v) => Math.round(255 * Math.min(1, Math.max(0, lightness + (v - lightness) * 0.8 + shift)))).join(" ")})`;
    adapted.set(paint, known);
  }
  return known;
}

export function paint(context: CanvasRenderingContext2D, list: DisplayList, palette: Palette, width: number, height: number, ratio: number): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, width, height);
  context.lineJoin = "round";
  context.textBaseline = "middle";
  for (const batch of list.inOrder()) {
    context.globalAlpha = batch.alpha;
    if ("texts" in batch) paintWords(context, batch, palette);
    else paintShapes(context, batch, palette);
  }
  context.globalAlpha = 1;
}

function paintShapes(context: CanvasRenderingContext2D, shapes: Shapes, palette: Palette): void {
  context.beginPath();
  const { rects, lines, ellipses } = shapes;
  for (let i = 0; i < rects.length; i += 5) {
    const radius = rects[i + 4]!;
    if (radius > 0.75) context.roundRect(rects[i]!, rects[i + 1]!, rects[i + 2]!, rects[i + 3]!, radius);
    else context.rect(rects[i]!, rects[i + 1]!, rects[i + 2]!, rects[i + 3]!);
  }
  for (let i = 0; i < lines.length;) {
    const end = i + 1 + lines[i]!;
    context.moveTo(lines[i + 1]!, lines[i + 2]!);
    for (let j = i + 3; j < end; j += 2) context.lineTo(lines[j]!, lines[j + 1]!);
    i = end;
  }
  for (let i = 0; i < ellipses.length; i += 4) {
    context.moveTo(ellipses[i]! + ellipses[i + 2]!, ellipses[i + 1]!);
    context.ellipse(ellipses[i]!, ellipses[i + 1]!, ellipses[i + 2]!, ellipses[i + 3]!, 0, 0, 2 * Math.PI);
  }
  if (shapes.filled) {
    context.fillStyle = colourOf(palette, shapes.paint);
    context.fill();
    return;
  }
  context.strokeStyle = colourOf(palette, shapes.paint);
  context.lineWidth = shapes.width;
  if (shapes.dash) context.setLineDash([4, 3]);
  context.stroke();
  if (shapes.dash) context.setLineDash([]);
}

function paintWords(context: CanvasRenderingContext2D, words: Words, palette: Palette): void {
  context.font = fontOf(words.face, words.size);
  context.fillStyle = colourOf(palette, words.paint);
  context.textAlign = words.align;
  // Whole pixels for the line on which letters stand, so that they do not wobble while the picture moves.
  for (let i = 0; i < words.texts.length; ++i) {
    context.fillText(words.texts[i]!, words.places[2 * i]!, Math.round(words.places[2 * i + 1]!));
  }
}
