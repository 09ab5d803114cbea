// Which block a diagnostic belongs to: the submodel that it names, or every use of the class in whose text it stands.

import type { ClassPicture } from "../model/picture.ts";
import type { Diagnostic } from "../protocol.ts";
import type { Marked } from "./scene.ts";

/** Marks of all uses of a class have this before its key. */
export const classPrefix = "class:";

export function problemsByBlock(diagnostics: readonly Diagnostic[], pictures: ReadonlyMap<string, ClassPicture>): Map<string, Marked[]> {
  const found = new Map<string, Marked[]>();
  const add = (key: string, marked: Marked): void => {
    const list = found.get(key);
    if (list === undefined) found.set(key, [marked]);
    else list.push(marked);
  };
  for (const diagnostic of diagnostics) {
    const marked: Marked = { severity: diagnostic.severity, text: diagnostic.message, file: diagnostic.file ?? "", begin: diagnostic.begin ?? -1, inside: false };
    if (diagnostic.submodel !== undefined && diagnostic.submodel !== "") {
      add(diagnostic.submodel, marked);
      // The blocks around say that something is wrong in them.
      const names = diagnostic.submodel.split(".");
      for (let n = names.length - 1; n >= 0; --n) add(names.slice(0, n).join("."), { ...marked, inside: true });
      continue;
    }
    for (const picture of pictures.values()) {
      const { whole } = picture;
      if (whole !== undefined && whole.file === diagnostic.file && marked.begin >= whole.begin && marked.begin < whole.end) add(classPrefix + picture.key, marked);
    }
  }
  return found;
}
