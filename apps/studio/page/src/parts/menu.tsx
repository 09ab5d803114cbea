// The menu at an object of the picture. It is open until an entry is chosen, something else is clicked, or Escape.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { theViewport } from "../view-actions.ts";
import type { Point } from "../view/geometry.ts";

export interface Entry {
  readonly label: string;
  readonly act: () => void;
}

export const menu = signal<{ readonly at: Point; readonly title: string; readonly entries: readonly Entry[] } | undefined>(undefined);

export function Menu() {
  const box = useRef<HTMLDivElement>(null);
  const open = menu.value;
  useEffect(() => {
    box.current?.querySelector("button")?.focus();
  }, [open]);
  if (open === undefined) return null;
  const { width, height } = theViewport()?.size ?? { width: 1000, height: 800 };
  const style = { left: `${Math.min(open.at.x + 4, width - 210)}px`, top: `${Math.min(open.at.y + 4, height - 46 - 30 * open.entries.length)}px` };
  const move = (event: KeyboardEvent): void => {
    const buttons = [...box.current!.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "ArrowDown") buttons[(at + 1) % buttons.length]?.focus();
    else if (event.key === "ArrowUp") buttons[(at - 1 + buttons.length) % buttons.length]?.focus();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const close = (): void => {
    menu.value = undefined;
    document.querySelector<HTMLElement>("canvas.sheet")?.focus({ preventScroll: true });
  };
  return (
    <div ref={box} class="menu" role="menu" style={style} onKeyDown={move}>
      <div class="title">{open.title}</div>
      {open.entries.map((entry) => (
        <button key={entry.label} role="menuitem" onClick={() => { close(); entry.act(); }}>{entry.label}</button>
      ))}
    </div>
  );
}
