// Places in texts: the server counts bytes of UTF-8, JavaScript counts UTF-16 units. This is where one becomes the other. Where all lines
// of the server's text end with a carriage return as well, the page has them without: with `returns` a line end counts two bytes.

/** Bytes that the character at an index takes, and its units. */
function width(text: string, at: number, returns: boolean): { bytes: number; units: number } {
  const code = text.charCodeAt(at);
  if (code < 0x80) return { bytes: returns && code === 10 ? 2 : 1, units: 1 };
  if (code < 0x800) return { bytes: 2, units: 1 };
  if (code >= 0xd800 && code < 0xdc00 && at + 1 < text.length) return { bytes: 4, units: 2 };
  return { bytes: 3, units: 1 };
}

export function toBytes(text: string, index: number, returns = false): number {
  let bytes = 0;
  for (let at = 0; at < Math.min(index, text.length);) {
    const step = width(text, at, returns);
    bytes += step.bytes;
    at += step.units;
  }
  return bytes;
}

export function fromBytes(text: string, offset: number, returns = false): number {
  let bytes = 0, at = 0;
  while (at < text.length && bytes < offset) {
    const step = width(text, at, returns);
    bytes += step.bytes;
    at += step.units;
  }
  return at;
}

/** Do all lines end with a carriage return and a line feed? */
export function hasReturns(text: string): boolean {
  return text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
}
