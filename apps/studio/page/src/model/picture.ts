// The picture of one class, as the page draws it: coordinates are those of the class's frame moved to the origin, y downwards.
// `from-server.ts` makes it of what the server sends (docs/picture.md, where y points upwards).

export type Role = "across" | "through" | "input" | "output" | "terminal";

/** A variable of an interface. */
export interface Member {
  readonly name: string;
  readonly role: Role;
  /** A through variable that counts out of the block. */
  readonly negative: boolean;
  readonly unit: string;
  readonly description: string;
}

export type Side = "left" | "right" | "top" | "bottom";

/** An interface: where lines meet the border. `place` is the fraction along its side, from the top or from the left. */
export interface Port {
  readonly name: string;
  readonly kind: "cut" | "node" | "terminal" | "input" | "output";
  readonly side: Side;
  readonly place: number;
  readonly members: readonly Member[];
  readonly parts: readonly Port[];
  readonly span: Span | undefined;
}

/** Where something stands: bytes of a file, line and column from 1 for people. */
export interface Span {
  readonly file: string;
  readonly begin: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

export interface Argument {
  readonly name: string;
  readonly value: string;
  readonly valueSpan: Span | undefined;
}

/** Where a line meets a block, in the frame around the block. */
export interface Joint {
  readonly port: string;
  readonly x: number;
  readonly y: number;
  readonly side: Side;
}

export type UseKind = "submodel" | "sum" | "product" | "negate" | "generator" | "expression" | "node";

/** A submodel as it is used in a class, or a symbol of a signal expression: its rectangle in the frame around. */
export interface Use {
  readonly kind: UseKind;
  readonly name: string;
  readonly className: string;
  /** Of the class, to ask for its picture; "" if there is none. */
  readonly key: string;
  /** "" for a single submodel, otherwise its dimensions as written. */
  readonly dimensions: string;
  readonly conditional: boolean;
  readonly condition: string;
  readonly description: string;
  readonly text: string;
  readonly arguments: readonly Argument[];
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly icon: readonly IconShape[];
  readonly joints: readonly Joint[];
  readonly span: Span | undefined;
}

export interface LineEnd {
  /** Index of the block; undefined: an interface of the class itself. */
  readonly block: number | undefined;
  readonly port: string;
  readonly variable: string;
}

export interface Line {
  readonly kind: "joint" | "signal";
  readonly from: LineEnd;
  readonly to: LineEnd;
  /** Of the statement that joins: `connect (steam)`. */
  readonly name: string;
  /** What flows, where the name says it: steam, water, heat … */
  readonly medium: string;
  readonly conditional: boolean;
  /** x0 y0 x1 y1 … */
  readonly points: readonly number[];
  readonly span: Span | undefined;
}

export type TextKind =
  | "parameter" | "constant" | "local" | "input" | "output" | "terminal" | "state" | "derivative" | "cut" | "path" | "submodel" | "connect"
  | "equation" | "initial" | "event" | "validity" | "other";

/** One declaration or statement, with its place in the text. */
export interface Statement {
  readonly kind: TextKind;
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly description: string;
  readonly condition: string;
  /** The class that it comes from; "" for its own. */
  readonly inherited: string;
  readonly text: string;
  /** It is seen in the diagram, as a line or a symbol. */
  readonly drawn: boolean;
  readonly span: Span | undefined;
  /** Of a declaration: where its value is written. */
  readonly valueSpan: Span | undefined;
}

export interface CurveFamily {
  readonly name: string;
  readonly steps: boolean;
  readonly curves: readonly { readonly label: string; readonly x: readonly number[]; readonly y: readonly number[] }[];
}

/** y = numerator/denominator u, by the parameters that hold the coefficients. */
export interface Transfer {
  readonly input: string;
  readonly output: string;
  readonly numerator: string;
  readonly denominator: string;
  /** The lowest power comes first. */
  readonly ascending: boolean;
}

export interface FunctionText {
  readonly name: string;
  readonly documentation: string;
  readonly text: string;
}

/** Of an icon, in a square of -1 … 1, y downwards. */
export interface IconShape {
  readonly shape: "line" | "polygon" | "rectangle" | "ellipse" | "text";
  readonly points: readonly number[];
  readonly text: string;
  readonly fill: string;
  /** "" as all icons, "none", or a colour. */
  readonly stroke: string;
  /** Of a text: its height; 0 as all icons. */
  readonly size: number;
}

/** A breakpoint of the modeller: the level is shown while the width on the screen is between the two. */
export interface Breakpoint {
  readonly level: "name" | "text" | "inside";
  readonly below: number | undefined;
  readonly above: number | undefined;
  readonly text: string;
}

/** Curves on the diagram, placed by the modeller. */
export interface Display {
  readonly variables: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface ClassPicture {
  readonly key: string;
  readonly name: string;
  readonly kind: string;
  readonly runnable: boolean;
  readonly title: string;
  readonly documentation: string;
  readonly width: number;
  readonly height: number;
  readonly ports: readonly Port[];
  readonly uses: readonly Use[];
  readonly lines: readonly Line[];
  readonly statements: readonly Statement[];
  /** Where the statements stand in the frame when there are submodels as well. */
  readonly textBox: Box | undefined;
  readonly tables: readonly CurveFamily[];
  readonly functions: readonly FunctionText[];
  readonly transfer: Transfer | undefined;
  readonly breakpoints: readonly Breakpoint[];
  readonly displays: readonly Display[];
  readonly span: Span | undefined;
  readonly whole: Span | undefined;
  readonly hash: string;
}
