// Values for the picture. Drawing asks for the values it shows; what it asked for is fetched for the instant that is shown, and the picture
// drawn again. So exactly what is in sight is asked for, however large the model is.

import { ask } from "../session.ts";
import type { CurveData } from "../server.ts";
import * as store from "../store.ts";
import type { Live } from "../view/scene.ts";

const valuesEvery = 80;
const sparksEvery = 500;
/** Of all curves in sight together, and of one. */
const sparkPixels = 4800, mostSparkPixels = 800;
const mostPaths = 5000;
const mostSparks = 60;

export class LiveValues implements Live {
  private readonly values = new Map<string, number>();
  private readonly sparks = new Map<string, readonly number[]>();
  private readonly ranges = new Map<string, readonly [number, number]>();
  private wanted = new Set<string>();
  private wantedSparks = new Set<string>();
  private readonly groups = new Map<string, { most: number; members: Set<string> }>();
  private asking = false;
  private again = false;
  /** The instant whose values are known, and of what. */
  private shown = "";
  private readonly fetched = new Set<string>();
  private shownSparks = "";
  private sparksAt = 0;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly redraw: () => void) {}

  get busy(): boolean { return this.asking || this.later !== undefined; }

  value(path: string): number | undefined {
    if (store.run.peek() === undefined) return undefined;
    this.wanted.add(path);
    return this.values.get(path);
  }

  spark(path: string): readonly number[] | undefined {
    if (store.run.peek() === undefined) return undefined;
    this.wantedSparks.add(path);
    return this.sparks.get(path);
  }

  range(path: string): readonly [number, number] | undefined {
    return this.ranges.get(path);
  }

  times(): readonly [number, number] | undefined {
    const run = store.run.peek();
    return run === undefined ? undefined : [run.start, run.time];
  }

  now(): number | undefined {
    const run = store.run.peek(), instant = store.instant.peek();
    if (run === undefined || instant === undefined || !(run.time > run.start)) return undefined;
    return (instant.time - run.start) / (run.time - run.start);
  }

  flow(path: string, group: string): number | undefined {
    const value = this.value(path);
    let known = this.groups.get(group);
    if (known === undefined) {
      known = { most: 0, members: new Set() };
      this.groups.set(group, known);
    }
    known.members.add(path);
    return value === undefined || Number.isNaN(value) || known.most === 0 ? undefined : value / known.most;
  }

  /** Another model is shown. */
  forget(): void {
    this.values.clear();
    this.sparks.clear();
    this.ranges.clear();
    this.groups.clear();
    this.shown = this.shownSparks = "";
    this.fetched.clear();
  }

  /** After each frame: fetches what it asked for, if the instant or what is in sight changed. */
  refresh(): void {
    const run = store.run.peek();
    if (run === undefined || run.state === "translating" || this.asking) {
      this.again = this.asking;
      if (!this.asking) this.wait(false);
      return;
    }
    const paths = [...this.wanted].slice(0, mostPaths);
    this.wanted = new Set();
    const instant = store.instant.peek();
    const when = `${run.run} ${instant === undefined ? run.time : `${instant.time} ${instant.side}`}`;
    const stale = when !== this.shown || paths.some((path) => !this.fetched.has(path));
    const sparks = [...this.wantedSparks].slice(0, mostSparks);
    this.wantedSparks = new Set();
    const sparkKey = `${run.run} ${run.state} ${run.time} ${sparks.join(" ")}`;
    const sparksOld = sparks.length > 0 && sparkKey !== this.shownSparks;
    const growing = run.state === "running";
    const sparksDue = sparksOld && (!growing || performance.now() - this.sparksAt > sparksEvery);
    this.wait(sparksOld && !sparksDue);
    if (paths.length === 0 || (!stale && !sparksDue)) return;
    this.asking = true;
    const tasks: Promise<void>[] = [];
    if (stale) tasks.push(this.fetchValues(run.run, paths, instant));
    if (sparksDue) {
      this.sparksAt = performance.now();
      this.shownSparks = sparkKey;
      tasks.push(this.fetchSparks(run.run, sparks));
    }
    void Promise.allSettled(tasks).then(() => {
      if (when !== this.shown) this.fetched.clear();
      this.shown = when;
      for (const path of paths) this.fetched.add(path);
      this.redraw();
      setTimeout(() => {
        this.asking = false;
        if (this.again) this.redraw();
        this.again = false;
      }, valuesEvery);
    });
  }

  /** Looks again after a while. */
  private wait(wanted: boolean): void {
    clearTimeout(this.later);
    this.later = wanted ? setTimeout(this.redraw, sparksEvery) : undefined;
  }

  private async fetchValues(run: number, paths: string[], instant: { time: number; side: string } | undefined): Promise<void> {
    const { values } = await ask<{ values: (number | null)[] }>("values", { run, paths, ...(instant === undefined ? {} : { time: instant.time, side: instant.side }) });
    paths.forEach((path, i) => this.values.set(path, values[i] ?? NaN));
    for (const group of this.groups.values()) {
      group.most = Math.max(0, ...[...group.members].map((path) => Math.abs(this.values.get(path) ?? 0)).filter(Number.isFinite));
    }
  }

  private async fetchSparks(run: number, paths: string[]): Promise<void> {
    const { curves } = await ask<{ curves: CurveData[] }>("curves", { run, paths, t0: null, t1: null, pixels: Math.min(mostSparkPixels, Math.round(sparkPixels / paths.length)) });
    for (const curve of curves) {
      const { points, range } = scaled(curve);
      this.sparks.set(curve.path, points);
      this.ranges.set(curve.path, range);
    }
  }
}

/** A curve in the unit square, and the values at its lower and its upper border. */
export function scaled({ times, values }: Pick<CurveData, "times" | "values">): { points: number[]; range: [number, number] } {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const begin = times[0] ?? 0, end = times.at(-1) ?? 1;
  const span = high - low;
  const points: number[] = [];
  times.forEach((time, i) => {
    const value = values[i]!;
    if (Number.isFinite(value)) points.push(end > begin ? (time - begin) / (end - begin) : 0, span > 0 ? (value - low) / span : 0.5);
  });
  return { points, range: [low, high] };
}
