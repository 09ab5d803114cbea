// Questions about the model as a whole, answered by the commands of the command line: equilibria, linearization, frequency response.

import { useState } from "preact/hooks";
import { ask } from "../session.ts";
import { CallFailed } from "../server.ts";
import * as store from "../store.ts";

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
  const [inputs, setInputs] = useState("");
  const [outputs, setOutputs] = useState("");
  const [asked, setAsked] = useState("");
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const pose = (name: string, linear: boolean): void => {
    const words = [name];
    if (linear && inputs.trim() !== "") words.push("--inputs", inputs.replace(/\s+/g, ""));
    if (linear && outputs.trim() !== "") words.push("--outputs", outputs.replace(/\s+/g, ""));
    if (drawing.has(name)) words.push("-o", `${name}.svg`);
    setAsked(name);
    setAnswer(undefined);
    ask<Answer>("operation", { words }).then(setAnswer).catch((reason: unknown) => {
      setAnswer({ status: 1, output: "", errors: reason instanceof CallFailed ? `${reason.message}\n${reason.reason.help ?? ""}` : String(reason), files: [] });
    });
  };
  const known = store.checked.value;
  return (
    <>
      <header><h2>Analysis</h2></header>
      <div class="body">
        <div class="quantity"><label for="inputs">Inputs</label><input id="inputs" type="text" placeholder={known?.inputs?.slice(0, 2).join(",") ?? ""} value={inputs} onInput={(event) => setInputs(event.currentTarget.value)} /></div>
        <div class="quantity"><label for="outputs">Outputs</label><input id="outputs" type="text" placeholder={known?.outputs?.slice(0, 2).join(",") ?? ""} value={outputs} onInput={(event) => setOutputs(event.currentTarget.value)} /></div>
        <div class="row">{questions.map(([name, title, linear]) => <button key={name} class="framed" aria-pressed={asked === name} onClick={() => pose(name, linear)}>{title}</button>)}</div>
        {asked !== "" && answer === undefined && <p class="empty">{asked} …</p>}
        {answer?.files.filter((file) => file.type.startsWith("image/")).map((file) => <img key={file.name} class="figure" alt={asked} src={`data:${file.type};base64,${file.base64}`} />)}
        {answer !== undefined && <pre>{answer.output}</pre>}
        {answer !== undefined && answer.errors !== "" && <pre class="problem warning">{answer.errors}</pre>}
      </div>
    </>
  );
}
