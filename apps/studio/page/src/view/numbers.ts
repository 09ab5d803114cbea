// Numbers for people.

/** About `digits` digits, in the shorter of the two notations; no trailing zeros. */
export function formatted(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "—";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const magnitude = Math.abs(value);
  const text = magnitude >= 1e6 || magnitude < 1e-4
    ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
    : magnitude >= 10 ** digits
    ? value.toFixed(0)
    : value.toPrecision(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  return text.replaceAll("-", "−");
}

/** Numbers at which an axis from `low` to `high` is marked: 1, 2 or 5 times a power of ten apart. */
export function marks(low: number, high: number, about: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  const found: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; ++i) found.push(i * step);
  return found;
}
