// Rectangles and sizes, y downwards as on the screen.

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** 0 below `from`, 1 above `to`, smooth between. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}

export function contains(rect: Rect, x: number, y: number): boolean {
  return x >= rect.x && y >= rect.y && x <= rect.x + rect.w && y <= rect.y + rect.h;
}

/** The square of the distance from a point to the polyline x0 y0 x1 y1 … */
export function distanceToLine(points: ArrayLike<number>, x: number, y: number): number {
  let best = Infinity;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const ax = points[i]!, ay = points[i + 1]!;
    const dx = points[i + 2]! - ax, dy = points[i + 3]! - ay;
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : clamp(((x - ax) * dx + (y - ay) * dy) / length, 0, 1);
    const ex = x - ax - t * dx, ey = y - ay - t * dy;
    best = Math.min(best, ex * ex + ey * ey);
  }
  return best;
}
