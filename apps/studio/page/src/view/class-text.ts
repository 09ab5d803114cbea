// The texts of a class as they stand in its frame: purpose, parameters with their values, variables, equations, characteristic curves.
// They are set once for a class and its use, in sizes of their font; the frame then says how large the font is, so that text grows with
// the block like everything else. Columns are chosen so that the letters are as large as possible.

import type { Argument, ClassPicture, CurveFamily, Member, Role, Statement, TextKind } from "../model/picture.ts";
import type { Paint } from "./display-list.ts";
import { type Face, lineHeight, type Measure, wrapped } from "./text.ts";

export interface Segment {
  readonly x: number;
  readonly text: string;
  readonly face: Face;
  readonly paint: Paint;
  /** As wide as measured, in sizes of the font. */
  readonly width: number;
}

export interface Row {
  readonly segments: readonly Segment[];
  /** Of the class's statements; -1 for what none of them says. */
  readonly statement: number;
  /** The variable whose value and sparkline stand in this row, and where. */
  readonly variable: string;
  readonly valueAt: number;
  readonly curves: CurveFamily | undefined;
  readonly height: number;
  readonly width: number;
  /** A heading keeps its first row with it. */
  readonly heading: boolean;
}

export interface PlacedRow {
  readonly row: Row;
  /** In sizes of the font. */
  readonly x: number;
  readonly y: number;
}

export interface TextBlock {
  readonly rows: readonly PlacedRow[];
  /** In sizes of the font. */
  readonly width: number;
  readonly height: number;
}

const columnGap = 3;
const valueWidth = 6;
/** A sparkline behind the value. */
export const sparkWidth = 7;
const curveHeight = 11;
/** Longer lines of equations are broken at blanks. */
const mostCode = 46;
/** Prose is broken at one of these widths, whichever gives the larger letters. */
export const proseWidths = [30, 38, 48] as const;

const keywords = new Set(
  ("if then else elseif elsif and or not der when do until init reinit sample valid for in while new initial true false model end time case of sum " +
    "IF THEN ELSE AND OR NOT SORT TIME TSAMP").split(" "),
);

const token = /(\{[^}]*\}|--[^\n]*|"[^"\n]*"?)|([A-Za-z_][A-Za-z_0-9']*(?:\.[A-Za-z_][A-Za-z_0-9']*)*)|(\d+\.?\d*(?:[eE][-+]?\d+)?)|(\s+)|(.)/g;

/** Colours of a line of code; `roles` are the interface variables, which are shown as what they are. */
export function coloured(text: string, roles: ReadonlyMap<string, Role>): { text: string; paint: Paint }[] {
  const pieces: { text: string; paint: Paint }[] = [];
  for (const [all, comment, name, number] of text.matchAll(token)) {
    let paint: Paint = "ink";
    if (comment !== undefined) paint = "comment";
    else if (number !== undefined) paint = "number";
    else if (name !== undefined) {
      const role = roles.get(name);
      if (keywords.has(name)) paint = "keyword";
      else if (role === "across" || role === "through") paint = role;
    }
    const last = pieces.at(-1);
    if (last !== undefined && (last.paint === paint || all.trim() === "")) last.text += all;
    else pieces.push({ text: all, paint });
  }
  return pieces;
}

const code: ReadonlySet<TextKind> = new Set(["equation", "derivative", "event", "validity", "other"]);

class Setter {
  readonly rows: Row[] = [];
  constructor(private readonly measure: Measure, private readonly roles: ReadonlyMap<string, Role>, private readonly proseWidth: number) {}

  heading(text: string): void {
    if (this.rows.length > 0) this.gap(0.7);
    this.push([{ x: 0, text, face: "strong", paint: "inkFaint", width: this.measure(text, "strong") }], { heading: true });
  }

  gap(height: number): void {
    this.push([], { height });
  }

  prose(text: string): void {
    // A single new line is the text's own breaking, an empty line is a paragraph.
    const flowing = text.split(/\n\s*\n/).map((paragraph) => paragraph.replace(/\s+/g, " ").trim()).join("\n");
    for (const line of wrapped(flowing, this.proseWidth, "label", this.measure)) {
      this.push([{ x: 0, text: line, face: "label", paint: "inkSoft", width: this.measure(line, "label") }], {});
    }
  }

  /** A remark between rows. */
  note(text: string): void {
    this.push([this.segment(0, text, "label", "inkFaint")], {});
  }

  code(text: string, statement: number, paint?: Paint): void {
    const lines = dedented(text).flatMap((line) => {
      const broken = this.measure(line, "code") <= mostCode ? [line] : wrapped(line.trimStart(), mostCode, "code", this.measure);
      return broken.map((piece, i) => i === 0 ? piece : `    ${piece}`);
    });
    for (const line of lines) {
      const segments: Segment[] = [];
      let x = 0;
      for (const piece of coloured(line, this.roles)) {
        const width = this.measure(piece.text, "code");
        segments.push({ x, text: piece.text, face: "code", paint: paint ?? piece.paint, width });
        x += width;
      }
      this.push(segments, { statement });
    }
  }

  /** Rows of name, value, unit and description with common columns. */
  declarations(entries: readonly { statement: Pick<Statement, "name" | "unit" | "description">; index: number; value: string; set: boolean; live: boolean }[]): void {
    const names = Math.max(...entries.map((entry) => this.measure(entry.statement.name, "code")));
    const equals = names + 0.8;
    const written = Math.max(0, ...entries.map((entry) => this.measure(entry.value, "code")));
    const anyLive = entries.some((entry) => entry.live);
    // Behind what the use of the class says of a variable.
    const said = Math.max(0, ...entries.map((entry) => entry.live ? this.measure(entry.value, "code") : 0));
    const valueAt = equals + (said > 0 ? said + 0.8 : 0);
    const unitAt = Math.max(equals + written, anyLive ? valueAt + valueWidth : 0) + 0.8;
    const units = Math.max(0, ...entries.map((entry) => this.measure(entry.statement.unit, "label")));
    const sparkAt = unitAt + (units > 0 ? units + 0.8 : 0);
    const describedAt = sparkAt + (anyLive ? sparkWidth + 0.8 : 0);
    for (const { statement, index, value, set, live } of entries) {
      const role = this.roles.get(statement.name);
      const segments: Segment[] = [this.segment(0, statement.name, "code", role === "across" || role === "through" ? role : "ink")];
      if (value !== "") segments.push(this.segment(equals, value, "code", set ? "value" : "number"));
      if (statement.unit !== "") segments.push(this.segment(unitAt, statement.unit, "label", "inkFaint"));
      if (statement.description !== "") segments.push(this.segment(describedAt, statement.description, "label", "inkSoft"));
      this.push(segments, {
        statement: index,
        variable: live ? statement.name : "",
        valueAt,
        width: Math.max(live ? describedAt : 0, ...segments.map((segment) => segment.x + segment.width)),
      });
    }
  }

  curves(family: CurveFamily): void {
    this.push([this.segment(0, family.name, "code", "ink")], {});
    this.push([], { curves: family, height: curveHeight, width: curveHeight * 1.7 });
  }

  segment(x: number, text: string, face: Face, paint: Paint): Segment {
    return { x, text, face, paint, width: this.measure(text, face) };
  }

  private push(segments: readonly Segment[], given: Partial<Row>): void {
    this.rows.push({
      segments,
      statement: -1,
      variable: "",
      valueAt: 0,
      curves: undefined,
      height: lineHeight,
      width: Math.max(0, ...segments.map((segment) => segment.x + segment.width)),
      heading: false,
      ...given,
    });
  }
}

function dedented(text: string): string[] {
  const lines = text.replace(/\t/g, "  ").split("\n").map((line) => line.trimEnd());
  const indents = lines.slice(1).filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const least = indents.length === 0 ? 0 : Math.max(0, Math.min(...indents) - 2);
  return lines.map((line, i) => i === 0 && lines.length > 1 ? line.trimStart() : line.slice(least));
}

function rolesOf(picture: ClassPicture): Map<string, Role> {
  const roles = new Map<string, Role>();
  const add = (ports: ClassPicture["ports"]): void => {
    for (const port of ports) {
      for (const member of port.members) roles.set(member.name, member.role);
      add(port.parts);
    }
  };
  add(picture.ports);
  return roles;
}

/** Each once, although several interfaces may share it. */
function interfaceVariables(ports: ClassPicture["ports"]): Member[] {
  const found = new Map<string, Member>();
  const add = (among: ClassPicture["ports"]): void => {
    for (const port of among) {
      for (const member of port.members) if (member.name !== "" && !found.has(member.name)) found.set(member.name, member);
      add(port.parts);
    }
  };
  add(ports);
  return [...found.values()];
}

type Listed = { readonly statement: Statement; readonly index: number };

/** What a class says itself first, then what it inherits, class by class. */
function byOrigin(entries: readonly Listed[]): Map<string, Listed[]> {
  const groups = new Map<string, Listed[]>();
  if (entries.some(({ statement }) => statement.inherited === "")) groups.set("", []);
  for (const entry of entries) {
    const group = groups.get(entry.statement.inherited);
    if (group === undefined) groups.set(entry.statement.inherited, [entry]);
    else group.push(entry);
  }
  return groups;
}

/** The rows of a class, in the order in which one reads them. `withPurpose` is false beside a diagram, whose block has told it already. */
export function rowsOf(picture: ClassPicture, given: readonly Argument[], withPurpose: boolean, measure: Measure, proseWidth: number = proseWidths[1]): Row[] {
  const set = new Setter(measure, rolesOf(picture), proseWidth);
  const listed = picture.statements.map((statement, index) => ({ statement, index })).filter(({ statement }) => !statement.drawn);
  const changed = new Map(given.map((argument) => [argument.name, argument.value]));
  const table = (title: string, kinds: readonly TextKind[], live: boolean): void => {
    const entries = listed.filter(({ statement }) => kinds.includes(statement.kind) && statement.name !== "");
    if (entries.length === 0) return;
    set.heading(title);
    for (const [origin, group] of byOrigin(entries)) {
      if (origin !== "") set.note(`from ${origin}`);
      set.declarations(group.map(({ statement, index }) => {
        const value = changed.get(statement.name);
        return { statement, index, value: value ?? statement.value, set: value !== undefined, live };
      }));
    }
  };
  const lines = (title: string, wanted: (kind: TextKind) => boolean): void => {
    const entries = listed.filter(({ statement }) => wanted(statement.kind));
    if (entries.length === 0) return;
    set.heading(title);
    for (const [origin, group] of byOrigin(entries)) {
      if (origin !== "") set.note(`from ${origin}`);
      let condition = "";
      for (const { statement, index } of group) {
        if (statement.condition !== condition && statement.condition !== "") set.code(statement.condition, -1, "keyword");
        condition = statement.condition;
        set.code(condition === "" ? statement.text : statement.text.replace(/^/gm, "  "), index);
      }
    }
  };
  if (withPurpose && picture.documentation !== "") set.prose(picture.documentation);
  table("Parameters", ["parameter"], false);
  table("Constants", ["constant"], false);
  table("Variables", ["state", "input", "output", "terminal", "local"], true);
  const declared = new Set(picture.statements.map((statement) => statement.name));
  const joined = withPurpose ? interfaceVariables(picture.ports).filter(({ name }) => !declared.has(name)) : [];
  if (joined.length > 0) {
    set.heading("Interface variables");
    set.declarations(joined.map((member) => ({ statement: member, index: -1, value: "", set: false, live: true })));
  }
  lines("Equations", (kind) => code.has(kind));
  lines("Initially", (kind) => kind === "initial");
  lines("Connections", (kind) => kind === "connect");
  const transfer = transferOf(picture, given);
  if (transfer !== undefined) {
    set.heading("Transfer function");
    set.code(`  ${transfer.above}`, -1);
    set.code("─".repeat(Math.max(transfer.above.length, transfer.below.length) + 4), -1, "inkFaint");
    set.code(`  ${transfer.below}`, -1);
  }
  if (picture.tables.length > 0) {
    set.heading("Characteristics");
    for (const family of picture.tables) set.curves(family);
  }
  for (const f of picture.functions) {
    set.heading(`Function ${f.name}`);
    if (f.documentation !== "") set.prose(f.documentation);
    set.code(f.text, -1);
  }
  return set.rows;
}

/** Numerator and denominator as polynomials in s, where the coefficients are listed in the text. */
export function transferOf(picture: ClassPicture, given: readonly Argument[]): { readonly above: string; readonly below: string } | undefined {
  const { transfer } = picture;
  if (transfer === undefined) return undefined;
  const polynomial = (name: string): string | undefined => {
    const value = given.find((argument) => argument.name === name)?.value ?? picture.statements.find((statement) => statement.name === name)?.value ?? "";
    const list = /^[([{](.*)[)\]}]$/s.exec(value.trim())?.[1]?.split(/[,\s]+/).filter((each) => each !== "");
    if (list === undefined || list.length === 0) return undefined;
    const highestFirst = transfer.ascending ? [...list].reverse() : list;
    const terms = highestFirst.flatMap((coefficient, i) => {
      const power = highestFirst.length - 1 - i;
      const s = power === 0 ? "" : power === 1 ? "s" : `s^${power}`;
      if (Number(coefficient) === 0) return [];
      return [s === "" ? coefficient : Number(coefficient) === 1 ? s : `${coefficient}·${s}`];
    });
    return terms.length === 0 ? "0" : terms.join(" + ").replaceAll("+ -", "- ");
  };
  const above = polynomial(transfer.numerator), below = polynomial(transfer.denominator);
  return above === undefined || below === undefined ? undefined : { above, below };
}

/** Sets the text of a class in a box of this shape (width : height) so that the letters are as large as possible. */
export function setText(picture: ClassPicture, given: readonly Argument[], withPurpose: boolean, shape: number, measure: Measure): TextBlock {
  const widths = withPurpose && picture.documentation !== "" ? proseWidths : [proseWidths[1]];
  const tried = widths.map((width) => inColumns(rowsOf(picture, given, withPurpose, measure, width), shape));
  return tried.reduce((best, next) => fontSize(next, shape) > fontSize(best, shape) * 1.02 ? next : best);
}

/** The size of the font when a box of width `shape` and height 1 holds the text. */
function fontSize(text: TextBlock, shape: number): number {
  return Math.min(shape / text.width, 1 / text.height);
}

/** What letters may lose in size for sections that stay together. */
const worthTogether = 0.85;

/** Sets rows in columns, whole sections in one column where that costs little. */
export function inColumns(rows: readonly Row[], shape: number): TextBlock {
  const total = rows.reduce((sum, row) => sum + row.height, 0);
  const best = (together: boolean): TextBlock => {
    let found = flowed(rows, Infinity, together);
    for (let columns = 2; columns <= 4; ++columns) {
      // A column may be longer than its share, since headings do not stand alone and sections may not be broken.
      for (const stretch of [1, 1.08, 1.2, 1.4]) {
        const next = flowed(rows, total / columns * stretch, together);
        if (fontSize(next, shape) > fontSize(found, shape) * 1.02) found = next;
      }
    }
    return found;
  };
  const broken = best(false), whole = best(true);
  return fontSize(whole, shape) >= worthTogether * fontSize(broken, shape) ? whole : broken;
}

/** The height that must not be broken, from a row on. */
function unbroken(rows: readonly Row[], from: number, together: boolean): number {
  let height = rows[from]!.height;
  if (!rows[from]!.heading) return height;
  for (let i = from + 1; i < rows.length && !rows[i]!.heading && (together || i === from + 1); ++i) height += rows[i]!.height;
  return height;
}

function flowed(rows: readonly Row[], most: number, together: boolean): TextBlock {
  const placed: PlacedRow[] = [];
  let x = 0, y = 0, width = 0, height = 0;
  rows.forEach((row, i) => {
    const breaks = !together || row.heading || i === 0;
    if (y > 0 && breaks && y + unbroken(rows, i, together) > most + 1e-9) {
      x += width + columnGap;
      width = y = 0;
    }
    if (y === 0 && row.segments.length === 0 && row.curves === undefined) return;  // no gap at the head of a column
    placed.push({ row, x, y });
    y += row.height;
    width = Math.max(width, row.width);
    height = Math.max(height, y);
  });
  return { rows: placed, width: Math.max(1, x + width), height: Math.max(1, height) };
}
