// The dock at the right: one panel at a time, as wide as it is drawn.

import type { JSX } from "preact";
import * as store from "../store.ts";
import { clamp } from "../view/geometry.ts";
import { AnalysisPanel } from "./analysis.tsx";
import { ConsolePanel } from "./console.tsx";
import { HelpPanel } from "./help.tsx";
import { PlotsPanel } from "./plots.tsx";
import { ProblemsPanel } from "./problems.tsx";
import { RunsPanel } from "./runs-panel.tsx";
import { StructurePanel } from "./structure.tsx";
import { TextPanel } from "./text.tsx";
import { ValuesPanel } from "./values.tsx";
import { WhyPanel } from "./why.tsx";

const panels: readonly (readonly [store.Panel, string, () => JSX.Element])[] = [
  ["plots", "Plots", PlotsPanel],
  ["values", "Values", ValuesPanel],
  ["runs", "Runs", RunsPanel],
  ["problems", "Check", ProblemsPanel],
  ["why", "Why", WhyPanel],
  ["structure", "Structure", StructurePanel],
  ["analysis", "Analysis", AnalysisPanel],
  ["text", "Text", TextPanel],
  ["console", "Console", ConsolePanel],
];

export function Dock() {
  const open = store.panel.value;
  const Panel = open === "help" ? HelpPanel : panels.find(([name]) => name === open)?.[2];
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    if (event.buttons === 0) return;
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    store.dockWidth.value = clamp(innerWidth - event.clientX - 86, 280, innerWidth - 320);
  };
  return (
    <aside class="dock" aria-label="Panels">
      {Panel !== undefined && <div class="grip" onPointerDown={drag} onPointerMove={drag} aria-hidden="true" />}
      <div class="tabs" role="tablist" aria-orientation="vertical" aria-label="Panels">
        {panels.map(([name, title]) => (
          <button key={name} role="tab" aria-selected={open === name} onClick={() => { store.panel.value = open === name ? undefined : name; }}>{title}</button>
        ))}
      </div>
      {Panel !== undefined && <section class="panel" role="tabpanel" style={{ width: `min(${store.dockWidth.value}px, max(220px, 100vw - 440px))` }}><Panel /></section>}
    </aside>
  );
}
