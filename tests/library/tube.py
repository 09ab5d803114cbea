"""Whether a result lies in the tube around a reference.

For each signal of the reference (the rule of the csv-compare tool, by which the results of the Modelica Standard
Library are judged):

    dx = tol*max(tmax - tmin, |tmin|, 1e-12)       dy = tol*max(ymax - ymin, |ymin|, 0.001)
    upper(t) = max{y(s) : |s - t| <= dx} + dy      lower(t) = min{y(s) : |s - t| <= dx} - dy

where y is the polyline through the reference. Every point of the result within the reference's time must lie
between the two. Two rows of equal time are a jump; both values count.
"""

import bisect
import collections
import csv
import gzip
import io
import math


def read_csv(path):
    """{name: values} of a result; "time" is one of the names."""
    raw = open(path, "rb").read()
    if path.endswith(".gz"):
        raw = gzip.decompress(raw)
    rows = csv.reader(io.StringIO(raw.decode("utf-8", "replace")))
    header = [name.strip().strip('"') for name in next(rows)]
    header = ["time" if name == "Time" else name for name in header]
    columns = [[] for _ in header]
    for row in rows:
        if len(row) < len(header):
            continue
        for column, text in zip(columns, row):
            column.append(number(text))
    return dict(zip(header, columns))


def number(text):
    try:
        return float(text)
    except ValueError:
        return {"true": 1.0, "false": 0.0}.get(text.strip().lower(), math.nan)


def value_at(times, values, t):
    """Of the polyline, held outside; of a jump the value after it."""
    k = bisect.bisect_right(times, t)
    if k == 0:
        return values[0]
    if k == len(times):
        return values[-1]
    a, b = times[k - 1], times[k]
    return values[k - 1] + (values[k] - values[k - 1]) * (t - a) / (b - a)


class Extremes:
    """The largest (or smallest) value of a window that moves on."""

    def __init__(self, values, better):
        self.values, self.better, self.queue = values, better, collections.deque()

    def enter(self, k):
        while self.queue and not self.better(self.values[self.queue[-1]], self.values[k]):
            self.queue.pop()
        self.queue.append(k)

    def leave_before(self, k):
        while self.queue and self.queue[0] < k:
            self.queue.popleft()

    def best(self):
        return self.values[self.queue[0]] if self.queue else None


def first_outside(times, values, ref_times, ref_values, tol=0.002):
    """None, or (time, result, lower, upper) of the point that is farthest out."""
    base_x = max(ref_times[-1] - ref_times[0], abs(ref_times[0]), 1e-12)
    low, high = min(ref_values), max(ref_values)
    base_y = max(high - low, abs(low), 0.001)
    dx, dy = tol * base_x, tol * base_y
    largest = Extremes(ref_values, lambda a, b: a > b)
    smallest = Extremes(ref_values, lambda a, b: a < b)
    enter = leave = 0
    worst = None
    end = 1e-9 * base_x
    for t, y in zip(times, values):
        if t < ref_times[0] - end or t > ref_times[-1] + end:
            continue
        while enter < len(ref_times) and ref_times[enter] <= t + dx:
            largest.enter(enter)
            smallest.enter(enter)
            enter += 1
        while leave < len(ref_times) and ref_times[leave] < t - dx:
            leave += 1
        largest.leave_before(leave)
        smallest.leave_before(leave)
        around = [value_at(ref_times, ref_values, t - dx), value_at(ref_times, ref_values, t + dx)]
        upper = max([v for v in around + [largest.best()] if v is not None]) + dy
        lower = min([v for v in around + [smallest.best()] if v is not None]) - dy
        out = y - upper if y > upper else lower - y if y < lower else 0.0 if y == y else math.inf
        if out > 0 and (worst is None or out > worst[0]):
            worst = (out, t, y, lower, upper)
    return worst[1:] if worst else None


def compare(result, parameters, reference, signals, tol=0.002):
    """(verdict, message) of the signals: "verified", "differs", "missing"."""
    if not result.get("time"):
        return "differs", "the result has no rows"
    ref_times = reference["time"]
    if result["time"][-1] < ref_times[-1] - 1e-6 * max(abs(ref_times[-1]), ref_times[-1] - ref_times[0]):
        return "differs", f"the result ends at {result['time'][-1]:g}"
    missing, outside = [], []
    for name in signals:
        if name not in reference or name == "time":
            continue
        if name in result:
            found = first_outside(result["time"], result[name], ref_times, reference[name], tol)
        elif name in parameters:
            ends = [ref_times[0], ref_times[-1]]
            found = first_outside(ends, [parameters[name]] * 2, ref_times, reference[name], tol)
        else:
            missing.append(name)
            continue
        if found:
            outside.append((name, found))
    if missing:
        return "missing", f"{len(missing)} signals are not in the result: {', '.join(missing[:4])}"
    if outside:
        name, (t, y, lower, upper) = outside[0]
        more = f" and {len(outside) - 1} more" if len(outside) > 1 else ""
        return "differs", f"{name}{more}: {y:g} at {t:g}, not in [{lower:g}, {upper:g}]"
    return "verified", ""
