// Curves as uPlot wants them: one column of abscissas for all series, gaps where a curve has no point.

import type { CurveData } from "../server.ts";

/** Merges curves with their own times into columns with a common one; `undefined` stands where a curve has no point (uPlot joins over it). */
export function merged(curves: readonly Pick<CurveData, "times" | "values">[]): (Float64Array | (number | null | undefined)[])[] {
  const same = curves.every((curve) => curve.times.length === curves[0]!.times.length && curve.times[0] === curves[0]!.times[0] && curve.times.at(-1) === curves[0]!.times.at(-1) && equal(curve.times, curves[0]!.times));
  if (curves.length === 0) return [[]];
  const value = (v: number): number | null => Number.isFinite(v) ? v : null;
  if (same) return [curves[0]!.times, ...curves.map((curve) => Array.from(curve.values, value))];
  // An instant that a curve has twice, before and after an event, is there twice.
  const at = curves.map(() => 0);
  const times: number[] = [];
  const columns: (number | null | undefined)[][] = curves.map(() => []);
  for (;;) {
    let next = Infinity;
    curves.forEach((curve, i) => { next = Math.min(next, curve.times[at[i]!] ?? Infinity); });
    if (next === Infinity) return [times, ...columns];
    times.push(next);
    curves.forEach((curve, i) => {
      const here = curve.times[at[i]!] === next;
      columns[i]!.push(here ? value(curve.values[at[i]!]!) : undefined);
      if (here) ++at[i]!;
    });
  }
}

function equal(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; ++i) if (a[i] !== b[i]) return false;
  return true;
}

/** The value of a curve at a time: between its points on the line, or of the point before where it holds. */
export function valueAt(curve: CurveData, time: number): number | undefined {
  const { times, values } = curve;
  if (times.length === 0 || time < times[0]! || time > times.at(-1)!) return undefined;
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  const t0 = times[low]!, t1 = times[high]!;
  if (time >= t1) return values[high];
  if (curve.held || t1 === t0) return values[low];
  return values[low]! + (values[high]! - values[low]!) * (time - t0) / (t1 - t0);
}

/** One curve over another, as points in the order of time: at the times of either. */
export function against(curve: CurveData, abscissa: CurveData): { x: number[]; y: number[] } {
  const times = [...new Set([...curve.times, ...abscissa.times])].sort((a, b) => a - b);
  const x: number[] = [], y: number[] = [];
  for (const time of times) {
    const px = valueAt(abscissa, time), py = valueAt(curve, time);
    if (px !== undefined && py !== undefined) {
      x.push(px);
      y.push(py);
    }
  }
  return { x, y };
}
