// The results and events of the protocol that the page uses, as in docs/studio-protocol.md.

import type { Span } from "./model/picture.ts";

export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  readonly code?: string;
  readonly message: string;
  readonly file?: string;
  readonly begin?: number;
  readonly end?: number;
  readonly line?: number;
  readonly column?: number;
  readonly submodel?: string;
  readonly details?: readonly string[];
  readonly related?: readonly (Partial<Span> & { readonly message: string })[];
  readonly help?: string;
}

export interface Hello {
  readonly version: string;
  readonly protocol: number;
  readonly connection: number;
  readonly directory: string;
  readonly file: string | null;
}

/** A class that can be drawn. */
export interface ClassEntry {
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly documentation: string;
  readonly kind: string;
  readonly runnable: boolean;
  readonly main_file: boolean;
}

export interface FileEntry {
  readonly file: string;
  readonly language: string;
  readonly read_only: boolean;
  readonly unsaved: boolean;
}

export interface Checked {
  readonly class: string;
  readonly ok: boolean;
  readonly title?: string;
  readonly counts?: Readonly<Record<string, number>>;
  readonly states?: readonly string[];
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export type RunPhase = "translating" | "running" | "paused" | "finished" | "terminated" | "stopped" | "failed";

export interface RunState {
  readonly run: number;
  readonly state: RunPhase;
  readonly time: number;
  readonly start: number;
  readonly stop: number;
  readonly rows: number;
  readonly events: number;
  readonly pace?: number | null;
  readonly label: string;
  readonly parent: number | null;
  readonly from: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Settings {
  readonly start: number;
  readonly stop: number;
  readonly points: number;
  readonly tolerance: number;
  readonly solver: string;
  readonly solvers?: readonly string[];
}

export type QuantityKind = "parameter" | "structure-parameter" | "input" | "state" | "discrete" | "other";

export interface Quantity {
  readonly path: string;
  readonly kind: QuantityKind;
  readonly unit?: string;
  readonly description?: string;
  readonly value: number | null;
  readonly initial?: number | null;
  readonly expression?: string;
  readonly type?: "real" | "integer" | "boolean" | "enumeration";
  readonly literals?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly file?: string;
  readonly begin?: number;
  readonly end?: number;
}

export interface RunEvent {
  readonly time: number;
  readonly causes: readonly (EquationPlace & { readonly kind: string; readonly text: string })[];
  readonly actions?: readonly (EquationPlace & { readonly text: string })[];
}

export interface Checkpoint {
  readonly checkpoint: number;
  readonly label: string;
  readonly time: number;
  readonly run: number;
}

export interface EquationPlace extends Partial<Span> {
  readonly submodel?: string;
}

export interface WhyStep extends EquationPlace {
  readonly equation: string;
  readonly system: number;
}

export interface Why {
  readonly variable: string;
  readonly integrated?: boolean;
  readonly states?: readonly string[];
  readonly inputs?: readonly string[];
  readonly parameters?: readonly string[];
  readonly discretes?: readonly string[];
  readonly steps: readonly WhyStep[];
  readonly sentence?: string;
}

export interface Loop {
  readonly size: number;
  readonly torn: number;
  readonly linear: boolean;
  readonly method?: string;
  readonly initial?: boolean;
  readonly variables: readonly string[];
  readonly iterated: readonly { readonly variable: string; readonly why?: string }[];
  readonly assignments?: readonly (EquationPlace & { readonly variable: string; readonly equation?: string })[];
  readonly residuals?: readonly (EquationPlace & { readonly residual?: string; readonly equation?: string })[];
}

export interface IncidenceSide {
  readonly rows: number;
  readonly columns: number;
  readonly elements: readonly (readonly [number, number])[];
  readonly row_names: readonly string[];
  readonly column_names: readonly string[];
  readonly places: readonly (EquationPlace | null)[];
  readonly loops: readonly { readonly first: number; readonly size: number }[];
}

export interface OtherView {
  readonly connection: number;
  readonly view: {
    readonly model?: string;
    readonly path?: readonly string[];
    readonly x?: number;
    readonly y?: number;
    readonly width?: number;
    readonly aspect?: number;
    readonly pixels?: number;
    readonly label?: string;
  };
}
