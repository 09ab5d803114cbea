// A value changed where it stands in the picture: a field and a slider that act on the experiment at once, and the way into the text.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Block } from "../model/block.ts";
import type { Span, Statement } from "../model/picture.ts";
import type { Quantity } from "../protocol.ts";
import { ask, attempt, call } from "../session.ts";
import * as store from "../store.ts";
import { fromBytes } from "../text/offsets.ts";
import { theViewport } from "../view-actions.ts";
import type { Point } from "../view/geometry.ts";
import { variableOf } from "../view/scene.ts";
import { analyseVariable, showText } from "./panels.ts";
import { Field, sendValue, Slider, valueOf } from "./values.tsx";

export const editedValue = signal<{ readonly at: Point; readonly block: Block; readonly statement: Statement } | undefined>(undefined);

/** Where the value is written: in the use of the class, if that gives it, else in the class. */
function placeOf(block: Block, statement: Statement): Span | undefined {
  const given = block.use.arguments.find((argument) => argument.name === statement.name);
  return given === undefined ? statement.valueSpan : given.valueSpan;
}

/** Libraries are read only. */
export function isWritable({ file }: Span): boolean {
  return !file.startsWith("library:") && !file.startsWith("/");
}

export function ValueEditor() {
  const open = editedValue.value;
  const box = useRef<HTMLDivElement>(null);
  const [quantity, setQuantity] = useState<Quantity | undefined>(undefined);
  const [refused, setRefused] = useState("");
  const path = open === undefined ? "" : variableOf(open.block, open.statement.name);
  const [turn, setTurn] = useState(0);
  // Of another variable nothing is known yet; of the same one what was known stays until its new value has come.
  useEffect(() => setQuantity(undefined), [open]);
  useEffect(() => {
    setRefused("");
    if (open === undefined) return;
    ask<{ quantities: Quantity[] }>("quantities", { match: path, limit: 5 })
      .then(({ quantities }) => {
        const found = quantities.find((each) => each.path === path);
        setQuantity(found);
        if (found === undefined) setRefused("It follows from others, or the model has errors.");
      })
      .catch((reason: Error) => setRefused(reason.message));
  }, [open, store.checked.value, turn]);
  useEffect(() => {
    const field = box.current?.querySelector<HTMLInputElement>("input[type=text]");
    (field ?? box.current?.querySelector<HTMLElement>("select, button"))?.focus();
    field?.select();
  }, [quantity === undefined]);
  if (open === undefined) return null;
  const close = (): void => {
    editedValue.value = undefined;
    document.querySelector<HTMLElement>("canvas.sheet")?.focus({ preventScroll: true });
  };
  const { width, height } = theViewport()?.size ?? { width: 1000, height: 800 };
  const style = { left: `${Math.max(8, Math.min(open.at.x - 12, width - 300))}px`, top: `${Math.max(8, Math.min(open.at.y + 14, height - 190))}px` };
  const place = placeOf(open.block, open.statement);
  const writable = place !== undefined && isWritable(place);
  const send = (text: string): void => {
    if (quantity === undefined) return;
    attempt(sendValue(quantity, text).then(() => setTurn((n) => n + 1)));
  };
  const now = quantity === undefined ? "" : valueOf(quantity);
  return (
    <div ref={box} class="value-editor" role="dialog" aria-label={`Value of ${path}`} style={style} onKeyDown={(event) => { if (event.key === "Escape") { close(); event.stopPropagation(); } }}>
      <div class="row"><b class="code">{path}</b><span class="spacer" /><button class="icon" aria-label="Close" onClick={close}>✕</button></div>
      {open.statement.description !== "" && <p class="empty">{open.statement.description}</p>}
      {refused !== "" && <p class="empty">{refused}</p>}
      {quantity !== undefined && (
        <>
          <div class="row">
            <Field label={path} text={now} changed={false} focused send={send} />
            <span class="unit">{open.statement.unit}</span>
          </div>
          {typeof quantity.value === "number" && quantity.type !== "boolean" && quantity.type !== "enumeration" && quantity.kind !== "input" && (
            <Slider quantity={quantity} value={Number(now)} send={send} />
          )}
        </>
      )}
      <div class="row">
        {quantity !== undefined && writable && now !== "" && (
          <button class="framed" title="The text gets this value; it can be undone there" onClick={() => { attempt(write(place!, now)); close(); }}>Write into the text</button>
        )}
        {quantity !== undefined && <button class="framed" title="Linearize, Bode … from this parameter" onClick={() => { analyseVariable("input", path); close(); }}>Analyse from it</button>}
        {open.statement.span !== undefined && <button class="framed" onClick={() => { showText(place ?? open.statement.span!); close(); }}>Show in the text</button>}
      </div>
    </div>
  );
}

/** One edit of the text, and the experiment takes its own value back. */
async function write(place: Span, text: string): Promise<void> {
  const opened = await call<{ version: number; text: string }>("text.open", { file: place.file });
  try {
    const before = opened.text.slice(fromBytes(opened.text, place.begin), fromBytes(opened.text, place.end));
    if (before.trim() === "") return;
    await call("text.edit", { file: place.file, version: opened.version, edits: [{ begin: place.begin, end: place.end, text }], label: "value" });
  } finally {
    await call("text.close", { file: place.file }).catch(() => undefined);
  }
}
