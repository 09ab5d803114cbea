// Running: what the buttons, keys and menus of the run do.

import { ask, attempt, listCheckpoints, on, report } from "../session.ts";
import * as store from "../store.ts";

export function startRun(label = ""): void {
  store.instant.value = undefined;
  store.notice.value = undefined;
  automatic = undefined;
  began = performance.now();
  attempt(ask<{ run: number }>("run.start", label === "" ? {} : { label }).then(({ run }) => { store.activeRun.value = run; }));
}

/** Runs that a changed value started: of these only the last is kept. */
let automatic: number | undefined;
let began = 0, took = Infinity, again: ReturnType<typeof setTimeout> | undefined;
/** A run that takes longer is not started by itself. */
const mostForAgain = 1500;

/** A value was changed: a run that had ended is made anew, and the one before stays beside it to be compared. */
export function runAgain(): void {
  const state = store.run.value?.state;
  clearTimeout(again);
  if (!store.rerun.value || took > mostForAgain || state === "paused") return;
  if (state === "running" || state === "translating") {
    // It takes the value up itself, unless it was started by one.
    if (automatic === store.activeRun.value) again = setTimeout(runAgain, 20);
    return;
  }
  if (state === undefined) return;
  const before = store.run.value!.run, replaced = automatic;
  automatic = undefined;
  began = performance.now();
  attempt(ask<{ run: number }>("run.start", { label: "changed" }).then(({ run }) => {
    automatic = run;
    store.activeRun.value = run;
    if (replaced !== undefined && replaced !== run) drop(replaced);
    else overlay(before, true);
  }));
}

/** How long runs take, from the button to the end. */
export function followDuration(): void {
  on("run.state", (data) => {
    if (data.state === "finished" && began > 0) {
      took = performance.now() - began;
      began = 0;
    }
  });
  on("values.set", (data) => {
    if (data.by === store.hello.value?.connection) runAgain();
  });
}

export function pause(): void {
  attempt(ask("run.pause"));
}

export function goOn(more: { readonly until?: number; readonly event?: true } = {}): void {
  store.instant.value = undefined;
  attempt(ask("run.go_on", { ...more }));
}

export function stop(): void {
  attempt(ask("run.stop"));
}

/** The one button: starts, pauses, goes on. */
export function pauseOrGoOn(): void {
  const state = store.run.value?.state;
  if (state === "running" || state === "translating") pause();
  else if (state === "paused") goOn();
  else startRun();
}

export function setPace(pace: number | null): void {
  attempt(ask("run.pace", { pace }));
}

export function checkpoint(): void {
  attempt(ask("checkpoint").then(listCheckpoints));
}

export async function branch(from: number, label: string): Promise<void> {
  try {
    const before = store.run.value?.run;
    const { run } = await ask<{ run: number }>("run.branch", { checkpoint: from, label, go: false });
    store.activeRun.value = run;
    if (before !== undefined) store.overlaid.value = new Set([...store.overlaid.value, before]);
  } catch (reason) {
    report(reason);
  }
}

export function drop(run: number): void {
  attempt(ask("run.drop", { run }).then(() => {
    store.runs.value = store.runs.value.filter((each) => each.run !== run);
    const overlaid = new Set(store.overlaid.value);
    overlaid.delete(run);
    store.overlaid.value = overlaid;
    if (store.activeRun.value === run) store.activeRun.value = store.runs.value.at(-1)?.run;
  }));
}

export function overlay(run: number, shown: boolean): void {
  const overlaid = new Set(store.overlaid.value);
  if (shown) overlaid.add(run);
  else overlaid.delete(run);
  store.overlaid.value = overlaid;
}

export function setStop(stop: number): void {
  attempt(ask("settings.set", { stop }));
}

/** Shows the picture as it was at an instant of the run. */
export function scrub(time: number, side: "before" | "after" = "after"): void {
  store.instant.value = { time, side };
}
