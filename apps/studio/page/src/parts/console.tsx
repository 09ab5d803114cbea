// The console: the commands of the shell, on the model of the picture.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, on, report } from "../session.ts";
import * as store from "../store.ts";

interface Line {
  readonly kind: string;
  readonly text: string;
}

const lines = signal<readonly Line[]>([]);
const most = 1000;

on("console", (data) => {
  if (data.model === store.model.value?.id) lines.value = [...lines.value, { kind: String(data.kind), text: String(data.text) }].slice(-most);
});

export function ConsolePanel() {
  const [line, setLine] = useState("");
  const [at, setAt] = useState(0);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "end" }), [lines.value]);
  const before = lines.value.filter((each) => each.kind === "input").map((each) => each.text);
  const recall = (step: number): void => {
    const next = Math.min(Math.max(0, at + step), before.length);
    setAt(next);
    setLine(next === 0 ? "" : before[before.length - next] ?? "");
  };
  const complete = async (): Promise<void> => {
    const { begin, candidates } = await ask<{ begin: number; candidates: string[] }>("console.complete", { line, cursor: new TextEncoder().encode(line).length });
    if (candidates.length === 1) setLine(line.slice(0, begin) + candidates[0]);
    else if (candidates.length > 1) lines.value = [...lines.value, { kind: "output", text: candidates.join("  ") }];
  };
  return (
    <div class="console panel">
      <header><h2>Console</h2><span class="spacer" /><button class="framed" onClick={() => { lines.value = []; }}>Clear</button></header>
      <div class="lines" role="log">
        {lines.value.length === 0 && <p class="empty">Commands of the shell, as in Simnon: PAR, INIT, SIMU, PLOT, DISP … They act on the model of the picture.</p>}
        {lines.value.map((each, i) => each.kind === "picture"
          ? <img key={i} class="figure" alt="Plot" src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(each.text)}`} />
          : <pre key={i} class={each.kind}>{each.kind === "input" ? `> ${each.text}` : each.text}</pre>)}
        <div ref={end} />
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (line.trim() === "") return;
          ask("console", { line }).catch(report);
          setLine("");
          setAt(0);
        }}
      >
        <input
          type="text" aria-label="Command" placeholder="command" spellcheck={false} autocomplete="off" value={line} onInput={(event) => setLine(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "ArrowUp") recall(1);
            else if (event.key === "ArrowDown") recall(-1);
            else if (event.key === "Tab" && line !== "") complete().catch(report);
            else return;
            event.preventDefault();
          }}
        />
      </form>
    </div>
  );
}
