// Keys. Everything that the mouse does has one; the list is shown by `?`.

import * as store from "../store.ts";
import * as actions from "../view-actions.ts";
import { pauseOrGoOn } from "../run/runs.ts";
import type { Drawn } from "../view/display-list.ts";
import type { Point } from "../view/geometry.ts";
import { clicked } from "./meaning.ts";
import { menu } from "./menu.tsx";

export const keyList: readonly (readonly [string, string])[] = [
  ["+  −", "zoom in, zoom out"],
  ["← → ↑ ↓", "move the picture"],
  ["Tab  Shift Tab", "select the next, the previous block, interface, line or row (in the picture)"],
  ["Enter", "zoom to the selected block; of a parameter its value, of all else the menu"],
  ["Escape", "out by one level; closes what is open"],
  ["Home", "the whole model"],
  ["Alt ←  Alt →", "the view before, the view after"],
  ["/", "search and fly there"],
  ["M", "menu of what is selected"],
  ["Space", "run, pause, go on"],
  ["F6", "from the picture to the panels and back"],
  ["Shift F", "light, dark, as the system"],
  ["?", "this list"],
];

const panStep = 80;

function editable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.closest("input, select, textarea, .shadow-host, [contenteditable]") !== null);
}

export function nextTheme(): void {
  store.theme.value = store.theme.value === "system" ? "light" : store.theme.value === "light" ? "dark" : "system";
}

function middleOf({ x, y, w, h }: Drawn): Point {
  return { x: x + w / 2, y: y + h / 2 };
}

/** Keys of the picture itself: those that elsewhere mean something else. */
function pictureKey(event: KeyboardEvent): boolean {
  switch (event.key) {
    case "ArrowLeft": actions.panBy(panStep, 0); return true;
    case "ArrowRight": actions.panBy(-panStep, 0); return true;
    case "ArrowUp": actions.panBy(0, panStep); return true;
    case "ArrowDown": actions.panBy(0, -panStep); return true;
    case "Enter": {
      const object = actions.selectedObject.value;
      if (object?.part === "block") actions.flyToBlock(object.block.path.slice(1));
      else if (object !== undefined) clicked(object, middleOf(object));
      return true;
    }
    case "Tab": {
      // Past the last object Tab leaves the picture, as it leaves any other part of the page.
      const objects = actions.objectsInSight();
      const selected = actions.selectedObject.value;
      const at = selected === undefined ? -1 : objects.findIndex((object) => actions.isSame(object, selected));
      const next = at < 0 ? (event.shiftKey ? objects.length - 1 : 0) : at + (event.shiftKey ? -1 : 1);
      actions.selectObject(objects[next]);
      return objects[next] !== undefined;
    }
    case "m": case "M": {
      const object = actions.selectedObject.value;
      if (object !== undefined) clicked(object, middleOf(object));
      return true;
    }
    default: return false;
  }
}

function anywhere(event: KeyboardEvent): boolean {
  if (event.altKey && event.key === "ArrowLeft") actions.back();
  else if (event.altKey && event.key === "ArrowRight") actions.forward();
  else if (event.ctrlKey || event.metaKey || event.altKey) return false;
  else {
    switch (event.key) {
      case "+": case "=": actions.zoomBy(1.35); break;
      case "-": case "_": actions.zoomBy(1 / 1.35); break;
      case "Home": actions.home(); break;
      case "/": store.searching.value = true; break;
      case "?": store.panel.value = store.panel.value === "help" ? undefined : "help"; break;
      case " ": pauseOrGoOn(); break;
      case "F": nextTheme(); break;
      case "Escape": escape(); break;
      default: return false;
    }
  }
  return true;
}

function escape(): void {
  if (menu.value !== undefined) menu.value = undefined;
  else if (store.searching.value) store.searching.value = false;
  else if (store.notice.value !== undefined) store.notice.value = undefined;
  else actions.out();
}

function changeArea(): void {
  const picture = document.querySelector<HTMLElement>("canvas.sheet");
  const other = document.querySelector<HTMLElement>(".dock .panel button, .dock .tabs button");
  (document.activeElement === picture ? other : picture)?.focus({ preventScroll: true });
}

export function listenToKeys(): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    if (event.key === "F6") {
      changeArea();
      event.preventDefault();
      return;
    }
    if (editable(event.target)) {
      if (event.key === "Escape") document.querySelector<HTMLElement>("canvas.sheet")?.focus({ preventScroll: true });
      return;
    }
    const onButton = event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
    if (onButton) return;
    const inPicture = event.target instanceof HTMLCanvasElement && event.target.classList.contains("sheet");
    if ((inPicture && !event.altKey && !event.ctrlKey && !event.metaKey && pictureKey(event)) || anywhere(event)) event.preventDefault();
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}
