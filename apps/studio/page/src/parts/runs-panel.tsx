// Runs, checkpoints and branches: which runs there are, which are drawn over each other, and what differs most between two.

import { useEffect, useState } from "preact/hooks";
import { plotTogether } from "../run/plots.ts";
import { branch, checkpoint, drop, goOn, overlay, scrub } from "../run/runs.ts";
import { ask, attempt, listCheckpoints } from "../session.ts";
import * as store from "../store.ts";
import { flyToStatement, pathFrom } from "../view-actions.ts";
import { formatted } from "../view/numbers.ts";

interface Difference {
  readonly path: string;
  readonly unit?: string;
  readonly difference: number;
  readonly relative: number;
  readonly at: number;
  readonly a: number;
  readonly b: number;
}

const nameOf = (run: { readonly run: number; readonly label: string }): string => run.label === "" ? `run ${run.run}` : run.label;

export function RunsPanel() {
  const runs = store.runs.value, active = store.activeRun.value, state = store.run.value?.state;
  useEffect(() => {
    if (store.run.value !== undefined) attempt(listCheckpoints());
  }, [active, state]);
  return (
    <>
      <header>
        <h2>Runs</h2>
        <span class="spacer" />
        <button class="framed" disabled={active === undefined} onClick={checkpoint} title="Keeps the state here, to go on from it later in another way">Checkpoint</button>
      </header>
      <div class="body">
        {runs.length === 0 && <p class="empty">No run yet.</p>}
        {runs.length > 0 && (
          <table>
            <thead><tr><th>Run</th><th>State</th><th>Time</th><th>Drawn</th><th /></tr></thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.run}>
                  <td><button aria-pressed={run.run === active} onClick={() => { store.activeRun.value = run.run; }}>{nameOf(run)}</button></td>
                  <td>{run.state}</td>
                  <td class="number">{formatted(run.time)}</td>
                  <td><input type="checkbox" aria-label={`Draw ${nameOf(run)} over the others`} checked={run.run === active || store.overlaid.value.has(run.run)} disabled={run.run === active} onChange={(event) => overlay(run.run, event.currentTarget.checked)} /></td>
                  <td>{run.run !== active && <button class="icon" aria-label={`Forget ${nameOf(run)}`} onClick={() => drop(run.run)}>✕</button>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <h3>Checkpoints</h3>
        {store.checkpoints.value.length === 0 && <p class="empty">None. A checkpoint keeps the state of the run; from it the run branches into another future.</p>}
        {store.checkpoints.value.map((point) => (
          <div class="row" key={point.checkpoint}>
            <span>t = {formatted(point.time, 5)} {point.label}</span>
            <button class="framed" onClick={() => { void branch(point.checkpoint, `from ${formatted(point.time, 4)}`).then(() => { store.panel.value = "values"; }); }}>Branch</button>
          </div>
        ))}
        {state === "paused" && store.run.value?.parent !== null && store.run.value?.parent !== undefined && <div class="row"><button class="main" onClick={() => goOn()}>▶ Go on with the branch</button></div>}
        {runs.length > 1 && <Compare />}
        <Events />
      </div>
    </>
  );
}

const mostEvents = 200;

/** What happened, and why; a click shows the picture at that instant. */
function Events() {
  const events = store.events.value;
  if (events.length === 0) return null;
  return (
    <>
      <h3>Events</h3>
      <table>
        <tbody>
          {events.slice(0, mostEvents).map((event, i) => (
            <tr key={i}>
              <td class="number"><button onClick={() => scrub(event.time)}>{formatted(event.time, 5)}</button></td>
              <td>
                {event.causes.map((cause, n) => (
                  <div key={n}>
                    <span class="code">{cause.text}</span>
                    {cause.file !== undefined && cause.begin !== undefined && <button title="Fly to the condition" onClick={() => flyToStatement(pathFrom(cause.submodel ?? ""), cause)}>{cause.submodel === undefined || cause.submodel === "" ? "show" : cause.submodel}</button>}
                  </div>
                ))}
                {event.actions?.map((action, n) => <div key={n} class="code">→ {action.text}</div>)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {events.length > mostEvents && <p class="empty">The first {mostEvents} of {events.length}.</p>}
    </>
  );
}

function Compare() {
  const runs = store.runs.value;
  const [a, setA] = useState(runs.at(-2)!.run);
  const [b, setB] = useState(runs.at(-1)!.run);
  const [result, setResult] = useState<{ differences: Difference[]; equal: number } | undefined>(undefined);
  const choice = (value: number, set: (run: number) => void, label: string) => (
    <select aria-label={label} value={String(value)} onChange={(event) => set(Number(event.currentTarget.value))}>
      {runs.map((run) => <option key={run.run} value={String(run.run)}>{nameOf(run)}</option>)}
    </select>
  );
  const compare = (): void => {
    const [first, second] = [runs.find((r) => r.run === a), runs.find((r) => r.run === b)];
    if (first === undefined || second === undefined) return;
    const t0 = Math.max(first.start, second.start, second.from === null ? -Infinity : 0), t1 = Math.min(first.time, second.time);
    attempt(ask<{ differences: Difference[]; equal: number }>("run.compare", { a, b, t0, t1, most: 20 }).then(setResult));
  };
  return (
    <>
      <h3>Compare</h3>
      <div class="row">{choice(a, setA, "First run")} with {choice(b, setB, "Second run")}<button class="framed" onClick={compare}>Compare</button></div>
      {result !== undefined && (
        <>
          <table>
            <thead><tr><th>Variable</th><th>greatest difference</th><th>relative</th><th>at</th></tr></thead>
            <tbody>
              {result.differences.map((each) => (
                <tr key={each.path}>
                  <td>
                    <button class="code" onClick={() => { overlay(a, true); overlay(b, true); plotTogether(each.path, [each.path]); }}>{each.path}</button>
                  </td>
                  <td class="number">{formatted(each.difference)} {each.unit ?? ""}</td>
                  <td class="number">{formatted(100 * each.relative, 3)} %</td>
                  <td class="number">{formatted(each.at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="empty">{result.equal} variables are equal.</p>
        </>
      )}
    </>
  );
}
