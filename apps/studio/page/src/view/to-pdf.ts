// A display list as a PDF file: the hardcopy of the view on one page, with the fonts that every reader of PDF has.

import type { DisplayList, Shapes, Words } from "./display-list.ts";
import type { Size } from "./geometry.ts";
import { colourOf, type Palette } from "./paint.ts";
import type { Face, Measure } from "./text.ts";

const number = (value: number): string => String(Math.round(value * 100) / 100);

type Rgb = readonly [number, number, number];

function rgbOf(colour: string): Rgb {
  if (colour.startsWith("#")) return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255) as unknown as Rgb;
  return (colour.match(/\d+/g) ?? ["0", "0", "0"]).slice(0, 3).map((v) => Number(v) / 255) as unknown as Rgb;
}

/** What shines through is mixed with the paper: PDF's own transparency is for later versions of it. */
function mixed(colour: string, alpha: number, paper: Rgb): string {
  return rgbOf(colour).map((v, i) => number(v * alpha + paper[i]! * (1 - alpha))).join(" ");
}

const fonts: Record<Face, string> = { label: "F1", strong: "F2", code: "F3" };
const baseFonts = ["Helvetica", "Helvetica-Bold", "Courier"];
/** Beyond Latin-1: what the encoding has under another number, and what stands for letters that it has not. */
const encoded: Readonly<Record<string, string>> = { "−": "-", "…": "\\205", "–": "\\226", "→": "->", "←": "<-", "·": "\\267", "Σ": "S", "Π": "P", "∼": "~", "ƒ": "\\203", "─": "-", "∞": "inf" };

function escaped(text: string): string {
  return [...text].map((letter) => {
    if (letter === "(" || letter === ")" || letter === "\\") return `\\${letter}`;
    const code = letter.codePointAt(0)!;
    if (code >= 32 && code < 127) return letter;
    return encoded[letter] ?? (code < 256 ? `\\${code.toString(8).padStart(3, "0")}` : "?");
  }).join("");
}

export function toPdf(list: DisplayList, palette: Palette, { width, height }: Size, measure: Measure): string {
  const paper = rgbOf(palette.paper);
  const marks = [`0.75 0 0 -0.75 0 ${number(height * 0.75)} cm 1 J 1 j`, `${mixed(palette.paper, 1, paper)} rg 0 0 ${number(width)} ${number(height)} re f`];
  for (const batch of list.inOrder()) marks.push("texts" in batch ? words(batch, palette, paper, measure) : shapes(batch, palette, paper));
  return file(marks.join("\n"), width * 0.75, height * 0.75);
}

function shapes(batch: Shapes, palette: Palette, paper: Rgb): string {
  const colour = mixed(colourOf(palette, batch.paint), batch.alpha, paper);
  const marks = [batch.filled ? `${colour} rg` : `${colour} RG ${number(batch.width)} w ${batch.dash ? "[4 3]" : "[]"} 0 d`];
  const end = batch.filled ? "f" : "S";
  const { rects, lines, ellipses } = batch;
  for (let i = 0; i < rects.length; i += 5) marks.push(`${rects.slice(i, i + 4).map(number).join(" ")} re ${end}`);
  for (let i = 0; i < lines.length; i += 1 + lines[i]!) {
    const points = lines.slice(i + 1, i + 1 + lines[i]!);
    const path: string[] = [];
    for (let k = 0; k + 1 < points.length; k += 2) path.push(`${number(points[k]!)} ${number(points[k + 1]!)} ${k === 0 ? "m" : "l"}`);
    if (path.length > 1) marks.push(`${path.join(" ")} ${end}`);
  }
  for (let i = 0; i < ellipses.length; i += 4) marks.push(`${ellipse(ellipses[i]!, ellipses[i + 1]!, ellipses[i + 2]!, ellipses[i + 3]!)} ${end}`);
  return marks.join("\n");
}

/** Four Bézier curves. */
function ellipse(x: number, y: number, rx: number, ry: number): string {
  const k = 0.5523, at = (dx: number, dy: number): string => `${number(x + dx * rx)} ${number(y + dy * ry)}`;
  return `${at(1, 0)} m ${at(1, k)} ${at(k, 1)} ${at(0, 1)} c ${at(-k, 1)} ${at(-1, k)} ${at(-1, 0)} c ${at(-1, -k)} ${at(-k, -1)} ${at(0, -1)} c ${at(k, -1)} ${at(1, -k)} ${at(1, 0)} c`;
}

function words(batch: Words, palette: Palette, paper: Rgb, measure: Measure): string {
  const colour = mixed(colourOf(palette, batch.paint), batch.alpha, paper);
  return batch.texts.map((text, i) => {
    const wide = measure(text, batch.face) * batch.size;
    const shift = batch.align === "center" ? wide / 2 : batch.align === "right" ? wide : 0;
    const x = batch.places[2 * i]! - shift, y = batch.places[2 * i + 1]! + 0.35 * batch.size;
    // As wide as on the screen, whatever the font.
    const natural = widthIn(batch.face, text) * batch.size;
    const stretch = natural > 0 ? Math.round(wide / natural * 100) : 100;
    return `BT ${colour} rg /${fonts[batch.face]} ${number(batch.size)} Tf ${stretch} Tz 1 0 0 -1 ${number(x)} ${number(y)} Tm (${escaped(text)}) Tj ET`;
  }).join("\n");
}

/** About as wide as Helvetica and Courier are. */
function widthIn(face: Face, text: string): number {
  if (face === "code") return 0.6 * [...text].length;
  let sum = 0;
  for (const letter of text) sum += /[iljtfI.,:;|' ]/.test(letter) ? 0.28 : /[mwMW]/.test(letter) ? 0.83 : /[A-Z]/.test(letter) ? 0.68 : 0.55;
  return face === "strong" ? sum * 1.06 : sum;
}

function file(content: string, width: number, height: number): string {
  const names = baseFonts.map((_, i) => `/F${i + 1} ${5 + i} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${number(width)} ${number(height)}] /Contents 4 0 R /Resources << /Font << ${names} >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...baseFonts.map((name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
  ];
  let out = "%PDF-1.4\n";
  const places = objects.map((object, i) => {
    const place = out.length;
    out += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  return `${out}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`;
}
