// The run at the foot of the page: start, pause, go on, stop; the axis of time with progress, events and checkpoints, in which one scrubs.

import { useEffect, useRef } from "preact/hooks";
import type { RunPhase } from "../protocol.ts";
import { goOn, pause, pauseOrGoOn, scrub, setPace, setStop, startRun, stop } from "../run/runs.ts";
import * as store from "../store.ts";
import { clamp } from "../view/geometry.ts";
import { formatted, marks } from "../view/numbers.ts";

const words: Record<RunPhase, string> = {
  translating: "translating", running: "running", paused: "paused", finished: "finished", terminated: "terminated", stopped: "stopped", failed: "failed",
};

export function RunBar() {
  const run = store.run.value, settings = store.settings.value;
  const state = run?.state;
  const active = state === "running" || state === "translating";
  const ready = store.model.value !== undefined && store.connection.value === "open";
  const shown = store.instant.value?.time ?? run?.time ?? settings?.start ?? 0;
  return (
    <footer class="run" aria-label="Run">
      {active
        ? <button class="main" onClick={pause} title="Pause  (Space)">❙❙ Pause</button>
        : <button class="main" disabled={!ready} onClick={pauseOrGoOn} title="Space">{state === "paused" ? "▶ Go on" : "▶ Simulate"}</button>}
      {state === "paused" && <button onClick={() => goOn({ event: true })} title="Go on to the next event">▶❙ Event</button>}
      {(active || state === "paused") && <button onClick={stop}>■ Stop</button>}
      {state === "paused" && <button onClick={() => startRun()} title="A new run from the start">↺ Anew</button>}
      <span class="state" role="status">{state === undefined ? "" : words[state]}</span>
      <TimeAxis />
      {store.instant.value !== undefined && <SideChoice />}
      <span class="clock" aria-label="Time">t = {formatted(shown, 6)}</span>
      {store.instant.value !== undefined && <button onClick={() => { store.instant.value = undefined; }} title="Back to where the run stands">✕ now</button>}
      <label>
        pace
        <select aria-label="Pace" value={String(run?.pace ?? "")} onChange={(event) => setPace(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
          <option value="">as fast as it goes</option>
          {[0.1, 1, 10, 100, 1000].map((pace) => <option key={pace} value={String(pace)}>{pace}× real time</option>)}
        </select>
      </label>
      <label>
        until
        <input
          class="time" type="number" aria-label="Until" value={settings?.stop ?? ""} step="any"
          onChange={(event) => { if (event.currentTarget.value !== "") setStop(Number(event.currentTarget.value)); }}
        />
      </label>
    </footer>
  );
}

/** At an event a variable has two values. */
function SideChoice() {
  const instant = store.instant.value;
  if (instant === undefined || !store.events.value.some((event) => Math.abs(event.time - instant.time) < 1e-9 * Math.max(1, Math.abs(instant.time)))) return null;
  const other = instant.side === "after" ? "before" : "after";
  return <button class="framed" onClick={() => scrub(instant.time, other)} title="A variable may have two values at an event">{instant.side} the event</button>;
}

/** Pixels within which a pointer means an event. */
const snap = 5;

function TimeAxis() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const run = store.run.value, settings = store.settings.value;
  const begin = run?.start ?? settings?.start ?? 0, end = Math.max(run?.stop ?? settings?.stop ?? 1, run?.time ?? 0, begin + 1e-9);
  const events = store.events.value, points = store.checkpoints.value, instant = store.instant.value;
  void store.darkTheme.value;
  void store.panel.value;
  useEffect(() => {
    const element = canvas.current!;
    const paint = (): void => {
      const width = element.clientWidth, height = element.clientHeight;
      element.width = width * devicePixelRatio;
      element.height = height * devicePixelRatio;
      const context = element.getContext("2d")!;
      context.scale(devicePixelRatio, devicePixelRatio);
      const style = getComputedStyle(document.documentElement);
      const colour = (name: string): string => style.getPropertyValue(name);
      const x = (time: number): number => (time - begin) / (end - begin) * (width - 2) + 1;
      context.fillStyle = colour("--sunk");
      context.fillRect(0, 6, width, 12);
      if (run !== undefined) {
        context.fillStyle = colour("--accent");
        context.globalAlpha = 0.35;
        context.fillRect(0, 6, x(run.time), 12);
        context.globalAlpha = 1;
      }
      context.fillStyle = colour("--warning");
      for (const event of events) context.fillRect(x(event.time) - 0.5, 4, 1.5, 16);
      context.fillStyle = colour("--outline");
      for (const point of points.filter((p) => p.run === run?.run)) {
        context.beginPath();
        context.moveTo(x(point.time), 6);
        context.lineTo(x(point.time) - 4, 0);
        context.lineTo(x(point.time) + 4, 0);
        context.fill();
      }
      context.fillStyle = colour("--faint");
      context.font = `10px ${style.getPropertyValue("--label")}`;
      context.textBaseline = "top";
      const places = marks(begin, end, width / 90);
      places.forEach((time) => {
        const at = x(time);
        context.fillRect(at, 18, 1, 4);
        context.textAlign = at < 12 ? "left" : at > width - 20 ? "right" : "center";
        context.fillText(formatted(time, 5), at, 23);
      });
      const now = instant?.time ?? run?.time;
      if (now !== undefined) {
        context.fillStyle = colour("--accent");
        context.fillRect(x(now) - 1, 2, 2, 20);
      }
    };
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    return () => observer.disconnect();
  });
  const point = (event: PointerEvent): void => {
    if (event.buttons === 0 || run === undefined) return;
    const box = canvas.current!.getBoundingClientRect();
    const at = clamp(event.clientX - box.left, 0, box.width);
    const time = begin + at / box.width * (end - begin);
    const near = events.find((each) => Math.abs((each.time - begin) / (end - begin) * box.width - at) < snap);
    scrub(clamp(near?.time ?? time, begin, run.time));
  };
  const press = (event: KeyboardEvent): void => {
    if (run === undefined) return;
    const now = instant?.time ?? run.time, step = (run.time - begin) / (event.shiftKey ? 20 : 200);
    if (event.key === "ArrowLeft") scrub(clamp(now - step, begin, run.time));
    else if (event.key === "ArrowRight") scrub(clamp(now + step, begin, run.time));
    else if (event.key === "Home") scrub(begin);
    else if (event.key === "End") scrub(run.time);
    else if (event.key === "PageUp") scrub(events.filter((each) => each.time < now - 1e-9).at(-1)?.time ?? begin);
    else if (event.key === "PageDown") scrub(events.find((each) => each.time > now + 1e-9)?.time ?? run.time);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const near = instant === undefined ? undefined : events.find((each) => Math.abs(each.time - instant.time) < 1e-9 * Math.max(1, Math.abs(each.time)));
  return (
    <canvas
      ref={canvas} class="axis" tabIndex={0} role="slider" aria-label="Time shown" aria-valuemin={begin} aria-valuemax={run?.time ?? end} aria-valuenow={instant?.time ?? run?.time ?? begin}
      title={near === undefined ? "Drag: the picture shows this instant" : near.causes.map((cause) => cause.text).join("\n")}
      onPointerDown={(event) => { canvas.current!.setPointerCapture(event.pointerId); point(event); }} onPointerMove={point} onKeyDown={press}
    />
  );
}
