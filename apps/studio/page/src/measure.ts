// What `./bench studio` asks the page to measure: from a call to what a person would see of it.

import { ask, call, on, onCurves } from "./session.ts";
import * as store from "./store.ts";

/** Resolves at the next event of that name that says yes. */
function next(event: string, wanted: (data: Record<string, unknown>) => boolean = () => true): Promise<number> {
  return new Promise((resolve) => {
    const silence = on(event, (data) => {
      if (!wanted(data)) return;
      silence();
      resolve(performance.now());
    });
  });
}

/** Resolves when the picture that is kept of the file's classes is another one. */
function nextPicture(): Promise<number> {
  return new Promise((resolve) => {
    const before = store.pictures.peek();
    const silence = store.pictures.subscribe((now) => {
      if (now === before) return;
      queueMicrotask(() => silence());
      resolve(performance.now());
    });
  });
}

/** Puts a value behind a word of the text: milliseconds to the changed picture and to the diagnostics. */
export async function measureEdit(file: string, word: string, value: string): Promise<{ picture: number; check: number }> {
  const { text, version } = await call<{ text: string; version: number }>("text.open", { file });
  const begin = text.indexOf(word) + word.length, end = begin + /^[\w.]+/.exec(text.slice(begin))![0].length;
  const started = performance.now();
  const seen = nextPicture(), checked = next("checked");
  await call("text.edit", { file, version, edits: [{ begin, end, text: value }], label: "measured" });
  return { picture: await seen - started, check: await checked - started };
}

function nextCurve(name: string, longEnough: (end: number) => boolean): Promise<number> {
  return new Promise((resolve) => {
    const silence = onCurves((message) => {
      if (message.name !== name || !longEnough(message.end)) return;
      silence();
      resolve(performance.now());
    });
  });
}

/** Starts a run: milliseconds to the first points of a curve of it. */
export async function measureRun(path: string): Promise<number> {
  const started = performance.now();
  const { run } = await ask<{ run: number }>("run.start");
  const seen = nextCurve("measured", () => true);
  await ask("curves.subscribe", { name: "measured", run, paths: [path], t0: null, t1: null, pixels: 600 });
  const took = await seen - started;
  await ask("curves.unsubscribe", { name: "measured" });
  await ended(run);
  return took;
}

async function ended(run: number): Promise<void> {
  const state = store.runs.peek().find((each) => each.run === run)?.state;
  if (state === "finished") return;
  await next("run.state", (data) => data.run === run && data.state === "finished");
}

/** Sets a parameter of a run that has ended: milliseconds to the whole curve of the run that is made anew. */
export async function measureSlider(parameter: string, value: number, path: string): Promise<number> {
  const before = store.run.peek(), stop = before?.stop ?? 0;
  const started = performance.now();
  const seen = new Promise<number>((resolve) => {
    const silence = onCurves((message) => {
      if (message.name !== "measured" || message.run === before?.run || message.end < stop) return;
      silence();
      resolve(performance.now());
    });
  });
  await ask("curves.subscribe", { name: "measured", run: null, paths: [path], t0: null, t1: null, pixels: 600 });
  await ask("set", { parameters: { [parameter]: value } });
  const took = await seen - started;
  await ask("curves.unsubscribe", { name: "measured" });
  return took;
}

export async function measureCurves(paths: readonly string[], t0: number, t1: number): Promise<number> {
  const started = performance.now();
  await ask("curves", { run: store.activeRun.peek(), paths, t0, t1, pixels: 1600 });
  return performance.now() - started;
}

export { ask };
