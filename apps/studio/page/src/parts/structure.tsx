// The structure of the equations: algebraic loops, which light up in the picture, and the incidence matrix before and after sorting.

import { useEffect, useRef, useState } from "preact/hooks";
import type { EquationPlace, IncidenceSide, Loop } from "../protocol.ts";
import { ask } from "../session.ts";
import * as store from "../store.ts";
import type { Lit, LitEquation } from "../view/scene.ts";
import { blockOfVariable, flyToStatement, pathFrom } from "../view-actions.ts";

export function StructurePanel() {
  const [loops, setLoops] = useState<readonly Loop[]>([]);
  const [sides, setSides] = useState<{ before: IncidenceSide; after: IncidenceSide } | undefined>(undefined);
  const [refused, setRefused] = useState("");
  const [sorted, setSorted] = useState(true);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  useEffect(() => {
    setRefused("");
    const refuse = (reason: Error): void => setRefused(reason.message);
    ask<{ loops: Loop[] }>("loops").then((result) => setLoops(result.loops)).catch(refuse);
    ask<{ before: IncidenceSide; after: IncidenceSide }>("incidence").then(setSides).catch(refuse);
    return () => { store.lit.value = store.nothingLit; };
  }, [store.checked.value, store.model.value]);
  const light = (index: number): void => {
    const same = chosen === index;
    setChosen(same ? undefined : index);
    store.lit.value = same ? store.nothingLit : litLoop(loops[index]!);
  };
  return (
    <>
      <header><h2>Structure</h2></header>
      <div class="body">
        {refused !== "" && <p class="empty">{refused}</p>}
        <h3>Algebraic loops</h3>
        {loops.length === 0 && refused === "" && <p class="empty">None: each equation gives one variable.</p>}
        {loops.map((loop, i) => (
          <div key={i}>
            <button class="step loop" aria-pressed={chosen === i} onClick={() => light(i)} title="Light its variables in the picture">
              <span class="count">{i + 1}</span>
              <span>
                {loop.size} {loop.linear ? "linear" : "nonlinear"} {loop.size === 1 ? "equation" : "equations"}, {loop.torn} iterated{loop.initial === true ? ", at the start" : ""}
                <span class="where">iterated: {loop.iterated.map((each) => each.variable).join(", ")}</span>
              </span>
            </button>
            {chosen === i && <div class="chips">{loop.variables.map((path) => <button key={path} class={loop.iterated.some((each) => each.variable === path) ? "iterated" : ""} onClick={() => { store.whyPath.value = path; store.panel.value = "why"; }}>{path}</button>)}</div>}
          </div>
        ))}
        {sides !== undefined && (
          <>
            <h3>Incidence: which equation has which variable</h3>
            <div class="row" role="group" aria-label="Order">
              <button aria-pressed={!sorted} onClick={() => setSorted(false)}>as written</button>
              <button aria-pressed={sorted} onClick={() => setSorted(true)}>sorted</button>
            </div>
            <Incidence side={sorted ? sides.after : sides.before} />
          </>
        )}
      </div>
    </>
  );
}

/** Its blocks and equations; the residuals are what is iterated for. */
function litLoop(loop: Loop): Lit {
  const equation = (iterated: boolean) => (each: EquationPlace): LitEquation[] =>
    each.file === undefined || each.begin === undefined ? [] : [{ path: each.submodel ?? "", file: each.file, begin: each.begin, iterated }];
  return {
    blocks: new Set(loop.variables.map(blockOfVariable).filter((path) => path !== "")),
    equations: [...(loop.assignments ?? []).flatMap(equation(false)), ...(loop.residuals ?? []).flatMap(equation(true))],
  };
}

function Incidence({ side }: { side: IncidenceSide }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [at, setAt] = useState<{ row: number; column: number } | undefined>(undefined);
  const dark = store.darkTheme.value;
  const width = store.dockWidth.value - 26;
  const size = Math.min(14, Math.max(0.75, width / Math.max(1, side.columns)));
  const height = Math.max(20, side.rows * size);
  useEffect(() => {
    const element = canvas.current!;
    element.width = width * devicePixelRatio;
    element.height = height * devicePixelRatio;
    const context = element.getContext("2d")!;
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fillStyle = dark ? "#14171c" : "#ffffff";
    context.fillRect(0, 0, width, height);
    context.strokeStyle = dark ? "#b794f0" : "#8b5cc7";
    context.lineWidth = 1;
    for (const loop of side.loops) context.strokeRect(loop.first * size + 0.5, loop.first * size + 0.5, loop.size * size, loop.size * size);
    context.fillStyle = dark ? "#7fb0ff" : "#1f5fbf";
    const dot = Math.max(1, size * 0.8);
    for (const [row, column] of side.elements) context.fillRect(column * size + (size - dot) / 2, row * size + (size - dot) / 2, dot, dot);
  }, [side, dark, width]);
  const place = (event: MouseEvent): { row: number; column: number } => {
    const box = canvas.current!.getBoundingClientRect();
    return { row: Math.floor((event.clientY - box.top) / size), column: Math.floor((event.clientX - box.left) / size) };
  };
  const go = (event: MouseEvent): void => {
    const found = side.places[place(event).row];
    if (found?.file !== undefined && found.begin !== undefined) flyToStatement(pathFrom(found.submodel ?? ""), { file: found.file, begin: found.begin });
  };
  return (
    <>
      <canvas
        ref={canvas} class="incidence" style={{ height: `${height}px`, width: `${width}px` }} role="img"
        aria-label={`Incidence of ${side.rows} equations and ${side.columns} variables`} onMouseMove={(event) => setAt(place(event))} onMouseLeave={() => setAt(undefined)} onClick={go}
      />
      <p class="code">{at === undefined ? " " : `${side.row_names[at.row] ?? ""}   ×   ${side.column_names[at.column] ?? ""}`}</p>
    </>
  );
}
