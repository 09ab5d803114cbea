// The page of the studio.

import { effect } from "@preact/signals";
import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./studio.css";
import { App } from "./parts/app.tsx";
import * as measured from "./measure.ts";
import { followDuration } from "./run/runs.ts";
import { follow, start } from "./session.ts";
import * as store from "./store.ts";
import { resting, selectedObject, theViewport } from "./view-actions.ts";

function followSystem(): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => { store.systemDark.value = event.matches; });
  matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", (event) => { store.reducedMotion.value = event.matches; });
  effect(() => { document.documentElement.dataset.theme = store.darkTheme.value ? "dark" : "light"; });
  effect(() => {
    const model = store.model.value;
    document.title = model === undefined ? "Cutset Studio" : `${model.className} – Cutset Studio`;
  });
}

/** For measuring and tests: what the last frames cost, and whether the picture stands still. */
Object.assign(window, { studio: { ...measured, frames: () => theViewport()?.frames ?? [], resting, selected: () => [selectedObject.value?.part, selectedObject.value?.name].join(" ") } });

followSystem();
follow();
followDuration();
render(<App />, document.getElementById("studio")!);
void start();
