// From mouse, pen, fingers and trackpad to movements of the view. Keys are in `keys.ts`.
//
//   drag (any button)                pan           wheel                         zoom at the cursor
//   right held, then middle, drag    zoom          two fingers on a trackpad     pan; with ctrl, or pinched: zoom
//   two fingers on a screen          pan and zoom  double click, middle click    quick zoom

import type { Point } from "./geometry.ts";
import type { Viewport } from "./viewport.ts";

export interface PointerMeaning {
  /** A click with the main button. */
  click(at: Point, event: PointerEvent): void;
  quickZoom(at: Point): void;
  hover(at: Point | undefined): void;
  /** The view moves by hand. */
  moved(): void;
  reducedMotion(): boolean;
}

/** Pixels that a click may move. */
const still = 4;
const wheelStep = 0.0016;
const pinchStep = 0.01;

export function listen(canvas: HTMLElement, viewport: Viewport, meaning: PointerMeaning): void {
  const fingers = new Map<number, Point>();
  let travelled = 0;
  const place = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    if (fingers.size === 0) travelled = 0;
    fingers.set(event.pointerId, place(event));
    if (event.button === 1) event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    const at = place(event);
    if (before === undefined) {
      if (event.pointerType === "mouse") meaning.hover(at);
      return;
    }
    const dx = at.x - before.x, dy = at.y - before.y;
    travelled += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)![1];
      const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
      viewport.pan(dx / 2, dy / 2);
      viewport.zoom(distance(at, other) / Math.max(1, distance(before, other)), middle);
      meaning.moved();
    } else if (travelled > still) {
      // The right and the middle button together zoom: up is in, down is out.
      if ((event.buttons & 6) === 6) viewport.zoom(Math.exp(-dy * 0.01), { x: viewport.size.width / 2, y: viewport.size.height / 2 });
      else viewport.pan(dx, dy);
      meaning.moved();
    }
    fingers.set(event.pointerId, at);
  });
  const lift = (event: PointerEvent): void => {
    const clicked = fingers.delete(event.pointerId) && fingers.size === 0 && travelled <= still && event.type === "pointerup";
    if (!clicked) return;
    if (event.button === 1) meaning.quickZoom(place(event));
    else if (event.button === 0) meaning.click(place(event), event);
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", () => meaning.hover(undefined));
  canvas.addEventListener("dblclick", (event) => meaning.quickZoom(place(event)));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("auxclick", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.ctrlKey) viewport.zoom(Math.exp(-event.deltaY * pinchStep), place(event));
    else if (isWheel(event)) viewport.zoomGently(Math.exp(-pixels(event) * wheelStep), place(event), meaning.reducedMotion());
    else viewport.pan(-event.deltaX, -event.deltaY);
    meaning.moved();
  }, { passive: false });
}

/** A wheel turns in steps and only up and down; two fingers move freely. */
function isWheel(event: WheelEvent): boolean {
  return event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL || (event.deltaX === 0 && Math.abs(event.deltaY) >= 50 && Number.isInteger(event.deltaY));
}

function pixels(event: WheelEvent): number {
  return event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 33;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
