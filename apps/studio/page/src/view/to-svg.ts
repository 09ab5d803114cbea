// A display list as an SVG file: the hardcopy of the view, the same shapes and texts as on the screen.

import type { DisplayList, Shapes, Words } from "./display-list.ts";
import type { Size } from "./geometry.ts";
import { colourOf, type Palette } from "./paint.ts";
import { families } from "./text.ts";

const number = (value: number): string => String(Math.round(value * 100) / 100);

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;");
}

export function toSvg(list: DisplayList, palette: Palette, { width, height }: Size, title: string): string {
  const parts = list.inOrder().map((batch) => "texts" in batch ? wordsOf(batch, palette) : shapesOf(batch, palette));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}">` +
    `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${palette.paper}"/>${parts.join("")}</svg>\n`;
}

function shapesOf(shapes: Shapes, palette: Palette): string {
  const colour = colourOf(palette, shapes.paint);
  const look = (shapes.filled ? `fill="${colour}"` : `fill="none" stroke="${colour}" stroke-width="${shapes.width}" stroke-linejoin="round"`) +
    (shapes.dash ? ` stroke-dasharray="4 3"` : "") + (shapes.alpha < 1 ? ` opacity="${number(shapes.alpha)}"` : "");
  const drawn: string[] = [];
  const { rects, lines, ellipses } = shapes;
  for (let i = 0; i < rects.length; i += 5) {
    const radius = rects[i + 4]! > 0.75 ? ` rx="${number(rects[i + 4]!)}"` : "";
    drawn.push(`<rect x="${number(rects[i]!)}" y="${number(rects[i + 1]!)}" width="${number(Math.max(0, rects[i + 2]!))}" height="${number(Math.max(0, rects[i + 3]!))}"${radius}/>`);
  }
  for (let i = 0; i < lines.length; i += 1 + lines[i]!) {
    const points = lines.slice(i + 1, i + 1 + lines[i]!).map(number).join(" ");
    drawn.push(shapes.filled ? `<polygon points="${points}"/>` : `<polyline points="${points}"/>`);
  }
  for (let i = 0; i < ellipses.length; i += 4) {
    drawn.push(`<ellipse cx="${number(ellipses[i]!)}" cy="${number(ellipses[i + 1]!)}" rx="${number(ellipses[i + 2]!)}" ry="${number(ellipses[i + 3]!)}"/>`);
  }
  return `<g ${look}>${drawn.join("")}</g>`;
}

const anchors: Partial<Record<CanvasTextAlign, string>> = { center: "middle", right: "end" };

function wordsOf(words: Words, palette: Palette): string {
  const anchor = anchors[words.align];
  const look = `fill="${colourOf(palette, words.paint)}" font-family="${escaped(families[words.face])}" font-size="${words.size}"` + (words.face === "strong" ? ` font-weight="600"` : "") +
    (anchor === undefined ? "" : ` text-anchor="${anchor}"`) + (words.alpha < 1 ? ` opacity="${number(words.alpha)}"` : "") + ` dominant-baseline="middle" xml:space="preserve"`;
  const drawn = words.texts.map((text, i) => `<text x="${number(words.places[2 * i]!)}" y="${number(words.places[2 * i + 1]!)}">${escaped(text)}</text>`);
  return `<g ${look}>${drawn.join("")}</g>`;
}
