// Which of the equations in the order of computation is that of a variable.

import type { WhyStep } from "../protocol.ts";

/** The equation that gives a variable, or its derivative; of a tearing variable of a loop those that contain it. */
export function ownSteps(steps: readonly WhyStep[], path: string): { readonly steps: readonly WhyStep[]; readonly system: number } {
  const names = [path, `${path}'`];
  const given = steps.find(({ equation }) => names.some((name) => equation.startsWith(`${name} := `)));
  if (given !== undefined) return { steps: [given], system: 0 };
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  for (const wanted of [new RegExp(`(?<![\\w.])${escaped}'`), new RegExp(`(?<![\\w.])${escaped}(?![\\w.'[])`)]) {
    const containing = steps.filter(({ equation, system }) => system > 0 && wanted.test(equation));
    if (containing.length > 0) return { steps: containing, system: containing.at(-1)!.system };
  }
  return { steps: [], system: 0 };
}
