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

/** What the analyses are about: a class by itself with the values of one use of it, or the whole model; and between which variables. */
export interface AnalysisOf {
  readonly title: string;
  readonly className: string;
  readonly values: readonly string[];
}

export const analysisOf = signal<AnalysisOf | undefined>(undefined);
export const analysisInputs = signal("");
export const analysisOutputs = signal("");

export function analyse(of: AnalysisOf | undefined): void {
  if (of?.className !== analysisOf.value?.className) analysisInputs.value = analysisOutputs.value = "";
  analysisOf.value = of;
  store.panel.value = "analysis";
}

/** Puts a variable of the whole model among those of the analyses. */
export function analyseVariable(which: "input" | "output", path: string): void {
  analyse(undefined);
  const names = which === "input" ? analysisInputs : analysisOutputs;
  names.value = [...new Set([...names.value.split(",").map((name) => name.trim()).filter((name) => name !== ""), path])].join(", ");
}

export function showText(span: Pick<Span, "file" | "begin">): void {
  store.textAt.value = { file: span.file, begin: span.begin };
  store.panel.value = "text";
}
