// Questions about the model as a whole, or about the class of one block, answered by the commands of the command line: equilibria,
// linearization, frequency response.

import { useState } from "preact/hooks";
import { ask } from "../session.ts";
import { CallFailed } from "../server.ts";
import * as store from "../store.ts";
import { formatted } from "../view/numbers.ts";
import { analyse, analysisInputs, analysisOf, analysisOutputs } from "./panels.ts";

interface Answer {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
  readonly files: readonly { readonly name: string; readonly type: string; readonly base64: string }[];
}

/** Those that draw a picture. */
const drawing: ReadonlySet<string> = new Set(["bode", "nyquist", "step", "rootlocus"]);

const questions = [
  ["steady", "Equilibrium", false],
  ["linearize", "Linearize", true],
  ["poles", "Poles", true],
  ["bode", "Bode", true],
  ["nyquist", "Nyquist", true],
  ["step", "Step response", true],
  ["rootlocus", "Root locus", true],
  ["structure", "What acts on what", false],
] as const;

export function AnalysisPanel() {
  const inputs = analysisInputs.value, outputs = analysisOutputs.value, of = analysisOf.value;
  const [point, setPoint] = useState<"steady" | "start" | "time">("steady");
  const time = store.instant.value?.time ?? store.run.value?.time ?? 0;
  const [asked, setAsked] = useState("");
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const pose = (name: string, linear: boolean): void => {
    const words = [name, ...(of?.values ?? []).flatMap((value) => ["--set", value])];
    if (linear && point !== "steady") words.push("--at", point === "time" ? `time=${time}` : "start");
    if (linear && inputs.trim() !== "") words.push("--inputs", inputs.replace(/\s+/g, ""));
    if (linear && outputs.trim() !== "") words.push("--outputs", outputs.replace(/\s+/g, ""));
    if (drawing.has(name)) words.push("-o", `${name}.svg`);
    setAsked(name);
    setAnswer(undefined);
    ask<Answer>("operation", { words, ...(of === undefined ? {} : { class: of.className }) }).then(setAnswer).catch((reason: unknown) => {
      setAnswer({ status: 1, output: "", errors: reason instanceof CallFailed ? `${reason.message}\n${reason.reason.help ?? ""}` : String(reason), files: [] });
    });
  };
  const known = of === undefined ? store.checked.value : undefined;
  return (
    <>
      <header>
        <h2>Analysis{of === undefined ? "" : ` of ${of.title}`}</h2>
        <span class="spacer" />
        {of !== undefined && <button class="framed" onClick={() => analyse(undefined)}>of the whole model</button>}
      </header>
      <div class="body">
        <div class="quantity"><label for="inputs">Inputs</label><input id="inputs" type="text" placeholder={known?.inputs?.slice(0, 2).join(",") ?? ""} value={inputs} onInput={(event) => { analysisInputs.value = event.currentTarget.value; }} /></div>
        <div class="quantity"><label for="outputs">Outputs</label><input id="outputs" type="text" placeholder={known?.outputs?.slice(0, 2).join(",") ?? ""} value={outputs} onInput={(event) => { analysisOutputs.value = event.currentTarget.value; }} /></div>
        <div class="row" role="group" aria-label="Operating point">
          near
          <button aria-pressed={point === "steady"} onClick={() => setPoint("steady")}>its equilibrium</button>
          <button aria-pressed={point === "start"} onClick={() => setPoint("start")}>the start</button>
          <button aria-pressed={point === "time"} disabled={store.run.value === undefined || of !== undefined} title="The state of the run at the instant that is shown" onClick={() => setPoint("time")}>t = {formatted(time, 5)}</button>
        </div>
        <div class="row">{questions.map(([name, title, linear]) => <button key={name} class="framed" aria-pressed={asked === name} onClick={() => pose(name, linear)}>{title}</button>)}</div>
        {asked !== "" && answer === undefined && <p class="empty">{asked} …</p>}
        {answer?.files.filter((file) => file.type.startsWith("image/")).map((file) => <img key={file.name} class="figure" alt={asked} src={`data:${file.type};base64,${file.base64}`} />)}
        {answer !== undefined && <pre>{answer.output}</pre>}
        {answer !== undefined && answer.errors !== "" && <pre class="problem warning">{answer.errors}</pre>}
      </div>
    </>
  );
}
