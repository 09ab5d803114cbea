// What a person does with the view, whatever way he says it: by mouse, key, menu, search or link.

import { effect, signal } from "@preact/signals";
import type { Block } from "./model/block.ts";
import type { Span } from "./model/picture.ts";
import { LiveValues } from "./run/live.ts";
import { call, picturesAwaited } from "./session.ts";
import * as store from "./store.ts";
import { type Camera, commonAncestor, rerooted, showing, toAncestor } from "./view/camera.ts";
import type { Drawn } from "./view/display-list.ts";
import type { Point, Size } from "./view/geometry.ts";
import { focusOf, hit, outwards, quickZoom, showingBlock, showingPort } from "./view/hit.ts";
import { History } from "./view/history.ts";
import { addressOf, cameraOf, fromHash, linkOf, modelAt, toHash, type ViewLink } from "./view/link.ts";
import { problemsByBlock } from "./view/problems.ts";
import { type Marked, pathOf, type Scene } from "./view/scene.ts";
import { dark, light } from "./view/theme.ts";
import { Viewport } from "./view/viewport.ts";
import { findPort, membersOf } from "./view/walk-lines.ts";
import { toPdf } from "./view/to-pdf.ts";
import { toSvg } from "./view/to-svg.ts";
import { textOf } from "./view/walk-text.ts";

let viewport: Viewport | undefined;
let hovered: Scene["hovered"];
const noProblems: ReadonlyMap<string, readonly Marked[]> = new Map();
let problems = noProblems;

/** Counts the frames at rest: what is made of the display list (mirror, minimap, breadcrumb) follows it. */
export const drawn = signal(0);
/** Is there a view to go back or forward to? */
export const canGo = signal({ back: false, forward: false });

const sameView = (a: ViewLink, b: ViewLink): boolean => toHash(a) === toHash(b);
const history = new History<ViewLink>(sameView);
const rememberAfter = 500;
/** The flight is one through the history, which it must not change. */
let travelling = false;
let remembering: ReturnType<typeof setTimeout> | undefined;
/** A view that is waited for: its pictures are on their way. */
let wanted: ViewLink | undefined;

export const live = new LiveValues(() => viewport?.draw());

export function currentProblems(): Scene["problems"] {
  return problems;
}

export function theViewport(): Viewport | undefined {
  return viewport;
}

/** Shows the model on a canvas, at the view of the address or as a whole. */
export function mount(canvas: HTMLCanvasElement, sheet: Block, size: Size): Viewport {
  const model = sheet.children[0]!;
  const made = new Viewport(canvas, showingBlock(model, size), {
    scene,
    palette: () => store.darkTheme.peek() ? dark : light,
    drawn: (list, moving) => {
      live.refresh();
      if (wanted !== undefined) arrive();
      if (moving) return;
      void list;
      atRest();
    },
  });
  viewport = made;
  live.forget();
  made.resize(size);
  made.show(showingBlock(model, size));
  // An address of another model is that of the one shown before.
  const at = modelAt(location.hash), shown = store.model.peek();
  const link = at !== undefined && (at.file !== shown?.file || at.asked !== shown.asked) ? undefined : fromHash(location.hash);
  if (link !== undefined) goTo(link, false);
  return made;
}

function scene(): Omit<Scene, "camera" | "window" | "measure" | "deadline"> {
  return {
    live,
    problems,
    lit: store.lit.peek(),
    hovered,
    selected: store.selected.peek(),
    pointed: store.pointed.peek(),
    windows: otherWindows(),
  };
}

function otherWindows(): Scene["windows"] {
  const sheet = store.sheet.peek(), me = store.hello.peek()?.connection, model = store.model.peek();
  const top = sheet?.children[0];
  if (top === undefined || viewport === undefined) return [];
  const windows: Scene["windows"][number][] = [];
  for (const { connection, view } of store.views.peek()) {
    if (connection === me || view.model !== model?.id || view.path === undefined || view.width === undefined) continue;
    const width = view.pixels ?? 1000;
    const window = { width, height: width / (view.aspect ?? 1.6) };
    const camera = cameraOf({ path: view.path, window: { x: view.x ?? 0, y: view.y ?? 0, width: view.width } }, top, window);
    if (camera !== undefined) windows.push({ camera, window, label: `window ${connection}` });
  }
  return windows;
}

/** Draws again when something over the model changed. */
export function redrawOnChange(): () => void {
  return effect(() => {
    const all = [store.darkTheme, store.selected, store.lit, store.pointed, store.views, store.pictures, store.runs, store.instant, store.activeRun, store.checked];
    for (const each of all) void each.value;
    problems = problemsByBlock(store.checked.value?.diagnostics ?? [], store.pictures.value);
    viewport?.draw();
  });
}

function atRest(): void {
  if (viewport === undefined) return;
  store.focus.value = focusOf(viewport.camera, viewport.size);
  drawn.value = drawn.peek() + 1;
  if (wanted === undefined) {
    // The address is the view at once, so that a reload shows it.
    const link = linkOf(viewport.camera, viewport.size), model = store.model.peek();
    const hash = link === undefined || model === undefined ? location.hash : addressOf(link, model);
    if (hash !== location.hash) window.history.replaceState(null, "", hash);
  }
  clearTimeout(remembering);
  remembering = setTimeout(remember, rememberAfter);
}

function remember(): void {
  const link = viewport === undefined || wanted !== undefined ? undefined : linkOf(viewport.camera, viewport.size);
  if (link === undefined || viewport === undefined) return;
  const before = history.current;
  history.push(link);
  canGo.value = { back: history.canGoBack, forward: history.canGoForward };
  if (before === undefined || !sameView(before, link)) tellOthers(link);
}

function tellOthers(link: ViewLink): void {
  const model = store.model.peek();
  if (viewport === undefined || model === undefined || link.window === undefined || store.connection.peek() !== "open") return;
  const { width, height } = viewport.size;
  call("view.set", { view: { model: model.id, path: link.path, ...link.window, aspect: width / height, pixels: width } }).catch(() => undefined);
}

/** Does nothing move, is nothing waited for? */
export function resting(): boolean {
  return viewport?.settled === true && wanted === undefined && looking === 0 && !picturesAwaited() && !live.busy;
}

/** The view as a file. */
export function hardcopy(format: "svg" | "pdf"): string | undefined {
  if (viewport?.list === undefined) return undefined;
  const palette = store.darkTheme.peek() ? dark : light;
  return format === "svg" ? toSvg(viewport.list, palette, viewport.size, document.title) : toPdf(viewport.list, palette, viewport.size, viewport.measure);
}

export function fly(camera: Camera): Promise<void> {
  wanted = undefined;
  store.hintSeen.value = true;
  // The view that one leaves is one to come back to.
  if (viewport?.moving === false && !travelling) remember();
  travelling = false;
  return viewport?.flyTo(camera, store.reducedMotion.peek()) ?? Promise.resolve();
}

/** Goes to a view, as soon as the pictures on the way to it are there. */
export function goTo(link: ViewLink, flying = true): void {
  wanted = link;
  if (flying) arrive();
  else arriveAtOnce();
  viewport?.draw();
}

function targetOf(link: ViewLink): Camera | undefined {
  const model = store.sheet.peek()?.children[0];
  if (model === undefined || viewport === undefined) return undefined;
  if (link.window !== undefined) return cameraOf(link, model, viewport.size);
  const block = model.find(link.path);
  return block === undefined ? undefined : showingBlock(block, viewport.size);
}

function arrive(): void {
  const target = wanted === undefined ? undefined : targetOf(wanted);
  if (target !== undefined) void fly(target);
}

function arriveAtOnce(): void {
  const target = wanted === undefined ? undefined : targetOf(wanted);
  if (target === undefined || viewport === undefined) return;
  wanted = undefined;
  viewport.show(rerooted(target, viewport.size));
}

/** How many flights wait for pictures. */
let looking = 0;

/** The pictures of a path are fetched one after the other; this follows it as far as they have come. */
export function whenThere(path: readonly string[], then: (block: Block) => void): void {
  const attempts = 400;
  let tried = 0;
  ++looking;
  const look = (): void => {
    const block = store.sheet.peek()?.children[0]?.find(path);
    const there = block !== undefined && block.picture !== undefined;
    if (!there && ++tried < attempts) {
      setTimeout(look, 25);
      return;
    }
    --looking;
    if (there) then(block);
  };
  look();
}

export function flyToBlock(path: readonly string[]): void {
  goTo({ path, window: undefined });
}

export function pathFrom(dotted: string): string[] {
  return dotted === "" ? [] : dotted.split(".");
}

/** The path of the block that has a variable. */
export function blockOfVariable(path: string): string {
  return path.replace(/^der\((.*)\)$/, "$1").split(".").slice(0, -1).join(".");
}

/** Flies to a statement: its row in the middle of the window, in a readable size, and marked. */
export function flyToStatement(path: readonly string[], place: Partial<Span>): void {
  whenThere(path, (block) => {
    const picture = block.picture!;
    const index = picture.statements.findIndex(({ span, drawn: inDiagram }) =>
      !inDiagram && span !== undefined && place.begin !== undefined && span.file === place.file && span.begin <= place.begin && place.begin < Math.max(span.end, span.begin + 1)
    );
    const text = viewport === undefined ? undefined : textOf(block, picture, viewport.measure);
    const row = text?.block.rows.find((placed) => placed.row.statement === index);
    if (index < 0 || text === undefined || row === undefined || viewport === undefined) {
      flyToBlock(path);
      return;
    }
    store.pointed.value = { path: pathOf(block), statement: index };
    const width = Math.max(row.row.width, text.block.width * 0.6) * text.font;
    const rows = 24 * text.font;
    void fly(showing(block, {
      x: text.x + row.x * text.font + row.row.width * text.font / 2 - width / 2,
      y: text.y + (row.y + row.row.height / 2) * text.font - rows / 2,
      w: width,
      h: rows,
    }, viewport.size, 60));
  });
}

export function flyToPort(path: readonly string[], port: string): void {
  whenThere(path, (block) => {
    const index = block.use.joints.findIndex((joint) => joint.port === port);
    const camera = viewport === undefined || index < 0 ? undefined : showingPort(block, index, viewport.size);
    if (camera !== undefined) void fly(camera);
    else flyToBlock(path);
  });
}

/** Flies to where a variable is declared: its row in the text of its block, or the interface that it belongs to. */
export function flyToVariable(path: readonly string[], name: string): void {
  whenThere(path, (block) => {
    const statement = block.picture!.statements.find((each) => each.name === name && each.span !== undefined && each.kind !== "cut");
    const joint = block.use.joints.find(({ port }) => {
      const found = findPort(block.picture!.ports, port);
      return found !== undefined && membersOf(found).some((member) => member.name === name);
    });
    if (statement?.span !== undefined) flyToStatement(path, statement.span);
    else if (joint !== undefined) flyToPort(path, joint.port);
    else flyToBlock(path);
  });
}

export function home(): void {
  flyToBlock([]);
}

/** Out by one level: the whole block, or the one around. */
export function out(): void {
  if (viewport === undefined) return;
  const focus = focusOf(viewport.camera, viewport.size);
  const block = focus.parent === undefined ? focus.children[0] : focus;
  if (block !== undefined) void fly(outwards(block, viewport.camera, viewport.size));
}

export function quick(at: Point): void {
  if (viewport?.list === undefined) return;
  void fly(quickZoom(hit(viewport.list.objects, at.x, at.y), at, viewport.camera, viewport.size, viewport.measure));
}

export function objectAt(at: Point): Drawn | undefined {
  return viewport?.list === undefined ? undefined : hit(viewport.list.objects, at.x, at.y);
}

export function hover(at: Point | undefined): Drawn | undefined {
  const found = at === undefined ? undefined : objectAt(at);
  if (found?.block !== hovered?.block || found?.part !== hovered?.part || found?.index !== hovered?.index) {
    hovered = found;
    viewport?.draw();
  }
  return found;
}

export function back(): void {
  remember();
  const link = history.back();
  travelling = link !== undefined;
  if (link !== undefined) goTo(link);
  canGo.value = { back: history.canGoBack, forward: history.canGoForward };
}

export function forward(): void {
  const link = history.forward();
  travelling = link !== undefined;
  if (link !== undefined) goTo(link);
  canGo.value = { back: history.canGoBack, forward: history.canGoForward };
}

export function zoomBy(factor: number): void {
  if (viewport === undefined) return;
  wanted = undefined;
  viewport.zoomGently(factor, { x: viewport.size.width / 2, y: viewport.size.height / 2 }, store.reducedMotion.peek());
}

export function panBy(dx: number, dy: number): void {
  wanted = undefined;
  viewport?.pan(dx, dy);
}

export function movedByHand(): void {
  wanted = undefined;
}

const readingOrder = (a: Drawn, b: Drawn): number => Math.round((a.y - b.y) / 20) || a.x - b.x;

/** What Tab goes through: the blocks in sight of the one that is looked at, then its interfaces, lines and rows of text. */
export function objectsInSight(): Drawn[] {
  const objects = viewport?.list?.objects ?? [];
  const around = store.focus.peek();
  const blocks = objects.filter((object) => object.part === "block" && object.block.parent === around).sort(readingOrder);
  const own = objects.filter((object) => object.block === around && object.part !== "block" && !(object.part === "text" && object.index === -1)).sort(readingOrder);
  return [...blocks, ...own];
}

/** What the keys have selected: a block, or anything else in sight. */
export const selectedObject = signal<Drawn | undefined>(undefined);

export function isSame(a: Drawn, b: Drawn): boolean {
  return a.block === b.block && a.part === b.part && a.index === b.index && a.name === b.name;
}

export function selectObject(object: Drawn | undefined): void {
  selectedObject.value = object;
  store.selected.value = object?.part === "block" ? object.block : undefined;
  hovered = object === undefined ? undefined : { block: object.block, part: object.part, index: object.index };
  viewport?.draw();
}

/** Moves another window (an overview points, the other goes there). */
export function send(connection: number, path: readonly string[]): void {
  call("view.go", { connection, view: { path } }).catch(() => undefined);
}

/** The middle of the window in shares of the model, for the minimap. */
export function shownOf(model: Block): { x: number; y: number; w: number; h: number } | undefined {
  if (viewport === undefined || model.parent === undefined) return undefined;
  const camera = toAncestor(viewport.camera, commonAncestor(viewport.camera.root, model.parent));
  const w = viewport.size.width / camera.scale, h = viewport.size.height / camera.scale;
  return { x: camera.x - w / 2, y: camera.y - h / 2, w, h };
}
