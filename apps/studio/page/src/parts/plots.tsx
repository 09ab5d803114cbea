// Plots of variables: they grow while the model runs, zoom by dragging, have one cursor in common, lay runs over each other, show one
// variable against another and logarithmic axes.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { against, merged, valueAt } from "../run/cells.ts";
import { changePlot, closePlot, cursorTime, follow, plotTogether, type RunCurves } from "../run/plots.ts";
import { scrub } from "../run/runs.ts";
import { ask, attempt } from "../session.ts";
import type { CurveData } from "../server.ts";
import * as store from "../store.ts";
import { formatted } from "../view/numbers.ts";
import { download } from "./download.ts";

export const curveColours = {
  light: ["#1f5fbf", "#b0503c", "#2d7d57", "#7b5299", "#9a6a12", "#2b8a94", "#8c3b6e", "#5b6675"],
  dark: ["#7fb0ff", "#e08a76", "#79bd95", "#b48ed6", "#d6ab55", "#63bfc9", "#dd8dbd", "#aab4c2"],
};
const height = 210;
const syncKey = "cutset";

export function PlotsPanel() {
  const plots = store.plots.value;
  const [name, setName] = useState("");
  return (
    <>
      <header>
        <h2>Plots</h2>
        <span class="spacer" />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const paths = name.split(/[\s,]+/).filter((path) => path !== "");
            if (paths.length > 0) plotTogether(paths.join(", "), paths);
            setName("");
          }}
        >
          <input type="text" aria-label="Variables to plot" placeholder="variables to plot" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </form>
      </header>
      <div class="body">
        {plots.length === 0 && <p class="empty">Point at a connection, an interface or a variable of the picture: its curves appear here. Or write the name of a variable above.</p>}
        {store.run.value === undefined && plots.length > 0 && <p class="empty">There is no run yet: press Simulate.</p>}
        {plots.map((plot) => <PlotView key={plot.id} plot={plot} />)}
      </div>
    </>
  );
}

interface Shown {
  readonly label: string;
  readonly colour: string;
  readonly dashed: boolean;
  readonly curve: CurveData;
}

function PlotView({ plot }: { plot: store.Plot }) {
  const [curves, setCurves] = useState<ReadonlyMap<number, RunCurves>>(new Map());
  const [range, setRange] = useState<readonly [number, number] | undefined>(undefined);
  const run = store.activeRun.value;
  const runs = useMemo(() => run === undefined ? [] : [run, ...[...store.overlaid.value].filter((other) => other !== run)], [run, store.overlaid.value]);
  const pixels = Math.min(2000, Math.max(300, Math.round(store.dockWidth.value * devicePixelRatio)));
  useEffect(() => {
    setCurves(new Map());
    return follow(plot, runs, pixels, range?.[0] ?? null, range?.[1] ?? null, (known) => setCurves(new Map(known)));
  }, [plot.id, plot.paths.join("\n"), plot.against, runs.join(" "), Math.round(pixels / 200), range?.[0], range?.[1]]);

  const shown = shownCurves(plot, runs, curves);
  const errors = [...curves.values()].flatMap((each) => each.curves).filter((curve) => curve.error !== undefined);
  const one = plot.paths[0]!;
  return (
    <section class="plot" aria-label={`Plot of ${plot.title}`}>
      <header>
        <h2 title={plot.paths.join(", ")}>{plot.title}</h2>
        <button aria-pressed={plot.logarithmic} title="Logarithmic vertical axis" onClick={() => changePlot(plot.id, { logarithmic: !plot.logarithmic })}>log</button>
        {plot.against === "" && <button aria-pressed={plot.logTime} title="Logarithmic axis of time: from the first step on" onClick={() => changePlot(plot.id, { logTime: !plot.logTime })}>log t</button>}
        <select
          aria-label="Horizontal axis" title="Horizontal axis" value={plot.against}
          onChange={(event) => changePlot(plot.id, { against: event.currentTarget.value })}
        >
          <option value="">over time</option>
          {plot.paths.map((path) => <option key={path} value={path}>over {path}</option>)}
        </select>
        {range !== undefined && <button onClick={() => setRange(undefined)} title="The whole run">⤢</button>}
        <select aria-label="Save" title="Save" value="" disabled={run === undefined} onChange={(event) => { save(event.currentTarget.value, plot, run, range); event.currentTarget.value = ""; }}>
          <option value="">⇩</option>
          {["svg", "pdf", "png", "csv"].map((format) => <option key={format} value={format}>{format.toUpperCase()}</option>)}
        </select>
        <button class="icon" aria-label={`Close the plot of ${one}`} onClick={() => closePlot(plot.id)}>✕</button>
      </header>
      {shown.length > 0 && <Chart plot={plot} shown={shown} onRange={setRange} />}
      <Legend shown={shown} timed={plot.against === ""} />
      {errors.map((curve) => <p key={curve.path} class="empty" style={{ padding: "0 11px" }}>{curve.path}: {curve.error}</p>)}
    </section>
  );
}

function save(format: string, plot: store.Plot, run: number | undefined, range: readonly [number, number] | undefined): void {
  if (format === "") return;
  const shown = store.runs.value.find((each) => each.run === run);
  attempt(ask<{ name: string; type: string; base64: string }>("hardcopy", { what: "curves", format, run, paths: plot.paths, t0: range?.[0] ?? shown?.start, t1: range?.[1] ?? shown?.time }).then(download));
}

function shownCurves(plot: store.Plot, runs: readonly number[], curves: ReadonlyMap<number, RunCurves>): Shown[] {
  const colours = store.darkTheme.value ? curveColours.dark : curveColours.light;
  return runs.flatMap((run, r) => {
    const known = curves.get(run);
    if (known === undefined) return [];
    const label = store.runs.value.find((each) => each.run === run)?.label;
    return plot.paths.filter((path) => path !== plot.against).flatMap((path, i): Shown[] => {
      const curve = known.curves.find((each) => each.path === path && each.error === undefined);
      if (curve === undefined || curve.times.length === 0) return [];
      return [{ label: runs.length === 1 ? path : `${path}  ${label === undefined || label === "" ? `run ${run}` : label}`, colour: colours[i % colours.length]!, dashed: r > 0, curve }];
    });
  });
}

function Legend({ shown, timed }: { shown: readonly Shown[]; timed: boolean }) {
  const time = timed ? cursorTime.value : undefined;
  return (
    <div class="legend">
      {shown.map(({ label, colour, dashed, curve }) => {
        const value = time === undefined ? curve.values.at(-1) : valueAt(curve, time);
        return (
          <span key={label}>
            <i class={`line ${dashed ? "dashed" : ""}`} style={{ borderColor: colour }} />
            {label} {value === undefined ? "" : formatted(value, 5)} {curve.unit}
          </span>
        );
      })}
    </div>
  );
}

function Chart({ plot, shown, onRange }: { plot: store.Plot; shown: readonly Shown[]; onRange: (range: readonly [number, number]) => void }) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const dark = store.darkTheme.value;
  const phase = plot.against !== "";
  const key = [plot.logarithmic, plot.logTime, plot.against, dark, ...shown.map((each) => `${each.label}${each.colour}${each.curve.held}`)].join("|");
  const data = phase ? undefined : afterZero(merged(shown.map((each) => each.curve)), plot.logTime) as uPlot.AlignedData;

  useEffect(() => {
    if (phase) return;
    const element = host.current!;
    const made = new uPlot(options(plot, shown, element.clientWidth, dark, onRange), data!, element);
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [key]);
  useEffect(() => {
    if (data !== undefined) chart.current?.setData(data);
  });
  return phase ? <Phase plot={plot} shown={shown} /> : <div ref={host} />;
}

/** A logarithmic axis of time has no room for the beginning at 0. */
function afterZero<Column extends (number | null | undefined)[] | Float64Array>(data: readonly Column[], logarithmic: boolean): readonly (Column | (number | null | undefined)[])[] {
  if (!logarithmic) return data;
  const times: readonly (number | null | undefined)[] = [...data[0]!];
  const first = times.findIndex((time) => typeof time === "number" && time > 0);
  return data.map((column) => first < 0 ? [] : [...column].slice(first));
}

function options(plot: store.Plot, shown: readonly Shown[], width: number, dark: boolean, onRange: (range: readonly [number, number]) => void): uPlot.Options {
  const grid = { stroke: dark ? "#2b323c" : "#e8e8e4", width: 1 };
  const ink = dark ? "#b9c2ce" : "#48525f";
  const axis = { stroke: ink, grid, ticks: { ...grid, size: 4 }, font: "11px Inter, system-ui, 'DejaVu Sans', sans-serif" };
  const numbers = (_: uPlot, values: (number | null)[]): string[] => values.map((value) => value === null ? "" : formatted(value, 6));
  return {
    width, height,
    scales: { x: { time: false, distr: plot.logTime ? 3 : 1 }, y: { distr: plot.logarithmic ? 3 : 1 } },
    axes: [{ ...axis, values: numbers, size: 28 }, { ...axis, values: numbers, size: 62 }],
    legend: { show: false },
    cursor: { sync: { key: syncKey }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
    series: [{}, ...shown.map(({ label, colour, dashed, curve }): uPlot.Series => ({
      label, stroke: colour, width: 1.5, points: { show: false }, ...(dashed ? { dash: [6, 4] } : {}),
      ...(curve.held ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {}),
    }))],
    hooks: {
      setCursor: [(u) => { cursorTime.value = u.cursor.left === undefined || u.cursor.left! < 0 ? undefined : u.posToVal(u.cursor.left!, "x"); }],
      setSelect: [(u) => {
        if (u.select.width > 4) onRange([u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")]);
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }],
      // A click shows the picture at that instant.
      ready: [(u) => { u.over.addEventListener("dblclick", () => { if (u.cursor.left !== undefined && u.cursor.left! >= 0) scrub(u.posToVal(u.cursor.left!, "x")); }); }],
    },
  };
}

/** One variable over another. */
function Phase({ plot, shown }: { plot: store.Plot; shown: readonly Shown[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = store.darkTheme.value;
  const abscissa = usePhaseAbscissa(plot);
  useEffect(() => {
    const element = canvas.current!;
    const width = element.clientWidth;
    element.width = width * devicePixelRatio;
    element.height = height * devicePixelRatio;
    const context = element.getContext("2d")!;
    context.scale(devicePixelRatio, devicePixelRatio);
    context.clearRect(0, 0, width, height);
    if (abscissa === undefined) return;
    const sets = shown.map((each) => ({ ...each, ...against(each.curve, abscissa) }));
    const bounds = (values: number[]): [number, number] => {
      const finite = values.filter(Number.isFinite);
      const low = Math.min(...finite), high = Math.max(...finite), more = (high - low || Math.abs(high) || 1) * 0.06;
      return [low - more, high + more];
    };
    const [x0, x1] = bounds(sets.flatMap((set) => set.x)), [y0, y1] = bounds(sets.flatMap((set) => set.y));
    const left = 62, bottom = 28, right = 10, top = 8;
    const px = (x: number): number => left + (x - x0) / (x1 - x0) * (width - left - right), py = (y: number): number => height - bottom - (y - y0) / (y1 - y0) * (height - bottom - top);
    context.strokeStyle = dark ? "#4a525e" : "#c6cad1";
    context.strokeRect(left, top, width - left - right, height - top - bottom);
    context.fillStyle = dark ? "#b9c2ce" : "#48525f";
    context.font = "11px Inter, system-ui, 'DejaVu Sans', sans-serif";
    context.textAlign = "center";
    for (const value of [x0 + (x1 - x0) * 0.06, (x0 + x1) / 2, x1 - (x1 - x0) * 0.06]) context.fillText(formatted(value, 4), px(value), height - 9);
    context.textAlign = "right";
    for (const value of [y0 + (y1 - y0) * 0.06, (y0 + y1) / 2, y1 - (y1 - y0) * 0.06]) context.fillText(formatted(value, 4), left - 6, py(value) + 4);
    for (const { x, y, colour, dashed } of sets) {
      context.strokeStyle = colour;
      context.lineWidth = 1.5;
      context.setLineDash(dashed ? [6, 4] : []);
      context.beginPath();
      x.forEach((value, i) => context.lineTo(px(value), py(y[i]!)));
      context.stroke();
      context.setLineDash([]);
      context.beginPath();
      if (x.length > 0) context.arc(px(x.at(-1)!), py(y.at(-1)!), 3, 0, 7);
      context.fillStyle = colour;
      context.fill();
    }
  });
  return <canvas ref={canvas} style={{ width: "100%", height: `${height}px` }} role="img" aria-label={`${plot.title} over ${plot.against}`} />;
}

function usePhaseAbscissa(plot: store.Plot): CurveData | undefined {
  const [curve, setCurve] = useState<CurveData | undefined>(undefined);
  const run = store.activeRun.value, time = store.run.value?.time;
  useEffect(() => {
    if (run === undefined) return;
    attempt(ask<{ curves: CurveData[] }>("curves", { run, paths: [plot.against], t0: null, t1: null, pixels: 1000 }).then(({ curves }) => setCurve(curves[0])));
  }, [run, plot.against, time === undefined ? 0 : Math.round(time * 1e3)]);
  return curve;
}
