// The way from one view to another: out, across and in, in one movement at the speed that looks even
// (J. J. van Wijk and W. A. A. Nuij, "Smooth and efficient zooming and panning", 2003, with rho = sqrt 2).
//
//   u(s), w(s): the place on the straight way between the two middles, and the width of the window, as functions of the length s.

import { type Camera, commonAncestor, toAncestor } from "./camera.ts";
import type { Size } from "./geometry.ts";

export interface Flight {
  /** In milliseconds. */
  readonly duration: number;
  /** The camera at t in 0 … 1. */
  at(t: number): Camera;
}

const rho = Math.SQRT2;
const msPerLength = 340;
const shortest = 180;
const longest = 1400;

export function fly(from: Camera, to: Camera, window: Size): Flight {
  const root = commonAncestor(from.root, to.root);
  const a = toAncestor(from, root), b = toAncestor(to, root);
  const w0 = window.width / a.scale, w1 = window.width / b.scale;
  const dx = b.x - a.x, dy = b.y - a.y;
  const d = Math.hypot(dx, dy);
  const timed = (length: number): number => Math.min(longest, Math.max(shortest, length * msPerLength));

  if (d < 1e-9 * Math.min(w0, w1)) {
    const length = Math.abs(Math.log(w1 / w0)) / rho;
    return {
      duration: timed(length),
      at: (t) => t >= 1 ? to : { root, x: b.x, y: b.y, scale: a.scale * (b.scale / a.scale) ** ease(t) },
    };
  }
  const rho2 = rho * rho;
  const b0 = (w1 * w1 - w0 * w0 + rho2 * rho2 * d * d) / (2 * w0 * rho2 * d);
  const b1 = (w1 * w1 - w0 * w0 - rho2 * rho2 * d * d) / (2 * w1 * rho2 * d);
  const r0 = -Math.asinh(b0), r1 = -Math.asinh(b1);
  const length = (r1 - r0) / rho;
  return {
    duration: timed(length),
    at(t) {
      if (t >= 1) return to;
      const s = ease(t) * length;
      const u = (w0 / (rho2 * d)) * (Math.cosh(r0) * Math.tanh(rho * s + r0) - Math.sinh(r0));
      const w = (w0 * Math.cosh(r0)) / Math.cosh(rho * s + r0);
      return { root, x: a.x + u * dx, y: a.y + u * dy, scale: window.width / w };
    },
  };
}

/** Starts and ends gently. */
function ease(t: number): number {
  return t * t * (3 - 2 * t);
}
