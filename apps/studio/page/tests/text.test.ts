// How texts, numbers, curves and columns are brought into the form in which they are drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Block } from "../src/model/block.ts";
import { fromServer, type ServerPicture } from "../src/model/from-server.ts";
import { ownSteps } from "../src/model/why.ts";
import { against, merged, valueAt } from "../src/run/cells.ts";
import { decodeCurves } from "../src/server.ts";
import { breakpointEdit } from "../src/text/breakpoint-line.ts";
import { fromBytes, hasReturns, toBytes } from "../src/text/offsets.ts";
import { coloured, inColumns, rowsOf, transferOf } from "../src/view/class-text.ts";
import { History } from "../src/view/history.ts";
import { formatted, marks } from "../src/view/numbers.ts";
import { problemsByBlock } from "../src/view/problems.ts";
import { firstSentence, type Measure, shortened, stepped, wrapped } from "../src/view/text.ts";
import { picture, plant, use } from "./scenes.ts";

const measure: Measure = (text) => text.length * 0.6;

test("text is broken at blanks and never lost", () => {
  const text = "Drum and downcomers: water below, steam above, and the tubes that lead water down";
  const lines = wrapped(text, 12, "label", measure);
  assert.equal(lines.join(" "), text);
  assert.ok(lines.every((line) => measure(line, "label") <= 12));
  assert.deepEqual(wrapped("averyverylongwordwithoutblanks", 3, "label", measure), ["averyverylongwordwithoutblanks"]);
});

test("what does not fit is shortened", () => {
  assert.equal(shortened("superheater", 100, "label", measure), "superheater");
  const short = shortened("superheater", 4, "label", measure);
  assert.ok(short.endsWith("…") && measure(short, "label") <= 4);
});

test("sizes of fonts come in steps that are hardly seen", () => {
  for (let size = 3; size < 200; size *= 1.013) assert.ok(Math.abs(stepped(size) / size - 1) < 0.05, String(size));
});

test("the purpose is the first sentence", () => {
  assert.equal(firstSentence("Drum with downcomers and risers: the evaporator."), "Drum with downcomers and risers: the evaporator.");
  assert.equal(firstSentence("A tank.  It has\n a level."), "A tank.");
  assert.equal(firstSentence("g=9.81 holds"), "g=9.81 holds");
});

test("equations show interface variables as what they are", () => {
  const pieces = coloured("Area*der(h) = Win - 2 -- flow", new Map([["Win", "through"]]));
  assert.equal(pieces.map((piece) => piece.text).join(""), "Area*der(h) = Win - 2 -- flow");
  assert.equal(pieces.find((piece) => piece.text.startsWith("Win"))?.paint, "through");
  assert.equal(pieces.find((piece) => piece.text.startsWith("der"))?.paint, "keyword");
  assert.equal(pieces.at(-1)?.paint, "comment");
});

test("rows of a class hold each of its statements once, in columns that fill the shape", () => {
  const leaf = plant().children[0]!.find(["b0", "b0", "b0"])!;
  const rows = rowsOf(leaf.picture!, [{ name: "Area", value: "5", valueSpan: undefined }], true, measure);
  const statements = rows.map((row) => row.statement).filter((statement) => statement >= 0).sort((a, b) => a - b);
  assert.deepEqual(statements, leaf.picture!.statements.map((_, i) => i));
  assert.ok(rows.some((row) => row.segments.some((segment) => segment.text === "5" && segment.paint === "value")), "the value of the use");
  for (const shape of [0.3, 1.5, 6]) {
    const set = inColumns(rows, shape);
    assert.equal(set.rows.filter((placed) => placed.row.statement >= 0).length, statements.length);
    for (const placed of set.rows) assert.ok(placed.x + placed.row.width <= set.width + 1e-9 && placed.y + placed.row.height <= set.height + 1e-9);
  }
  assert.ok(inColumns(rows, 6).rows.some((placed) => placed.x > 0), "a flat box has columns");
});

test("the history of views is a browser's", () => {
  const history = new History<string>((a, b) => a === b);
  for (const view of ["a", "b", "b", "c"]) history.push(view);
  assert.equal(history.back(), "b");
  assert.equal(history.back(), "a");
  assert.equal(history.back(), undefined);
  assert.equal(history.forward(), "b");
  history.push("d");
  assert.equal(history.canGoForward, false);
  assert.equal(history.back(), "b");
});

test("places are bytes for the server and units here", () => {
  const text = "aå∫𝜌b";
  const bytes = new TextEncoder().encode(text).length;
  assert.equal(toBytes(text, text.length), bytes);
  for (const index of [0, 1, 2, 3, 5, 6]) assert.equal(fromBytes(text, toBytes(text, index)), index);
});

test("numbers are short", () => {
  const pairs: [number, string][] = [[0, "0"], [13.0000001, "13"], [0.0625, "0.0625"], [276000, "276000"], [1.5e7, "1.5e7"], [-2.25, "−2.25"], [1e-9, "1e−9"], [NaN, "—"]];
  for (const [value, text] of pairs) assert.equal(formatted(value), text);
  assert.deepEqual(marks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.ok(marks(3, 3, 5).length === 1);
});

test("curves are read from a binary message", () => {
  let header = JSON.stringify({ id: 7, run: 1, t0: 0, t1: 2, end: 2, curves: [{ path: "h", unit: "m", kind: "held", points: 3 }, { path: "x", error: "the run has no column x" }] });
  while ((header.length + 4) % 8 !== 0) header += " ";
  const data = new ArrayBuffer(4 + header.length + 48);
  new DataView(data).setUint32(0, header.length, true);
  new Uint8Array(data).set(new TextEncoder().encode(header), 4);
  new Float64Array(data, 4 + header.length).set([0, 1, 2, 5, 6, NaN]);
  const { id, message } = decodeCurves(data);
  assert.equal(id, 7);
  assert.deepEqual([...message.curves[0]!.times], [0, 1, 2]);
  assert.equal(message.curves[0]!.held, true);
  assert.ok(Number.isNaN(message.curves[0]!.values[2]));
  assert.match(message.curves[1]!.error ?? "", /no column/);
});

test("curves with different times become columns, an event keeps both its values", () => {
  const a = { times: Float64Array.of(0, 1, 1, 2), values: Float64Array.of(0, 1, 5, 6) };
  const b = { times: Float64Array.of(0, 2), values: Float64Array.of(3, NaN) };
  const [times, first, second] = merged([a, b]);
  assert.deepEqual(times, [0, 1, 1, 2]);
  assert.deepEqual(first, [0, 1, 5, 6]);
  assert.deepEqual(second, [3, undefined, undefined, null]);
});

test("a curve has values between its points", () => {
  const curve = { path: "h", unit: "", held: false, times: Float64Array.of(0, 2, 2, 4), values: Float64Array.of(0, 2, 10, 10), error: undefined };
  assert.equal(valueAt(curve, 1), 1);
  assert.equal(valueAt(curve, 3), 10);
  assert.equal(valueAt(curve, 5), undefined);
  assert.equal(valueAt({ ...curve, held: true }, 1), 0);
  assert.deepEqual(against(curve, curve).x, against(curve, curve).y);
});

test("a picture of the server is turned y downwards and moved to the origin", () => {
  const server: ServerPicture = {
    key: "m", name: "m", kind: "model", hash: "0", frame: [-10, -20, 90, 40],
    ports: [{ name: "p", kind: "cut", side: "left", along: 0.25, variables: [{ name: "V", role: "across" }] }],
    blocks: [{ kind: "submodel", name: "a", key: "k", at: [0, 30], size: [20, 10], terminals: [{ port: "q", at: [10, 30], side: "right" }] }],
    lines: [{ kind: "joint", from: { block: 0, port: "q" }, to: { block: null, port: "p" }, points: [[10, 30], [-10, -5]] }],
  };
  const made = fromServer(server);
  assert.deepEqual([made.width, made.height], [100, 60]);
  assert.deepEqual([made.uses[0]!.x, made.uses[0]!.y, made.uses[0]!.w, made.uses[0]!.h], [0, 5, 20, 10]);
  assert.deepEqual(made.lines[0]!.points, [20, 10, 0, 45]);
  assert.equal(made.lines[0]!.to.block, undefined);
  // The end of the line lies on the border, where the port is.
  assert.equal(made.ports[0]!.place * made.height, 45);
});

test("diagnostics belong to the submodel that they name and tell the blocks around", () => {
  const found = problemsByBlock([{ severity: "error", message: "singular", submodel: "a.b" }], new Map());
  assert.equal(found.get("a.b")?.[0]?.inside, false);
  assert.equal(found.get("a")?.[0]?.inside, true);
  assert.equal(found.get("")?.[0]?.inside, true);
});

test("the equation of a variable: explicit, of its derivative, or those of a loop that have it", () => {
  const step = (equation: string, system = 0) => ({ equation, system });
  const steps = [step("a.x := 2*b"), step("a.y' := a.x"), step("0 = a.P' + 3*a.z'", 2), step("0 = a.P'' - a.Pd", 2), step("a.z' := a.Ps", 2)];
  assert.deepEqual(ownSteps(steps, "a.x"), { steps: [steps[0]], system: 0 });
  assert.deepEqual(ownSteps(steps, "a.y"), { steps: [steps[1]], system: 0 });
  assert.deepEqual(ownSteps(steps, "a.P"), { steps: [steps[2], steps[3]], system: 2 });
  assert.deepEqual(ownSteps(steps, "a.Pd"), { steps: [steps[3]], system: 2 });
  assert.deepEqual(ownSteps(steps, "x"), { steps: [], system: 0 });
});

test("a breakpoint is one line before the end of its class, changed or taken away by one edit", () => {
  const text = "model type A\n  local x\nend\n\nmodel b\n  submodel (A) a\nend\n";
  const apply = (of: string, width: number | undefined, file = "b.dym", begin = 0, end = text.indexOf("end") + 3): string => {
    const edit = breakpointEdit(of, begin, end, file, width);
    return edit === undefined ? of : of.slice(0, edit.begin) + edit.text + of.slice(edit.end);
  };
  const once = apply(text, 219.6);
  assert.equal(once, text.replace("  local x\n", "  local x\n  --@ show inside above 220\n"));
  const whole = once.indexOf("end") + 3;
  assert.equal(apply(once, 300, "b.dym", 0, whole), once.replace("220", "300"));
  assert.equal(apply(once, undefined, "b.dym", 0, whole), text);
  assert.equal(apply(text, undefined), text);
  assert.equal(apply("model M\r\n  Real x;\r\nend M;", 90, "m.mo", 0, 100), "model M\r\n  Real x;\r\n  //@ show inside above 90\r\nend M;");
  assert.equal(apply("CONTINUOUS SYSTEM A\nSTATE x\nEND", 90, "a.t", 0, 100), "CONTINUOUS SYSTEM A\nSTATE x\n  \"@ show inside above 90\nEND");
});

test("places in texts whose lines end with carriage returns", () => {
  const server = "ä\r\n😀b\r\n", page = "ä\n😀b\n";
  assert.ok(hasReturns(server));
  assert.ok(!hasReturns("a\r\nb\n"), "of mixed lines the page has the characters as they are");
  assert.ok(!hasReturns(page));
  for (const [index, offset] of [[0, 0], [1, 2], [2, 4], [4, 8], [5, 9], [6, 11]] as const) {
    assert.equal(toBytes(page, index, true), offset);
    assert.equal(fromBytes(page, offset, true), index);
  }
});

test("the other equations of a contradiction are marked in the innermost class that has them", () => {
  const at = (begin: number, end: number) => ({ file: "a.dym", begin, end, line: 1, column: 1 });
  const pictures = new Map([picture({ key: "outer", whole: at(0, 100) }), picture({ key: "outer.inner", whole: at(20, 60) })].map((each) => [each.key, each]));
  const found = problemsByBlock([{ severity: "error", message: "contradictory", file: "a.dym", begin: 10, related: [{ message: "here", ...at(30, 35) }] }], pictures);
  assert.deepEqual(found.get("class:outer")?.map((mark) => mark.begin), [10]);
  assert.deepEqual(found.get("class:outer.inner")?.map((mark) => mark.begin), [30]);
});

test("a new picture of a class keeps the blocks whose use is the same", () => {
  const kept = use("kept", "none", 0, 0, 30, 20);
  let shown = picture({ key: "m", uses: [kept, use("changed", "none", 50, 0, 30, 20)] });
  const block = new Block(undefined, use("", "m", 0, 0, 300, 200), { get: (key) => key === "m" ? shown : undefined });
  const [first, second] = block.children;
  shown = picture({ key: "m", uses: [kept, use("changed", "none", 80, 0, 30, 20)] });
  assert.equal(block.child("kept"), first);
  assert.notEqual(block.child("changed"), second);
  assert.equal(block.child("changed")!.x, 80);
});

test("a transfer function is written with the coefficients of its use", () => {
  const leaf = plant().children[0]!.find(["b0", "b0", "b0"])!;
  const picture = { ...leaf.picture!, transfer: { input: "u", output: "y", numerator: "b", denominator: "a", ascending: true }, statements: [] };
  const given = [{ name: "b", value: "(2, 0)", valueSpan: undefined }, { name: "a", value: "(1, -0.5, 1)", valueSpan: undefined }];
  assert.deepEqual(transferOf(picture, given), { above: "2", below: "s^2 - 0.5·s + 1" });
  assert.equal(transferOf(picture, [given[0]!]), undefined, "while a coefficient is not known");
  assert.equal(transferOf(leaf.picture!, given), undefined);
});
