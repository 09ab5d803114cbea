import { useEffect, useRef, useState } from "preact/hooks";
import type { Block } from "../model/block.ts";
import * as store from "../store.ts";
import * as actions from "../view-actions.ts";
import type { Drawn } from "../view/display-list.ts";
import type { Point } from "../view/geometry.ts";
import { listen } from "../view/input.ts";
import { on } from "../session.ts";
import { clicked, explain } from "./meaning.ts";
import { Menu, menu } from "./menu.tsx";
import { Minimap } from "./minimap.tsx";
import { Mirror } from "./mirror.tsx";
import { Search } from "./search.tsx";
import { editedText, TextInPlace } from "./text-in-place.tsx";
import { editedValue, ValueEditor } from "./value-editor.tsx";

/** The picture, and what floats over it. */
export function PictureView({ sheet }: { sheet: Block }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [tip, setTip] = useState<{ at: Point; drawn: Drawn } | undefined>(undefined);

  useEffect(() => {
    const element = canvas.current!;
    const sizeOf = (): { width: number; height: number } => ({ width: Math.max(50, element.clientWidth), height: Math.max(50, element.clientHeight) });
    const viewport = actions.mount(element, sheet, sizeOf());
    listen(element, viewport, {
      click: (at) => clicked(actions.objectAt(at), at),
      quickZoom: (at) => {
        menu.value = editedValue.value = editedText.value = undefined;
        actions.quick(at);
      },
      hover: (at) => {
        const drawn = actions.hover(at);
        setTip(at === undefined || drawn === undefined || explain(drawn) === undefined ? undefined : { at, drawn });
      },
      moved: () => {
        actions.movedByHand();
        menu.value = editedValue.value = editedText.value = undefined;
        store.hintSeen.value = true;
        setTip(undefined);
      },
      reducedMotion: () => store.reducedMotion.peek(),
    });
    const observer = new ResizeObserver(() => viewport.resize(sizeOf()));
    observer.observe(element);
    const undo = [
      actions.redrawOnChange(),
      on("view.go", (data) => {
        const view = data.view as { path?: string[] };
        if (Array.isArray(view.path)) actions.flyToBlock(view.path);
      }),
      () => observer.disconnect(),
    ];
    element.focus({ preventScroll: true });
    return () => undo.forEach((each) => each());
  }, [sheet]);

  // What was pointed at is somewhere else after a flight.
  useEffect(() => setTip(undefined), [store.focus.value]);

  return (
    <>
      <canvas ref={canvas} class="sheet" tabIndex={0} aria-label={`Picture of the model ${sheet.children[0]?.name ?? ""}`} aria-describedby="mirror" />
      <Mirror />
      <Minimap sheet={sheet} />
      <div class="zoomer">
        <button aria-label="Zoom in" title="Zoom in  (+)" onClick={() => actions.zoomBy(1.5)}>+</button>
        <button aria-label="Zoom out" title="Zoom out  (−)" onClick={() => actions.zoomBy(1 / 1.5)}>−</button>
        <button aria-label="Whole model" title="Whole model  (Home)" onClick={actions.home}>⌂</button>
      </div>
      {tip !== undefined && menu.value === undefined && <Tip at={tip.at} drawn={tip.drawn} />}
      <Menu />
      <ValueEditor />
      <TextInPlace />
      <Search />
      <Hint />
    </>
  );
}

/** What one can do, until one has done it. */
function Hint() {
  if (store.hintSeen.value) return null;
  return (
    <p class="hint">
      <b>wheel</b> zooms, down to the equations · <b>drag</b> moves · <b>double click</b> opens a block · <b>/</b> searches · <b>?</b> keys
      <button class="icon" aria-label="Close the hint" onClick={() => { store.hintSeen.value = true; }}>✕</button>
    </p>
  );
}

function Tip({ at, drawn }: { at: Point; drawn: Drawn }) {
  const told = explain(drawn);
  const width = actions.theViewport()?.size.width ?? 1000, height = actions.theViewport()?.size.height ?? 800;
  if (told === undefined) return null;
  const style = {
    left: at.x < width * 0.66 ? `${at.x + 16}px` : undefined,
    right: at.x < width * 0.66 ? undefined : `${width - at.x + 12}px`,
    top: at.y < height * 0.7 ? `${at.y + 16}px` : undefined,
    bottom: at.y < height * 0.7 ? undefined : `${height - at.y + 12}px`,
  };
  return (
    <div class="tip" style={style} role="presentation">
      <b>{told.title}</b>
      {told.lines.map((line) => <p key={line}>{line}</p>)}
    </div>
  );
}
