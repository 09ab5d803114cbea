// Opening the panels of the dock on something.

import { signal } from "@preact/signals";
import type { Span } from "../model/picture.ts";
import * as store from "../store.ts";

/** The submodel whose quantities are listed, and the one that is meant. */
export const valuesOf = signal<{ readonly below: string; readonly name: string }>({ below: "", name: "" });

export function showValues(below: string, name = ""): void {
  valuesOf.value = { below, name };
  store.panel.value = "values";
}

export function showWhy(path: string): void {
  store.whyPath.value = path;
  store.panel.value = "why";
}

export function showText(span: Pick<Span, "file" | "begin">): void {
  store.textAt.value = { file: span.file, begin: span.begin };
  store.panel.value = "text";
}
