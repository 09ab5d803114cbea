// What the check says: each diagnostic in the words of the command line; a click flies to where it is meant.

import type { Diagnostic } from "../protocol.ts";
import { ask, attempt } from "../session.ts";
import * as store from "../store.ts";
import { flyToBlock, flyToStatement, pathFrom } from "../view-actions.ts";
import { showText } from "./panels.ts";

export function ProblemsPanel() {
  const checked = store.checked.value;
  const run = store.run.value;
  return (
    <>
      <header>
        <h2>Check</h2>
        <span class="spacer" />
        <button class="framed" onClick={() => attempt(ask("check").then((result) => { store.checked.value = result as unknown as typeof checked; }))}>Check again</button>
      </header>
      <div class="body">
        {checked?.ok === true && checked.diagnostics.length === 0 && <p>The model is correct.</p>}
        {checked?.diagnostics.map((diagnostic, i) => <ProblemView key={i} diagnostic={diagnostic} />)}
        {run !== undefined && run.diagnostics.length > 0 && (
          <>
            <h3>Run {run.run}</h3>
            {run.diagnostics.map((diagnostic, i) => <ProblemView key={i} diagnostic={diagnostic} />)}
          </>
        )}
        {checked?.counts !== undefined && <Counts counts={checked.counts} states={checked.states ?? []} inputs={checked.inputs ?? []} />}
      </div>
    </>
  );
}

/** Flies to a place of a text where its class is in sight, else shows the text. */
function showPlace(file: string, begin: number): void {
  const found = blockOfText(file, begin);
  if (found === undefined) showText({ file, begin });
  else flyToStatement(found, { file, begin });
}

function show(diagnostic: Diagnostic): void {
  const path = pathFrom(diagnostic.submodel ?? "");
  // The class in whose text it stands may be seen in the block that is named, or not be open yet.
  if (diagnostic.submodel !== undefined && diagnostic.submodel !== "") {
    if (diagnostic.file !== undefined && diagnostic.begin !== undefined) flyToStatement(path, { file: diagnostic.file, begin: diagnostic.begin });
    else flyToBlock(path);
    return;
  }
  if (diagnostic.file !== undefined) showPlace(diagnostic.file, diagnostic.begin ?? 0);
}

/** A block whose class has this place of the text, among those seen so far. */
function blockOfText(file: string, begin: number): string[] | undefined {
  const top = store.sheet.value?.children[0];
  const queue = top === undefined ? [] : [top];
  for (let block = queue.shift(); block !== undefined; block = queue.shift()) {
    const picture = store.pictures.value.get(block.use.key);
    if (picture === undefined) continue;
    const { whole } = picture;
    if (whole !== undefined && whole.file === file && begin >= whole.begin && begin < whole.end) return block.path.slice(1);
    queue.push(...block.children);
  }
  return undefined;
}

function ProblemView({ diagnostic }: { diagnostic: Diagnostic }) {
  const where = [diagnostic.submodel ?? "", diagnostic.file === undefined ? "" : `${diagnostic.file}${diagnostic.line === undefined ? "" : `:${diagnostic.line}`}`].filter((text) => text !== "").join("  ·  ");
  return (
    <div class={`problem ${diagnostic.severity}`}>
      <button onClick={() => show(diagnostic)}>
        {where !== "" && <span class="where">{where}</span>}
        <p>{diagnostic.message}</p>
        {diagnostic.details?.map((detail) => <p key={detail} class="code">{detail}</p>)}
        {diagnostic.help !== undefined && <p class="help">{diagnostic.help}</p>}
      </button>
      {diagnostic.related?.map(({ message, file, line, begin }, i) => (
        <button key={i} class="where" disabled={file === undefined || begin === undefined} onClick={() => showPlace(file!, begin!)}>
          {message}{line === undefined ? "" : `  ·  ${file ?? ""}:${line}`}
        </button>
      ))}
    </div>
  );
}

function Counts({ counts, states, inputs }: { counts: Readonly<Record<string, number>>; states: readonly string[]; inputs: readonly string[] }) {
  const go = (path: string) => <button key={path} onClick={() => { store.whyPath.value = path; store.panel.value = "why"; }}>{path}</button>;
  return (
    <>
      <h3>The model has</h3>
      <table>
        <tbody>
          {Object.entries(counts).map(([name, count]) => <tr key={name}><td>{name.replaceAll("_", " ")}</td><td class="number">{count}</td></tr>)}
        </tbody>
      </table>
      {states.length > 0 && <><h3>States</h3><div class="chips">{states.slice(0, 100).map(go)}</div></>}
      {inputs.length > 0 && <><h3>Inputs</h3><div class="chips">{inputs.map(go)}</div></>}
    </>
  );
}
