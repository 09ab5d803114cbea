// Values for the picture. Drawing asks for the values it shows; what it asked for is fetched for the instant that is shown, and the picture
// drawn again. So exactly what is in sight is asked for, however large the model is.

import { ask } from "../session.ts";
import type { CurveData } from "../server.ts";
import * as store from "../store.ts";
import type { Live } from "../view/scene.ts";

const valuesEvery = 80;
const sparksEvery = 500;
const sparkPixels = 80;
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
  private shown = "";
  private shownSparks = "";
  private sparksAt = 0;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly redraw: () => void) {}

  get busy(): boolean { return this.asking; }

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

  forget(): void {
    this.values.clear();
    this.sparks.clear();
    this.ranges.clear();
    this.groups.clear();
    this.shown = this.shownSparks = "";
    this.redraw();
  }

  /** After each frame: fetches what it asked for, if the instant or what is in sight changed. */
  refresh(): void {
    const run = store.run.peek();
    if (run === undefined || run.state === "translating" || this.asking) {
      this.again = this.asking;
      return;
    }
    const paths = [...this.wanted].slice(0, mostPaths);
    this.wanted = new Set();
    const instant = store.instant.peek();
    const when = `${run.run} ${instant === undefined ? run.time : `${instant.time} ${instant.side}`}`;
    const key = `${when} ${paths.length} ${paths[0] ?? ""} ${paths.at(-1) ?? ""}`;
    const sparks = [...this.wantedSparks].slice(0, mostSparks);
    this.wantedSparks = new Set();
    const sparkKey = `${run.run} ${run.time} ${sparks.length} ${sparks[0] ?? ""} ${sparks.at(-1) ?? ""}`;
    const sparksOld = sparks.length > 0 && sparkKey !== this.shownSparks;
    const sparksDue = sparksOld && performance.now() - this.sparksAt > sparksEvery;
    if (sparksOld && !sparksDue) {
      clearTimeout(this.later);
      this.later = setTimeout(this.redraw, sparksEvery);
    }
    if (paths.length === 0 || (key === this.shown && !sparksDue)) return;
    this.asking = true;
    const tasks: Promise<void>[] = [];
    if (key !== this.shown) tasks.push(this.fetchValues(run.run, paths, instant));
    if (sparksDue) {
      this.sparksAt = performance.now();
      this.shownSparks = sparkKey;
      tasks.push(this.fetchSparks(run.run, sparks));
    }
    void Promise.allSettled(tasks).then(() => {
      this.shown = key;
      this.redraw();
      setTimeout(() => {
        this.asking = false;
        if (this.again) this.redraw();
        this.again = false;
      }, valuesEvery);
    });
  }

  private async fetchValues(run: number, paths: string[], instant: { time: number; side: string } | undefined): Promise<void> {
    const { values } = await ask<{ values: (number | null)[] }>("values", { run, paths, ...(instant === undefined ? {} : { time: instant.time, side: instant.side }) });
    paths.forEach((path, i) => this.values.set(path, values[i] ?? NaN));
    for (const group of this.groups.values()) {
      group.most = Math.max(0, ...[...group.members].map((path) => Math.abs(this.values.get(path) ?? 0)).filter(Number.isFinite));
    }
  }

  private async fetchSparks(run: number, paths: string[]): Promise<void> {
    const { curves } = await ask<{ curves: CurveData[] }>("curves", { run, paths, t0: null, t1: null, pixels: sparkPixels });
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
