// The same as is drawn, as a tree of elements that are not seen: for screen readers, and for tests, which read it instead of pixels. It is
// made of the display list of the frame at rest.

import type { JSX } from "preact";
import type { Block } from "../model/block.ts";
import { drawn as drawnCount, flyToBlock, selectedObject, theViewport } from "../view-actions.ts";
import type { Drawn, Part } from "../view/display-list.ts";

/** More than this nobody reads, and elements cost. */
const most = 400;

export function Mirror() {
  void drawnCount.value;
  const viewport = theViewport();
  const objects = (viewport?.list?.objects ?? []).filter((object) => object.level !== "dot").slice(0, most);
  const byBlock = new Map<Block, Drawn[]>();
  for (const object of objects) {
    const owner = object.part === "block" ? object.block.parent : object.block;
    if (owner === undefined) continue;
    const list = byBlock.get(owner);
    if (list === undefined) byBlock.set(owner, [object]);
    else list.push(object);
  }
  const shown = new Set(objects.filter((object) => object.part === "block").map((object) => object.block));
  // What contains the window is not drawn itself.
  const roots = [...byBlock.keys()].filter((block) => !shown.has(block));
  const selected = selectedObject.value;
  return (
    <>
      <div id="mirror" class="mirror" role="tree" aria-label="What the picture shows">
        {roots.flatMap((root) => byBlock.get(root)!.map((object, i) => item(object, i, byBlock, 1)))}
      </div>
      <div class="mirror" aria-live="polite">{selected === undefined ? "" : `${kinds[selected.part]} ${labelOf(selected)}`}</div>
    </>
  );
}

const kinds: Record<Part, string> = {
  block: "block", port: "interface", member: "variable", line: "line", text: "text", curve: "curve", plot: "display", problem: "problem",
};

function labelOf(object: Drawn): string {
  const { part, name, text } = object;
  return part === "block" || part === "member" ? (text === "" ? name : `${name}: ${text}`) : part === "text" || part === "port" ? `${name} ${text}` : name;
}

/** A place of an object where it can be pointed at: its middle, on a line the middle of the longest part. */
function pointOf({ x, y, w, h, points }: Drawn): [number, number] {
  let best: [number, number] = [x + w / 2, y + h / 2], longest = -1;
  for (let i = 0; points !== undefined && i + 3 < points.length; i += 2) {
    const [ax, ay, bx, by] = points.slice(i, i + 4) as [number, number, number, number];
    const length = Math.hypot(bx - ax, by - ay);
    if (length > longest) {
      longest = length;
      best = [(ax + bx) / 2, (ay + by) / 2];
    }
  }
  return best;
}

function item(object: Drawn, index: number, byBlock: ReadonlyMap<Block, readonly Drawn[]>, level: number): JSX.Element {
  const within = object.part === "block" ? byBlock.get(object.block) ?? [] : [];
  const label = labelOf(object);
  return (
    <div
      key={`${object.part} ${object.block.path.join(".")} ${object.index} ${object.name} ${index}`}
      role="treeitem"
      aria-level={level}
      aria-expanded={within.length > 0 ? true : undefined}
      aria-label={label}
      data-part={object.part}
      data-path={object.block.path.slice(1).join(".")}
      data-name={object.name}
      data-level={object.level}
      data-rect={[object.x, object.y, object.w, object.h].map((v) => v.toFixed(1)).join(" ")}
      data-at={pointOf(object).map((v) => v.toFixed(1)).join(" ")}
      onClick={() => { if (object.part === "block") flyToBlock(object.block.path.slice(1)); }}
    >
      {object.part === "text" ? object.text : ""}
      {within.length > 0 && <div role="group">{within.map((each, i) => item(each, i, byBlock, level + 1))}</div>}
    </div>
  );
}
