// What the page says to the server and hears from it: opens the model, keeps pictures, diagnostics and runs in the store up to date, and
// comes back by itself when the connection was lost.

import { batch } from "@preact/signals";
import { Block, type Pictures } from "./model/block.ts";
import { fromServer, type ServerPicture } from "./model/from-server.ts";
import type { ClassPicture, Use } from "./model/picture.ts";
import type { Checked, Checkpoint, ClassEntry, FileEntry, Hello, OtherView, RunEvent, RunState, Settings } from "./protocol.ts";
import { CallFailed, type CurvesMessage, Server } from "./server.ts";
import * as store from "./store.ts";
import { token } from "./token.ts";
import { modelAt } from "./view/link.ts";

let server: Server | undefined;
const retryAfter = 1000;

type Listener = (data: Record<string, unknown>) => void;
const listeners = new Map<string, Set<Listener>>();
const curveListeners = new Set<(message: CurvesMessage) => void>();

/** Hears an event of the server until the function that it returns is called. */
export function on(event: string, listener: Listener): () => void {
  const all = listeners.get(event) ?? new Set();
  listeners.set(event, all.add(listener));
  return () => all.delete(listener);
}

export function onCurves(listener: (message: CurvesMessage) => void): () => void {
  curveListeners.add(listener);
  return () => curveListeners.delete(listener);
}

export function call<Result = Record<string, unknown>>(name: string, given: Record<string, unknown> = {}): Promise<Result> {
  if (server === undefined) return Promise.reject(new CallFailed({ code: "lost", message: "the studio is not connected" }));
  return server.call<Result>(name, given);
}

/** A call about the model that is open. */
export function ask<Result = Record<string, unknown>>(name: string, given: Record<string, unknown> = {}): Promise<Result> {
  const model = store.model.value;
  if (model === undefined) return Promise.reject(new CallFailed({ code: "no-model", message: "no model is open" }));
  return call<Result>(name, { model: model.id, ...given });
}

export function report(reason: unknown): void {
  if (reason instanceof CallFailed) {
    if (reason.reason.code !== "lost") store.notice.value = { text: reason.message, help: reason.reason.help ?? "", error: true };
  } else {
    throw reason;
  }
}

/** Does something that may be refused, and tells the reason. */
export function attempt(action: Promise<unknown>): void {
  action.catch(report);
}

export async function start(): Promise<void> {
  const secret = await token();
  if (secret === undefined) {
    store.connection.value = "refused";
    return;
  }
  try {
    server = await Server.connect({
      event: (name, data) => {
        listeners.get(name)?.forEach((listener) => listener(data));
      },
      curves: (message) => curveListeners.forEach((listener) => listener(message)),
      lost: (refused) => {
        server = undefined;
        store.connection.value = refused ? "refused" : "lost";
        if (!refused) setTimeout(() => void start(), retryAfter);
      },
    });
    const hello = await call<Hello>("hello", { protocol: 1, token: secret });
    store.hello.value = hello;
    store.connection.value = "open";
    const before = store.model.value ?? modelAt(location.hash), named = before?.file ?? hello.file ?? undefined;
    const listed = listFiles();
    if (named === undefined) await listed;
    const file = named ?? store.files.value.find((entry) => !entry.read_only)?.file;
    if (file !== undefined) await openModel(file, before?.asked);
    await listed;
  } catch (reason) {
    if (reason instanceof CallFailed && reason.reason.code === "lost") {
      if (store.connection.value === "connecting") {
        store.connection.value = "lost";
        setTimeout(() => void start(), retryAfter);
      }
    } else {
      report(reason);
    }
  }
}

async function listFiles(): Promise<void> {
  const { files } = await call<{ files: FileEntry[] }>("files.list");
  store.files.value = files;
}

/** Pictures by class: asked for once, kept until they change. */
class PictureCache implements Pictures {
  private readonly asked = new Set<string>();

  constructor(private readonly sheet: ClassPicture) {}

  get(key: string): ClassPicture | undefined {
    if (key === this.sheet.key) return this.sheet;
    const known = store.pictures.peek().get(key);
    if (known === undefined && !this.asked.has(key)) {
      this.asked.add(key);
      attempt(fetchPicture(key));
    }
    return known;
  }
}

let awaited = 0;

export function picturesAwaited(): boolean {
  return awaited > 0;
}

/** Without a key that of the model itself. */
async function fetchPicture(key?: string): Promise<ClassPicture> {
  ++awaited;
  try {
    const { picture } = await ask<{ picture: ServerPicture }>("picture", key === undefined ? {} : { key });
    const made = fromServer(picture);
    store.pictures.value = new Map(store.pictures.peek()).set(made.key, made);
    return made;
  } finally {
    --awaited;
  }
}

const sheetWidth = 300;

/** The sheet on which the model lies as one block. */
function sheetOf(picture: ClassPicture): Block {
  const height = sheetWidth * Math.min(1.2, Math.max(0.4, picture.height / picture.width));
  const use: Use = {
    kind: "submodel", name: picture.name, className: picture.name, key: picture.key, dimensions: "", conditional: false, condition: "",
    description: picture.title, text: "", arguments: [], x: 0, y: 0, w: sheetWidth, h: height, icon: [], joints: ownJoints(picture, height), span: picture.span,
  };
  const sheet: ClassPicture = {
    ...picture, key: "#sheet", width: sheetWidth, height, uses: [use], lines: [], statements: [], ports: [], tables: [], functions: [], transfer: undefined,
    textBox: undefined, breakpoints: [], displays: [],
  };
  return new Block(undefined, { ...use, name: "", key: "#sheet", joints: [] }, new PictureCache(sheet));
}

function ownJoints(picture: ClassPicture, height: number): Use["joints"] {
  return picture.ports.map(({ name, side, place }) => ({
    port: name, side,
    x: side === "left" ? 0 : side === "right" ? sheetWidth : place * sheetWidth,
    y: side === "top" ? 0 : side === "bottom" ? height : place * height,
  }));
}

export async function openModel(file: string, asked = ""): Promise<void> {
  const before = store.model.value;
  const opened = await call<{ model: string; file: string; class: string }>("model.open", { file, ...(asked === "" ? {} : { class: asked }) });
  if (before !== undefined && before.id !== opened.model) attempt(call("model.close", { model: before.id }));
  batch(() => {
    store.model.value = { id: opened.model, file: opened.file, asked, className: asked };
    store.pictures.value = new Map();
    store.checked.value = undefined;
    store.runs.value = [];
    store.activeRun.value = undefined;
    store.plots.value = [];
    store.instant.value = undefined;
    store.selected.value = undefined;
    store.lit.value = store.nothingLit;
  });
  const listed = ask<{ classes: ClassEntry[] }>("classes").then(({ classes }) => { store.classes.value = classes; });
  const picture = await fetchPicture();
  store.model.value = { id: opened.model, file: opened.file, asked, className: picture.name };
  store.sheet.value = sheetOf(picture);
  attempt(ask<Checked>("check").then((result) => { store.checked.value = result; }));
  attempt(ask<Settings>("settings").then((result) => { store.settings.value = result; }));
  attempt(listRuns());
  await listed;
}

async function listRuns(): Promise<void> {
  const { runs, active } = await ask<{ runs: RunState[]; active: number | null }>("run.list");
  store.runs.value = runs;
  store.activeRun.value = active ?? runs.at(-1)?.run;
  if (runs.length > 0) attempt(listEvents());
}

export async function listEvents(): Promise<void> {
  const run = store.run.value;
  if (run === undefined) return;
  const { events } = await ask<{ events: RunEvent[] }>("events", { run: run.run, t0: run.start, t1: run.time, limit: 1000 });
  store.events.value = events;
}

export async function listCheckpoints(): Promise<void> {
  const { checkpoints } = await ask<{ checkpoints: Checkpoint[] }>("checkpoints");
  store.checkpoints.value = checkpoints;
}

function mine(data: Record<string, unknown>): boolean {
  return data.model === store.model.value?.id;
}

/** The store follows the server. */
export function follow(): void {
  on("files.changed", () => attempt(listFiles()));
  on("views", (data) => { store.views.value = data.views as OtherView[]; });
  on("checked", (data) => {
    if (mine(data)) store.checked.value = data as unknown as Checked;
  });
  on("pictures.changed", (data) => {
    if (!mine(data)) return;
    for (const key of data.keys as string[]) {
      if (store.pictures.peek().has(key)) attempt(fetchPicture(key));
    }
  });
  on("settings", (data) => {
    if (mine(data)) store.settings.value = data as unknown as Settings;
  });
  on("run.state", (data) => {
    if (!mine(data)) return;
    const state = data as unknown as RunState;
    const known = store.runs.value.find((r) => r.run === state.run);
    batch(() => {
      store.runs.value = known === undefined ? [...store.runs.value, state] : store.runs.value.map((r) => r.run === state.run ? state : r);
      if (known === undefined || state.state === "running" || state.state === "translating") store.activeRun.value = state.run;
    });
    if (known?.events !== state.events || known?.state !== state.state) attempt(listEvents());
    if (state.state === "failed" && known?.state !== "failed" && state.diagnostics[0] !== undefined) {
      store.notice.value = { text: state.diagnostics[0].message, help: state.diagnostics[0].help ?? "", error: true };
    }
  });
  on("worker.died", (data) => {
    if (!mine(data)) return;
    const at = typeof data.checkpoint_time === "number" ? ` The run stands at its last checkpoint, ${data.checkpoint_time}.` : "";
    store.notice.value = {
      text: `The process that worked for this model ended: ${String(data.reason)}.`,
      help: data.restarted === true ? `It was started again.${at}` : "Open the model again to start it anew.",
      error: true,
    };
    attempt(listRuns());
  });
}
