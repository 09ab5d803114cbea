// Pictures made by rule, for tests of the view without a server: a plant of 17 blocks of 17 blocks of 17 blocks, and a servo.

import { Block, type Pictures } from "../src/model/block.ts";
import type { ClassPicture, Joint, Line, Port, Statement, Use } from "../src/model/picture.ts";

const nothing: ClassPicture = {
  key: "", name: "", kind: "model", runnable: true, title: "", documentation: "", width: 300, height: 200, ports: [], uses: [], lines: [], statements: [],
  textBox: undefined, tables: [], functions: [], transfer: undefined, breakpoints: [], displays: [], span: undefined, whole: undefined, hash: "0",
};

export function picture(given: Partial<ClassPicture>): ClassPicture {
  return { ...nothing, ...given };
}

export function use(name: string, key: string, x: number, y: number, w: number, h: number, joints: readonly Joint[] = []): Use {
  return {
    kind: "submodel", name, className: key, key, dimensions: "", conditional: false, condition: "", description: `A part called ${name}, which stands for many.`,
    text: "", arguments: [], x, y, w, h, icon: [], joints, span: undefined,
  };
}

export function port(name: string, side: Port["side"], place: number): Port {
  return {
    name, kind: "cut", side, place, parts: [], span: undefined,
    members: [
      { name: `P${name}`, role: "across", negative: false, unit: "MPa", description: "pressure" },
      { name: `W${name}`, role: "through", negative: side === "right", unit: "kg/s", description: "flow" },
    ],
  };
}

function statement(kind: Statement["kind"], name: string, text: string, value = "", unit = "", description = ""): Statement {
  return { kind, name, value, unit, description, condition: "", inherited: "", text, drawn: false, span: undefined, valueSpan: undefined };
}

const columns = 5;
const perLevel = 17;

/** A diagram of 17 blocks in rows, each joined to the next. */
function grid(key: string, child: string): ClassPicture {
  const uses: Use[] = [], lines: Line[] = [];
  for (let i = 0; i < perLevel; ++i) {
    const x = 12 + (i % columns) * 58, y = 14 + Math.floor(i / columns) * 47;
    uses.push(use(`b${i}`, child, x, y, 36, 24, [
      { port: "in", x, y: y + 12, side: "left" }, { port: "out", x: x + 36, y: y + 12, side: "right" },
    ]));
  }
  for (let i = 0; i + 1 < perLevel; ++i) {
    const a = uses[i]!, b = uses[i + 1]!;
    const straight = a.y === b.y;
    lines.push({
      kind: "joint", from: { block: i, port: "out", variable: "" }, to: { block: i + 1, port: "in", variable: "" }, name: i % 3 === 0 ? "steam" : "", medium: "", conditional: false,
      points: straight ? [a.x + 36, a.y + 12, b.x, b.y + 12] : [a.x + 36, a.y + 12, a.x + 44, a.y + 12, a.x + 44, a.y + 36, b.x - 6, a.y + 36, b.x - 6, b.y + 12, b.x, b.y + 12],
      span: undefined,
    });
    if (i + columns < perLevel) {
      const c = uses[i + columns]!;
      lines.push({
        kind: "signal", from: { block: i, port: "out", variable: "" }, to: { block: i + columns, port: "in", variable: "" }, name: "", medium: "", conditional: false,
        points: [a.x + 36, a.y + 12, a.x + 40, a.y + 12, a.x + 40, a.y + 32, c.x - 3, a.y + 32, c.x - 3, c.y + 12, c.x, c.y + 12], span: undefined,
      });
    }
  }
  return picture({ key, name: key, uses, lines, ports: [port("in", "left", 0.5), port("out", "right", 0.5)], documentation: `${key}: seventeen parts.`, hash: key });
}

const leaf = picture({
  key: "leaf", name: "leaf", hash: "leaf", documentation: "A tank with an outlet. Its level follows from what flows in and out; the outflow from the level.",
  ports: [port("in", "left", 0.5), port("out", "right", 0.5)],
  statements: [
    statement("parameter", "Area", "parameter Area=2", "2", "m2", "cross-section"),
    statement("parameter", "rho", "rho=1000", "1000", "kg/m3", "density"),
    statement("constant", "g", "constant g=9.81", "9.81", "m/s2"),
    statement("local", "h", "local h", "", "m", "level"),
    statement("equation", "", "Area*der(h) = Win - Wout"),
    statement("equation", "", "Pout = rho*g*h  -- hydrostatic"),
    statement("equation", "", "Wout = if h > 0 then sqrt(2*g*h) else 0"),
    statement("initial", "", "h(0) = 1"),
  ],
});

/** 17 + 17² + 17³ + 1 = 5 220 blocks with about 10 000 lines. */
export function plant(): Block {
  return sheetOf("plant", [grid("plant", "unit"), grid("unit", "section"), grid("section", "leaf"), leaf]);
}

export function sheetOf(model: string, pictures: readonly ClassPicture[]): Block {
  const all = new Map(pictures.map((p) => [p.key, p]));
  all.set("#sheet", picture({ key: "#sheet", width: 300, height: 200, uses: [use(model, model, 0, 0, 300, 200)] }));
  const source: Pictures = { get: (key) => all.get(key) };
  return new Block(undefined, use("", "#sheet", 0, 0, 300, 200), source);
}
