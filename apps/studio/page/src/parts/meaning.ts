// What pointing at an object of the picture tells, and what a click on it offers.

import { analyse, analyseVariable, showText, showValues, showWhy } from "./panels.ts";
import { plotTogether } from "../run/plots.ts";
import { ask, attempt } from "../session.ts";
import * as store from "../store.ts";
import { currentProblems, fly, flyToBlock, live, send, theViewport } from "../view-actions.ts";
import type { Block } from "../model/block.ts";
import type { Drawn } from "../view/display-list.ts";
import type { Point } from "../view/geometry.ts";
import { showingPort } from "../view/hit.ts";
import { addressOf } from "../view/link.ts";
import { formatted } from "../view/numbers.ts";
import { pathOf, problemsOf, variableOf } from "../view/scene.ts";
import { findPort, membersOf, portAt } from "../view/walk-lines.ts";
import { setBreakpoint } from "./breakpoint.ts";
import { download } from "./download.ts";
import { type Entry, menu } from "./menu.tsx";
import { editedText } from "./text-in-place.tsx";
import { editedValue, isWritable } from "./value-editor.tsx";

export interface Told {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The variables that a drawn object stands for. */
export function variables(drawn: Drawn): string[] {
  const { block, index, part } = drawn;
  if (part === "member") return [variableOf(block, drawn.name)];
  if (part === "text") return drawn.name === "" || index === -1 ? [] : [variableOf(block, drawn.name)];
  if (part === "port") {
    const port = findPort(block.picture?.ports ?? [], block.use.joints[index]?.port ?? "");
    return port === undefined ? [] : membersOf(port).filter((member) => member.name !== "").map((member) => variableOf(block, member.name));
  }
  if (part === "plot") return (block.picture?.displays[index]?.variables ?? []).map((name) => variableOf(block, name));
  if (part !== "line" || block.picture === undefined) return [];
  const line = block.picture.lines[index];
  if (line === undefined) return [];
  const single = [line.from, line.to].find((end) => end.variable !== "");
  if (single !== undefined) {
    const owner = single.block === undefined ? block : block.child(block.picture.uses[single.block]?.name ?? "");
    return owner === undefined ? [] : [variableOf(owner, single.variable)];
  }
  for (const end of [line.from, line.to]) {
    const at = portAt(block, block.picture, end);
    const names = at === undefined ? [] : membersOf(at.port).filter((member) => member.name !== "");
    if (at !== undefined && names.length > 0) return names.map((member) => variableOf(at.block, member.name));
  }
  return [];
}

export function explain(drawn: Drawn): Told | undefined {
  const { block, part } = drawn;
  const values = (paths: readonly string[]): string[] =>
    paths.slice(0, 8).map((path) => {
      const value = live.value(path);
      return value === undefined || Number.isNaN(value) ? path : `${path} = ${formatted(value, 5)}`;
    });
  if (part === "problem") return { title: block.name, lines: [...new Set(problemsOf(currentProblems(), block).map((problem) => problem.text))].slice(0, 4) };
  if (part === "block") {
    // A block that fills the window is what one looks at, not what one points at.
    if (drawn.w * drawn.h > 0.35 * (theViewport()?.size.width ?? 1) * (theViewport()?.size.height ?? 1)) return undefined;
    const kind = block.use.className === "" || block.use.className === block.name ? "" : `: ${block.use.className}`;
    const given = block.use.arguments.map((a) => a.name === "" ? a.value : `${a.name} = ${a.value}`).join(", ");
    return { title: block.name + block.use.dimensions + kind, lines: [drawn.text, given, block.use.condition].filter((line) => line !== "") };
  }
  if (part === "line") return { title: drawn.name, lines: [...(drawn.text === "" ? [] : [`connect (${drawn.text})`]), ...values(variables(drawn))] };
  if (part === "port") return { title: drawn.name === "" ? block.name : `${block.name}:${drawn.name}`, lines: values(variables(drawn)) };
  if (part === "member") return { title: variableOf(block, drawn.name), lines: [drawn.text] };
  if (part === "text" && drawn.name !== "" && drawn.index >= 0) {
    const statement = block.picture?.statements[drawn.index];
    return statement === undefined || statement.description === "" ? undefined : { title: variableOf(block, drawn.name), lines: [statement.description] };
  }
  return undefined;
}

export function clicked(drawn: Drawn | undefined, at: Point): void {
  editedValue.value = editedText.value = undefined;
  if (drawn === undefined) {
    menu.value = undefined;
    store.selected.value = undefined;
    return;
  }
  if (drawn.part === "block") store.selected.value = drawn.block;
  if (drawn.part === "problem") {
    store.panel.value = "problems";
    return;
  }
  if (drawn.part === "line" && store.run.value !== undefined && variables(drawn).length > 0) {
    plotTogether(drawn.name, variables(drawn));
    return;
  }
  const declared = drawn.part === "text" ? drawn.block.picture?.statements[drawn.index] : undefined;
  if (declared?.kind === "parameter") {
    menu.value = undefined;
    editedValue.value = { at, block: drawn.block, statement: declared };
    return;
  }
  const entries = entriesOf(drawn, at);
  menu.value = entries.length === 0 ? undefined : { at, title: titleOf(drawn), entries };
}

function titleOf(drawn: Drawn): string {
  if (drawn.part === "block") return pathOf(drawn.block) || drawn.block.name;
  if (drawn.part === "line" || drawn.part === "plot") return drawn.name;
  return drawn.name === "" ? pathOf(drawn.block) || drawn.block.name : variableOf(drawn.block, drawn.name);
}

function entriesOf(drawn: Drawn, at: Point): Entry[] {
  const { block, part } = drawn;
  const entries: Entry[] = [];
  const paths = variables(drawn);
  const add = (label: string, act: () => void): void => {
    entries.push({ label, act });
  };
  const picture = block.picture;
  const statement = part === "text" ? picture?.statements[drawn.index] : undefined;
  const line = part === "line" ? picture?.lines[drawn.index] : undefined;
  const fixed = statement?.kind === "parameter" || statement?.kind === "constant";
  if (part === "block") {
    // One that is already as large as the window needs no zoom.
    if (drawn.w < 0.7 * (theViewport()?.size.width ?? 0)) add("Zoom to it", () => flyToBlock(block.path.slice(1)));
    if (block.use.kind === "submodel") add("Values", () => showValues(pathOf(block)));
    const others = store.views.value.filter((other) => other.connection !== store.hello.value?.connection && other.view.model === store.model.value?.id);
    if (block.use.key !== "" && block.path.length > 1) add("Analyse it by itself", () => analyse({ title: pathOf(block), className: block.use.key, values: numbersGiven(block) }));
    add("Show in a new window", () => { open(location.pathname + addressOf({ path: block.path.slice(1), window: undefined }, store.model.value!)); });
    if (picture?.whole !== undefined && isWritable(picture.whole)) {
      const own = picture.breakpoints.some((show) => show.level === "inside" && show.above !== undefined);
      add("Open from this size on", () => attempt(setBreakpoint(picture, drawn.w)));
      if (own) add("Open by its own size", () => attempt(setBreakpoint(picture, undefined)));
    }
    for (const other of others) add(`Show in window ${other.connection}`, () => send(other.connection, block.path.slice(1)));
  }
  if (part === "port") {
    add("Zoom to it", () => {
      const camera = theViewport() === undefined ? undefined : showingPort(block, drawn.index, theViewport()!.size);
      if (camera !== undefined) void fly(camera);
    });
  }
  if (paths.length > 0 && !fixed) add(paths.length > 1 ? "Plot its variables" : "Plot", () => plotTogether(titleOf(drawn), paths));
  if (paths.length === 1 && !fixed) {
    add("Why?", () => showWhy(paths[0]!));
    add("Analyse from it", () => analyseVariable("input", paths[0]!));
    add("Analyse to it", () => analyseVariable("output", paths[0]!));
  }
  if (statement !== undefined && statement.name !== "" && !fixed) add("Its initial value", () => { editedValue.value = { at, block, statement }; });
  const span = statement?.span ?? line?.span ?? (part === "block" ? block.use.span ?? picture?.span : undefined);
  if (statement !== undefined && span !== undefined && isWritable(span)) add("Edit it here", () => { editedText.value = { at, span }; });
  if (span !== undefined) add("Show in the text", () => showText(span));
  if (part === "block" && picture?.span !== undefined && picture.span.begin !== block.use.span?.begin) add("Text of its class", () => showText(picture.span!));
  if (part === "block" && block.use.key !== "") {
    add("Save its picture as PDF", () => {
      attempt(ask<{ name: string; type: string; base64: string }>("hardcopy", { what: "class", key: block.use.key, format: "pdf" }).then(download));
    });
  }
  return entries;
}

/** The numbers that the use of a class gives its parameters. */
function numbersGiven(block: Block): string[] {
  return block.use.arguments.filter(({ name, value }) => name !== "" && value !== "" && Number.isFinite(Number(value))).map(({ name, value }) => `${name}=${value}`);
}
