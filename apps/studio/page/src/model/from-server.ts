// Makes a ClassPicture of the JSON of docs/picture.md: turns y downwards, moves the frame to the origin, fills in what was left out.

import type { Argument, Box, Breakpoint, ClassPicture, IconShape, Joint, Line, LineEnd, Member, Port, Role, Side, Statement, TextKind, Use, UseKind } from "./picture.ts";

type XY = [number, number];

export interface ServerSpan { file: string; begin: number; end: number; line: number; column: number }
interface ServerPort {
  name?: string; kind: Port["kind"]; side: Side; along: number; variables?: ServerVariable[]; parts?: ServerPort[]; span?: ServerSpan | null;
}
interface ServerVariable { name: string; role: Role; negative?: boolean; unit?: string; description?: string }
interface ServerIcon { kind: string; primitives?: { shape: IconShape["shape"]; points: XY[]; text?: string; fill?: string; stroke?: string; size?: number }[] }
interface ServerBlock {
  kind: UseKind; name: string; class?: string; key?: string; dimensions?: string; conditional?: boolean; condition?: string; description?: string;
  text?: string; arguments?: { name: string; value: string; value_span?: ServerSpan | null }[]; at: XY; size: XY; icon?: ServerIcon; terminals?: { port: string; at: XY; side: Side }[]; span?: ServerSpan | null;
}
interface ServerEnd { block?: number | null; port?: string; variable?: string }
interface ServerLine { kind: Line["kind"]; from: ServerEnd; to: ServerEnd; name?: string; medium?: string; points: XY[]; conditional?: boolean; span?: ServerSpan | null }
interface ServerText {
  kind: TextKind; name?: string; value?: string; unit?: string; description?: string; condition?: string; inherited?: string; text: string; drawn?: boolean; span?: ServerSpan | null; value_span?: ServerSpan | null;
}

export interface ServerPicture {
  key: string; name: string; kind: string; runnable?: boolean; title?: string; documentation?: string; hash: string;
  frame: [number, number, number, number]; text_box?: [number, number, number, number];
  ports?: ServerPort[]; blocks?: ServerBlock[]; lines?: ServerLine[]; texts?: ServerText[];
  tables?: { name: string; steps?: boolean; curves: { label?: string; points: XY[] }[] }[];
  functions?: { name: string; documentation?: string; text: string }[];
  transfer?: ClassPicture["transfer"] | null;
  shows?: { level: Breakpoint["level"]; below?: number; above?: number; text?: string }[];
  plots?: { variables: string[]; at: XY; size: XY }[];
  where?: ServerSpan | null; whole?: ServerSpan | null;
}

export function fromServer(picture: ServerPicture): ClassPicture {
  const [left, bottom, right, top] = picture.frame;
  const flat = (points: readonly XY[]): number[] => points.flatMap(([x, y]) => [x - left, top - y]);
  const box = (at: XY, size: XY): Box => ({ x: at[0] - size[0] / 2 - left, y: top - at[1] - size[1] / 2, w: size[0], h: size[1] });
  const use = (block: ServerBlock): Use => ({
    kind: block.kind,
    name: block.name,
    className: block.class ?? "",
    key: block.key ?? "",
    dimensions: block.dimensions ?? "",
    conditional: block.conditional ?? false,
    condition: block.condition ?? "",
    description: block.description ?? "",
    text: block.text ?? "",
    arguments: (block.arguments ?? []).map((argument): Argument => ({ name: argument.name, value: argument.value, valueSpan: argument.value_span ?? undefined })),
    ...box(block.at, block.size),
    icon: iconOf(block.icon),
    joints: (block.terminals ?? []).map(({ port, at, side }): Joint => ({ port, side, x: at[0] - left, y: top - at[1] })),
    span: block.span ?? undefined,
  });
  return {
    key: picture.key,
    name: picture.name,
    kind: picture.kind,
    runnable: picture.runnable ?? false,
    title: picture.title ?? "",
    documentation: picture.documentation ?? "",
    width: right - left,
    height: top - bottom,
    ports: (picture.ports ?? []).map(portOf),
    uses: (picture.blocks ?? []).map(use),
    lines: (picture.lines ?? []).map((line): Line => ({
      kind: line.kind,
      from: endOf(line.from),
      to: endOf(line.to),
      name: line.name ?? "",
      medium: line.medium ?? "",
      conditional: line.conditional ?? false,
      points: flat(line.points),
      span: line.span ?? undefined,
    })),
    statements: (picture.texts ?? []).map((text): Statement => ({
      kind: text.kind,
      name: text.name ?? "",
      value: text.value ?? "",
      unit: text.unit ?? "",
      description: text.description ?? "",
      condition: text.condition ?? "",
      inherited: text.inherited ?? "",
      text: text.text,
      drawn: text.drawn ?? false,
      span: text.span ?? undefined,
      valueSpan: text.value_span ?? undefined,
    })),
    textBox: picture.text_box === undefined ? undefined : { x: picture.text_box[0] - left, y: top - picture.text_box[3], w: picture.text_box[2] - picture.text_box[0], h: picture.text_box[3] - picture.text_box[1] },
    tables: (picture.tables ?? []).map((table) => ({
      name: table.name,
      steps: table.steps ?? false,
      curves: table.curves.map((curve) => ({ label: curve.label ?? "", x: curve.points.map((p) => p[0]), y: curve.points.map((p) => p[1]) })),
    })),
    functions: (picture.functions ?? []).map((f) => ({ name: f.name, documentation: f.documentation ?? "", text: f.text })),
    transfer: picture.transfer ?? undefined,
    breakpoints: (picture.shows ?? []).map((show): Breakpoint => ({ level: show.level, below: show.below, above: show.above, text: show.text ?? "" })),
    displays: (picture.plots ?? []).map((plot) => ({ variables: plot.variables, ...box(plot.at, plot.size) })),
    span: picture.where ?? undefined,
    whole: picture.whole ?? undefined,
    hash: picture.hash,
  };
}

function endOf(end: ServerEnd): LineEnd {
  return { block: end.block ?? undefined, port: end.port ?? "", variable: end.variable ?? "" };
}

function portOf(port: ServerPort): Port {
  const upright = port.side === "left" || port.side === "right";
  return {
    name: port.name ?? "",
    kind: port.kind,
    side: port.side,
    place: upright ? 1 - port.along : port.along,
    members: (port.variables ?? []).map((variable): Member => ({
      name: variable.name,
      role: variable.role,
      negative: variable.negative ?? false,
      unit: variable.unit ?? "",
      description: variable.description ?? "",
    })),
    parts: (port.parts ?? []).map(portOf),
    span: port.span ?? undefined,
  };
}

function iconOf(icon: ServerIcon | undefined): IconShape[] {
  return (icon?.primitives ?? []).map((primitive) => ({
    shape: primitive.shape,
    points: primitive.points.flatMap(([x, y]) => [x, -y]),
    text: primitive.text ?? "",
    fill: primitive.fill ?? "none",
    stroke: primitive.stroke ?? "",
    size: primitive.size ?? 0,
  }));
}
