// What one frame shows. The tree walk writes it, the canvas and the hardcopy draw it, pointing searches it, and the mirror for screen
// readers and tests is made of it: one list, so that none of them can differ from the pixels.

import type { Block } from "../model/block.ts";
import type { Face } from "./text.ts";
import type { LevelName } from "./levels.ts";

/** Colours and widths have names here; the theme says what they are. */
export type Paint =
  | "block" | "inner" | "blockSelected" | "stack" | "portFill" | "portOpen" | "bar" | "shade" | "pointed"
  | "line" | "line0" | "line1" | "line2" | "line3" | "line4" | "line5" | "line6" | "lineHot" | "icon" | "curve" | "axis" | "spark" | "hover" | "selected" | "outline" | "missing" | "loop"
  | "error" | "warning" | "note"
  | "steam" | "water" | "gas" | "heat" | "fuel" | "power" | "shaft" | "air" | "oil"
  | `#${string}`  // as the modeller gave it
  | "ink" | "inkSoft" | "inkFaint" | "inkName" | "value" | "keyword" | "number" | "comment" | "across" | "through";

export type Part = "block" | "port" | "member" | "line" | "text" | "curve" | "plot" | "problem";

/** An object that can be pointed at. */
export interface Drawn {
  readonly part: Part;
  readonly block: Block;
  /** Which of the block's ports, lines, statements …; -1 for the block itself. */
  readonly index: number;
  readonly name: string;
  readonly level: LevelName | "";
  /** Pixels of the window. */
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Of lines: their points. */
  readonly points: readonly number[] | undefined;
  /** Of texts: what is written, for the mirror. */
  readonly text: string;
}

/** Shapes of one paint, opacity and layer, which are drawn at once. */
export interface Shapes {
  readonly layer: number;
  readonly paint: Paint;
  readonly alpha: number;
  readonly filled: boolean;
  readonly width: number;
  readonly dash: boolean;
  /** x y w h r … */
  readonly rects: number[];
  /** count, x0 y0 x1 y1 … */
  readonly lines: number[];
  readonly ellipses: number[];
}

export interface Words {
  readonly layer: number;
  readonly paint: Paint;
  readonly alpha: number;
  readonly face: Face;
  readonly size: number;
  readonly align: CanvasTextAlign;
  readonly texts: string[];
  readonly places: number[];
}

/** Opacities come in this many steps, so that shapes that fade together are drawn together. */
const alphaSteps = 24;

export class DisplayList {
  readonly objects: Drawn[] = [];
  primitives = 0;
  private readonly shapes = new Map<string, Shapes>();
  private readonly words = new Map<string, Words>();

  rect(layer: number, paint: Paint, alpha: number, x: number, y: number, w: number, h: number, radius = 0): void {
    this.batch(layer, paint, alpha, true, 0, false)?.rects.push(x, y, w, h, radius);
    ++this.primitives;
  }

  frame(layer: number, paint: Paint, alpha: number, width: number, x: number, y: number, w: number, h: number, radius = 0, dash = false): void {
    this.batch(layer, paint, alpha, false, width, dash)?.rects.push(x, y, w, h, radius);
    ++this.primitives;
  }

  line(layer: number, paint: Paint, alpha: number, width: number, points: ArrayLike<number>, dash = false): void {
    const lines = this.batch(layer, paint, alpha, false, width, dash)?.lines;
    if (lines === undefined) return;
    lines.push(points.length);
    for (let i = 0; i < points.length; ++i) lines.push(points[i]!);
    ++this.primitives;
  }

  area(layer: number, paint: Paint, alpha: number, points: ArrayLike<number>): void {
    const lines = this.batch(layer, paint, alpha, true, 0, false)?.lines;
    if (lines === undefined) return;
    lines.push(points.length);
    for (let i = 0; i < points.length; ++i) lines.push(points[i]!);
    ++this.primitives;
  }

  ellipse(layer: number, paint: Paint, alpha: number, width: number, filled: boolean, x: number, y: number, rx: number, ry: number): void {
    this.batch(layer, paint, alpha, filled, width, false)?.ellipses.push(x, y, rx, ry);
    ++this.primitives;
  }

  /** A line of text; y is the middle of its small letters. */
  text(layer: number, paint: Paint, alpha: number, face: Face, size: number, align: CanvasTextAlign, x: number, y: number, text: string): void {
    const step = Math.round(alpha * alphaSteps);
    if (step <= 0 || text === "") return;
    const key = `${layer} ${face} ${size} ${paint} ${step} ${align}`;
    let words = this.words.get(key);
    if (words === undefined) {
      words = { layer, paint, alpha: Math.min(1, step / alphaSteps), face, size, align, texts: [], places: [] };
      this.words.set(key, words);
    }
    words.texts.push(text);
    words.places.push(x, y);
    ++this.primitives;
  }

  object(drawn: Drawn): void {
    this.objects.push(drawn);
  }

  /** Everything that is drawn, from the bottom to the top; in a layer shapes come before texts. */
  inOrder(): (Shapes | Words)[] {
    const all: (Shapes | Words)[] = [...this.shapes.values(), ...this.words.values()];
    return all.sort((a, b) => a.layer - b.layer || Number("texts" in a) - Number("texts" in b));
  }

  private batch(layer: number, paint: Paint, alpha: number, filled: boolean, width: number, dash: boolean): Shapes | undefined {
    const step = Math.round(alpha * alphaSteps);
    if (step <= 0) return undefined;
    const key = `${layer} ${paint} ${step} ${filled ? 1 : 0} ${width} ${dash ? 1 : 0}`;
    let shapes = this.shapes.get(key);
    if (shapes === undefined) {
      shapes = { layer, paint, alpha: Math.min(1, step / alphaSteps), filled, width, dash, rects: [], lines: [], ellipses: [] };
      this.shapes.set(key, shapes);
    }
    return shapes;
  }
}
