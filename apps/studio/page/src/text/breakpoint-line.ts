// The line of the text that says from which size on the blocks of a class open, `--@ show inside above 200`.

const marks: Readonly<Record<string, string>> = { dym: "--", el: "--", t: "\"", mo: "//", om: "%" };

export interface LineEdit {
  readonly begin: number;
  readonly end: number;
  readonly text: string;
}

/** The edit, in characters, that gives the class at [begin, end) of a text this breakpoint; without a width it takes the one that is there away. */
export function breakpointEdit(text: string, begin: number, end: number, file: string, width: number | undefined): LineEdit | undefined {
  const mark = marks[file.split(".").at(-1)!];
  if (mark === undefined) return undefined;
  const own = text.slice(begin, end).trimEnd();
  const found = new RegExp(`^[ \\t]*${mark}@ show inside above \\d+[^\\n]*\\n`, "m").exec(own);
  const last = own.lastIndexOf("\n") + 1;
  const indent = `${/^[ \t]*/.exec(own.slice(last))![0]}  `;
  const line = width === undefined ? "" : `${indent}${mark}@ show inside above ${Math.round(width)}${own.includes("\r\n") ? "\r\n" : "\n"}`;
  if (found !== null) return { begin: begin + found.index, end: begin + found.index + found[0].length, text: line };
  return width === undefined || last === 0 ? undefined : { begin: begin + last, end: begin + last, text: line };
}
