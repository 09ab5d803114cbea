// What a block shows, by its size on the screen. Everything here is a function of the size alone, so that zooming in and out passes the
// same pictures, and a level comes and goes by its opacity, never at once.

import type { Breakpoint } from "../model/picture.ts";
import { smoothstep } from "./geometry.ts";

/** Opacities, 0 … 1, of the parts of a block. `opening` goes from the closed box (0) to the two rectangles (1). */
export interface Levels {
  readonly name: number;
  readonly purpose: number;
  readonly opening: number;
  readonly inside: number;
  readonly ports: number;
}

/** Sizes in pixels where a level begins and where it is fully there. */
export const sizes = {
  name: [16, 26],
  ports: [30, 60],
  purpose: [96, 116],
  opening: [190, 260],
  inside: [200, 270],
} as const;

/** The size that counts: a flat block is as small as it is high. */
export function sizeOnScreen(width: number, height: number): number {
  return Math.min(width, height * 1.5);
}

/** The name of the most detailed level that is in sight: what the mirror and the tests call the state of a block. */
export type LevelName = "dot" | "name" | "purpose" | "inside";

export function levelName(levels: Levels): LevelName {
  if (levels.inside > 0.5) return "inside";
  if (levels.purpose > 0.5) return "purpose";
  return levels.name > 0.5 ? "name" : "dot";
}

/** `shows` are the breakpoints that the modeller set; they take the place of ours for what they name. */
export function levelsAt(size: number, shows: readonly Breakpoint[], hasPurpose: boolean): Levels {
  let inside = smoothstep(sizes.inside[0], sizes.inside[1], size);
  let opening = smoothstep(sizes.opening[0], sizes.opening[1], size);
  let name = smoothstep(sizes.name[0], sizes.name[1], size);
  let purpose = hasPurpose ? smoothstep(sizes.purpose[0], sizes.purpose[1], size) : 0;
  for (const show of shows) {
    // A fifth of the size is the width of the fade.
    const shown = (show.above === undefined ? 1 : smoothstep(show.above * 0.9, show.above * 1.1, size)) *
      (show.below === undefined ? 1 : 1 - smoothstep(show.below * 0.9, show.below * 1.1, size));
    if (show.level === "inside") inside = opening = shown;
    if (show.level === "name") name = shown;
    if (show.level === "text") purpose = shown;
  }
  return { name, purpose: purpose * (1 - inside), opening, inside, ports: smoothstep(sizes.ports[0], sizes.ports[1], size) };
}
