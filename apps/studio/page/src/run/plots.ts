// Plots: which there are, and their curves as they come. Each plot subscribes to what it shows; the server sends the curve again while the
// run grows, never more points than the plot has pixels.

import { signal } from "@preact/signals";
import { ask, attempt, onCurves } from "../session.ts";
import type { CurveData } from "../server.ts";
import * as store from "../store.ts";

let lastPlot = 0;

/** A plot of these variables; one that shows the same comes to the front instead. */
export function plotTogether(title: string, paths: readonly string[]): void {
  const same = store.plots.value.find((plot) => plot.paths.join("\n") === paths.join("\n") && plot.against === "");
  const plot = same ?? { id: ++lastPlot, title, paths, against: "", logarithmic: false, logTime: false };
  store.plots.value = [plot, ...store.plots.value.filter((each) => each !== same)];
  store.panel.value = "plots";
}

export function changePlot(id: number, change: Partial<store.Plot>): void {
  store.plots.value = store.plots.value.map((plot) => plot.id === id ? { ...plot, ...change } : plot);
}

export function closePlot(id: number): void {
  store.plots.value = store.plots.value.filter((plot) => plot.id !== id);
}

export interface RunCurves {
  readonly run: number;
  readonly curves: readonly CurveData[];
  readonly end: number;
}

/** Subscribes to the curves of a plot for some runs, until the function that it returns is called. */
export function follow(plot: store.Plot, runs: readonly number[], pixels: number, t0: number | null, t1: number | null, show: (curves: ReadonlyMap<number, RunCurves>) => void): () => void {
  const known = new Map<number, RunCurves>();
  const paths = plot.against === "" ? plot.paths : [...plot.paths, plot.against];
  const names = new Map(runs.map((run) => [`plot${plot.id}-${run}`, run]));
  const silence = onCurves((message) => {
    const run = message.name === undefined ? undefined : names.get(message.name);
    if (run === undefined) return;
    known.set(run, { run, curves: message.curves, end: message.end });
    show(known);
  });
  for (const [name, run] of names) attempt(ask("curves.subscribe", { name, run, paths, t0, t1, pixels }));
  return () => {
    silence();
    for (const name of names.keys()) ask("curves.unsubscribe", { name }).catch(() => undefined);
  };
}

/** The instant at which all plots have their cursor. */
export const cursorTime = signal<number | undefined>(undefined);
