// Parameters, initial values and inputs of a submodel: fields and sliders that act at once, also while the model runs.

import { useEffect, useState } from "preact/hooks";
import type { Quantity } from "../protocol.ts";
import { plotTogether } from "../run/plots.ts";
import { ask, attempt, on } from "../session.ts";
import * as store from "../store.ts";
import { flyToVariable, pathFrom } from "../view-actions.ts";
import { formatted } from "../view/numbers.ts";
import { pathOf } from "../view/scene.ts";
import { valuesOf } from "./panels.ts";

const kinds = [["parameter", "Parameters"], ["input", "Inputs"], ["state", "Initial values"]] as const;
const most = 200;

interface Changes {
  readonly parameters: Readonly<Record<string, number>>;
  readonly initials: Readonly<Record<string, number>>;
  readonly inputs: Readonly<Record<string, string>>;
}

export function ValuesPanel() {
  const { below, name } = valuesOf.value;
  const [kind, setKind] = useState<typeof kinds[number][0]>("parameter");
  const [list, setList] = useState<readonly Quantity[]>([]);
  const [total, setTotal] = useState(0);
  const [refused, setRefused] = useState("");
  const [changes, setChanges] = useState<Changes>({ parameters: {}, initials: {}, inputs: {} });
  const model = store.model.value?.id, checked = store.checked.value;
  const [turn, setTurn] = useState(0);

  useEffect(() => on("values.set", () => setTurn((n) => n + 1)), []);
  useEffect(() => {
    if (model === undefined) return;
    setRefused("");
    const wanted = kind === "parameter" ? ["parameter", "structure-parameter"] : [kind];
    ask<{ total: number; quantities: Quantity[] }>("quantities", { below, kinds: wanted, limit: most })
      .then((result) => {
        setList(result.quantities);
        setTotal(result.total);
      })
      .catch((reason: Error) => {
        setList([]);
        setRefused(reason.message);
      });
    attempt(ask<Partial<Changes>>("changes").then((set) => setChanges({ parameters: set.parameters ?? {}, initials: set.initials ?? {}, inputs: set.inputs ?? {} })));
  }, [model, below, kind, checked, turn]);

  const changed = Object.keys(changes.parameters).length + Object.keys(changes.initials).length + Object.keys(changes.inputs).length;
  const selected = store.selected.value;
  return (
    <>
      <header>
        <h2>{below === "" ? "Values" : below}</h2>
        <span class="spacer" />
        {selected !== undefined && pathOf(selected) !== below && <button class="framed" onClick={() => { valuesOf.value = { below: pathOf(selected), name: "" }; }}>of {selected.name}</button>}
        {below !== "" && <button class="framed" onClick={() => { valuesOf.value = { below: "", name: "" }; }}>of all</button>}
        {changed > 0 && <button class="framed" title="Takes all back to the values of the text" onClick={() => attempt(unset(changes).then(() => setTurn((n) => n + 1)))}>Take back {changed}</button>}
      </header>
      <div class="row" style={{ padding: "4px 12px 0" }} role="group" aria-label="Kind">
        {kinds.map(([each, title]) => <button key={each} aria-pressed={kind === each} onClick={() => setKind(each)}>{title}</button>)}
        <span class="spacer" />
        <label title="A short run that has ended is made anew when a value changes; the one before stays beside it"><input type="checkbox" checked={store.rerun.value} onChange={(event) => { store.rerun.value = event.currentTarget.checked; }} /> run again</label>
      </div>
      <div class="body">
        {refused !== "" && <p class="empty">{refused}</p>}
        {refused === "" && list.length === 0 && <p class="empty">None here.</p>}
        {list.map((quantity) => (
          <Row key={`${kind} ${quantity.path}`} quantity={quantity} below={below} changes={changes} meant={name !== "" && quantity.path.endsWith(`.${name}`)} />
        ))}
        {total > list.length && <p class="empty">{list.length} of {total}: choose a block to see all of its own.</p>}
      </div>
    </>
  );
}

/** What the quantity has, as text: of a state its initial value, of an input its expression. */
export function valueOf(quantity: Quantity): string {
  if (quantity.kind === "input") return quantity.expression ?? "";
  const value = quantity.kind === "state" ? quantity.initial : quantity.value;
  return value === null || value === undefined ? "" : String(value);
}

/** Gives a quantity a value of the experiment; what is no number is left. */
export async function sendValue({ kind, path }: Quantity, text: string): Promise<void> {
  const number = Number(text);
  if (kind === "input") await ask("set", { inputs: { [path]: text } });
  else if (text !== "" && Number.isFinite(number)) await ask("set", kind === "state" ? { initials: { [path]: number } } : { parameters: { [path]: number } });
}

function unset(changes: Changes): Promise<unknown> {
  return ask("unset", { parameters: Object.keys(changes.parameters), initials: Object.keys(changes.initials), inputs: Object.keys(changes.inputs) });
}

function Row({ quantity, below, changes, meant }: { quantity: Quantity; below: string; changes: Changes; meant: boolean }) {
  const { path, kind, unit, description } = quantity;
  const shownPath = below !== "" && path.startsWith(`${below}.`) ? path.slice(below.length + 1) : path;
  const input = kind === "input";
  const value = kind === "state" ? changes.initials[path] ?? quantity.initial : quantity.value;
  const changed = path in (kind === "state" ? changes.initials : input ? changes.inputs : changes.parameters);
  const names = pathFrom(path);
  const send = (text: string): void => attempt(sendValue(quantity, text));
  return (
    <div class="quantity">
      <div class="name">
        <button style={{ padding: 0 }} title="Show it in the picture" onClick={() => flyToVariable(names.slice(0, -1), names.at(-1)!)}>{shownPath}</button>
        {description !== undefined && <small>{description}</small>}
      </div>
      {quantity.type === "enumeration"
        ? (
          <select value={String(value ?? "")} onChange={(event) => send(event.currentTarget.value)} aria-label={path}>
            {quantity.literals?.map((literal, i) => <option key={literal} value={String(i + 1)}>{literal}</option>)}
          </select>
        )
        : <Field label={path} text={input ? changes.inputs[path] ?? quantity.expression ?? "" : value === null || value === undefined ? "" : String(value)} changed={changed} focused={meant} send={send} />}
      <span class="unit">{unit}{kind === "state" && <button class="icon" style={{ width: "22px" }} aria-label={`Plot ${path}`} title="Plot" onClick={() => plotTogether(path, [path])}>∿</button>}</span>
      {kind === "parameter" && quantity.type !== "boolean" && quantity.type !== "enumeration" && typeof value === "number" && <Slider quantity={quantity} value={value} send={send} />}
    </div>
  );
}

export function Field({ label, text, changed, focused, send }: { label: string; text: string; changed: boolean; focused: boolean; send: (text: string) => void }) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  return (
    <input
      type="text" aria-label={label} class={changed ? "changed" : ""} value={typed ?? text} autofocus={focused} spellcheck={false}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => {
        send(event.currentTarget.value.trim());
        setTyped(undefined);
      }}
    />
  );
}

/** From what is given as the least to the greatest, or from a fifth of the value in the text to five times as much, by its logarithm. */
export function Slider({ quantity, value, send }: { quantity: Quantity; value: number; send: (text: string) => void }) {
  const [middle] = useState(value);
  const { minimum, maximum } = quantity;
  if (minimum === undefined && maximum === undefined && middle === 0) return null;
  const bounded = minimum !== undefined && maximum !== undefined;
  const toShare = (v: number): number => bounded ? (v - minimum) / (maximum - minimum) : 0.5 + Math.log(v / middle) / Math.log(25);
  const fromShare = (share: number): number => bounded ? minimum + share * (maximum - minimum) : middle * 25 ** (share - 0.5);
  const share = toShare(value);
  return (
    <input
      type="range" min={0} max={1} step={0.002} value={Number.isFinite(share) ? share : 0.5} aria-label={`${quantity.path}: slider`} aria-valuetext={formatted(value)}
      onInput={(event) => send(String(Number(fromShare(Number(event.currentTarget.value)).toPrecision(4))))}
    />
  );
}
