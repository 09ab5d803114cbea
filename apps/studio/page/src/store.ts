// The one store of the page: what is known and shown, as signals. The document itself is the text on the server; this is a reading of it,
// and what the person looks at. Nothing here acts: actions are in `session.ts`, `run/` and `view-actions.ts`.

import { computed, signal } from "@preact/signals";
import type { Block } from "./model/block.ts";
import type { ClassPicture } from "./model/picture.ts";
import type { Lit } from "./view/scene.ts";
import type { Checked, Checkpoint, ClassEntry, FileEntry, Hello, OtherView, RunEvent, RunState, Settings } from "./protocol.ts";

export type Panel = "plots" | "values" | "problems" | "why" | "structure" | "analysis" | "text" | "console" | "runs" | "help";

/** "refused": the link of another start of the studio. */
export const connection = signal<"connecting" | "open" | "lost" | "refused">("connecting");
export const hello = signal<Hello | undefined>(undefined);
export const files = signal<readonly FileEntry[]>([]);
/** Those of the opened file and of what it uses. */
export const classes = signal<readonly ClassEntry[]>([]);

/** The opened model: the worker's name for it, its file, the class that was asked for ("": the one that stands for the file) and its name. */
export const model = signal<{ readonly id: string; readonly file: string; readonly asked: string; readonly className: string } | undefined>(undefined);
export const sheet = signal<Block | undefined>(undefined);
export const pictures = signal<ReadonlyMap<string, ClassPicture>>(new Map());
export const checked = signal<Checked | undefined>(undefined);

export const selected = signal<Block | undefined>(undefined);
export const focus = signal<Block | undefined>(undefined);
export const panel = signal<Panel | undefined>(undefined);
export const dockWidth = signal(460);
export const searching = signal(false);
/** The hint at the foot of the picture was read: the picture was moved, or the hint closed. */
export const hintSeen = signal(false);
export const notice = signal<{ readonly text: string; readonly help: string; readonly error: boolean } | undefined>(undefined);
export const views = signal<readonly OtherView[]>([]);

export const theme = signal<"system" | "light" | "dark">("system");
export const systemDark = signal(matchMedia("(prefers-color-scheme: dark)").matches);
export const darkTheme = computed(() => theme.value === "system" ? systemDark.value : theme.value === "dark");
export const reducedMotion = signal(matchMedia("(prefers-reduced-motion: reduce)").matches);

/** Blocks that are lit in the picture, by path, and equations in them; those of tearing variables stand out. */
export const nothingLit: Lit = { blocks: new Set(), equations: [] };
export const lit = signal<Lit>(nothingLit);
/** The statement that was flown to. */
export const pointed = signal<{ readonly path: string; readonly statement: number } | undefined>(undefined);

/** A changed value makes a run that has ended anew. */
export const rerun = signal(true);
export const settings = signal<Settings | undefined>(undefined);
export const runs = signal<readonly RunState[]>([]);
export const activeRun = signal<number | undefined>(undefined);
export const run = computed(() => runs.value.find((r) => r.run === activeRun.value));
export const events = signal<readonly RunEvent[]>([]);
export const checkpoints = signal<readonly Checkpoint[]>([]);
/** The instant that the picture shows; undefined: where the run stands. */
export const instant = signal<{ readonly time: number; readonly side: "before" | "after" } | undefined>(undefined);

export interface Plot {
  readonly id: number;
  readonly title: string;
  readonly paths: readonly string[];
  /** The variable of the horizontal axis; "" is time. */
  readonly against: string;
  readonly logarithmic: boolean;
  /** The axis of time is logarithmic. */
  readonly logTime: boolean;
}

export const plots = signal<readonly Plot[]>([]);
/** Runs that are drawn besides the active one. */
export const overlaid = signal<ReadonlySet<number>>(new Set());

export const whyPath = signal<string | undefined>(undefined);
export const textAt = signal<{ readonly file: string; readonly begin: number } | undefined>(undefined);
