// Measuring and breaking text. Widths are measured once at a large size and scaled, so that a line keeps its proportions at any zoom.

export type Face = "label" | "strong" | "code";

export const families: Record<Face, string> = {
  label: "Inter, system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif",
  strong: "Inter, system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif",
  code: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
};

/** Lines of text are this far apart, in sizes of the font. */
export const lineHeight = 1.4;

/** Texts smaller than `legible` pixels are bars, smaller than `visible` nothing. */
export const visible = 2.2;
export const legible = 4.5;

export function fontOf(face: Face, size: number): string {
  return `${face === "strong" ? "600 " : ""}${size}px ${families[face]}`;
}

/** Gives the width of a text in sizes of its font. */
export type Measure = (text: string, face: Face) => number;

const measuredAt = 64;
const mostMeasured = 50000;

export function canvasMeasure(context: CanvasRenderingContext2D): Measure {
  const known: Record<Face, Map<string, number>> = { label: new Map(), strong: new Map(), code: new Map() };
  let current = "";
  return (text, face) => {
    const widths = known[face];
    const old = widths.get(text);
    if (old !== undefined) return old;
    const font = fontOf(face, measuredAt);
    if (current !== font || context.font !== font) context.font = current = font;
    const width = context.measureText(text).width / measuredAt;
    if (widths.size >= mostMeasured) widths.clear();
    widths.set(text, width);
    return width;
  };
}

/** Sizes in steps, so that few different fonts are drawn while one zooms: a quarter of a pixel, then three per cent. */
export function stepped(size: number): number {
  if (size <= 16) return Math.max(1, Math.round(size * 4) / 4);
  return Math.round(16 * 1.03 ** Math.round(Math.log(size / 16) / Math.log(1.03)) * 4) / 4;
}

/** Breaks a text into lines of at most `width` (in sizes of the font), at blanks where there are any. */
export function wrapped(text: string, width: number, face: Face, measure: Measure): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/\s+/)) {
      if (word === "") continue;
      const longer = line === "" ? word : `${line} ${word}`;
      if (line !== "" && measure(longer, face) > width) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    lines.push(line);
  }
  return lines;
}

/** The text, shortened to `width` with an ellipsis at its end. */
export function shortened(text: string, width: number, face: Face, measure: Measure): string {
  if (measure(text, face) <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(text.slice(0, middle) + "…", face) <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : text.slice(0, low) + "…";
}

/** The first sentence of a purpose, which is what there is room for in a block. */
export function firstSentence(text: string): string {
  const end = text.search(/[.;](\s|$)/);
  return (end < 0 ? text : text.slice(0, end + (text[end] === "." ? 1 : 0))).replace(/\s+/g, " ").trim();
}
