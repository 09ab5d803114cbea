// The two palettes. Contrast of inks on the paper is at least 4.5 to 1, of faint ones 3 to 1.

import type { Palette } from "./paint.ts";

export const light: Palette = {
  dark: false, paper: "#f4f4f1",
  steam: "#c44030", water: "#2870be", gas: "#8a6d34", heat: "#c9730c", fuel: "#82592a", power: "#6e4696", shaft: "#5a5a64", air: "#3f8f9b", oil: "#8c6e1e",
  block: "#ffffff", inner: "#fafaf8", blockSelected: "#eef4ff", stack: "#e7e7e2", portFill: "#ffffff", portOpen: "#fdfdfb", bar: "#c6cad1", shade: "#e3e3dd", pointed: "#ffe08a",
  line: "#66707f", line0: "#b0503c", line1: "#2f6fae", line2: "#7a5a2e", line3: "#3f7d5a", line4: "#7b5299", line5: "#2b8a94", line6: "#9a6a12", lineHot: "#1f5fbf", icon: "#4a5463", curve: "#1f5fbf", axis: "#9aa2ae", spark: "#1f5fbf",
  hover: "#1f5fbf", selected: "#1f5fbf", outline: "#8b5cc7", missing: "#b9770e", loop: "#8a4fc0",
  error: "#b3261e", warning: "#9a6200", note: "#2f6f8f",
  ink: "#1b222d", inkSoft: "#48525f", inkFaint: "#717b88", inkName: "#111722", value: "#0f5c4a", keyword: "#6d3aa8", number: "#9a4a00", comment: "#5f7a5f",
  across: "#1f5fbf", through: "#a14d12",
};

export const dark: Palette = {
  dark: true, paper: "#15181d",
  steam: "#ef8573", water: "#74aef0", gas: "#cdb070", heat: "#f0a83e", fuel: "#c79660", power: "#b995e0", shaft: "#a9abb8", air: "#6fc3cf", oil: "#d0b35c",
  block: "#1e232b", inner: "#191d24", blockSelected: "#1d2a40", stack: "#262c36", portFill: "#1e232b", portOpen: "#1b2028", bar: "#4a525e", shade: "#2b323c", pointed: "#6a5510",
  line: "#8d98a8", line0: "#e08a76", line1: "#6fa8e0", line2: "#c9a06a", line3: "#79bd95", line4: "#b48ed6", line5: "#63bfc9", line6: "#d6ab55", lineHot: "#7fb0ff", icon: "#aab4c2", curve: "#7fb0ff", axis: "#6d7786", spark: "#7fb0ff",
  hover: "#7fb0ff", selected: "#7fb0ff", outline: "#b794f0", missing: "#e0a84a", loop: "#c79bf2",
  error: "#ff8a80", warning: "#e6b455", note: "#7cc0de",
  ink: "#e6eaf0", inkSoft: "#b9c2ce", inkFaint: "#8791a0", inkName: "#f4f6fa", value: "#7fd8bf", keyword: "#c79bf2", number: "#f0ad74", comment: "#8fb08f",
  across: "#7fb0ff", through: "#f0a06a",
};
