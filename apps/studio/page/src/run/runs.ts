// Running: what the buttons, keys and menus of the run do.

import { ask, attempt, listCheckpoints, report } from "../session.ts";
import * as store from "../store.ts";

export function startRun(label = ""): void {
  store.instant.value = undefined;
  store.notice.value = undefined;
  attempt(ask<{ run: number }>("run.start", label === "" ? {} : { label }).then(({ run }) => { store.activeRun.value = run; }));
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
