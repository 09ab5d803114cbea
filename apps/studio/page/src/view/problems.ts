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
    // The other equations of a contradiction, wherever they are used.
    for (const { file, begin } of diagnostic.related ?? []) {
      const picture = file === undefined || begin === undefined ? undefined : classAt(pictures, file, begin);
      if (picture !== undefined) add(classPrefix + picture.key, { severity: diagnostic.severity, text: diagnostic.message, file: file!, begin: begin!, inside: false });
    }
    const marked: Marked = { severity: diagnostic.severity, text: diagnostic.message, file: diagnostic.file ?? "", begin: diagnostic.begin ?? -1, inside: false };
    if (diagnostic.submodel !== undefined && diagnostic.submodel !== "") {
      add(diagnostic.submodel, marked);
      // The blocks around say that something is wrong in them.
      const names = diagnostic.submodel.split(".");
      for (let n = names.length - 1; n >= 0; --n) add(names.slice(0, n).join("."), { ...marked, inside: true });
      continue;
    }
    const picture = classAt(pictures, marked.file, marked.begin);
    if (picture !== undefined) add(classPrefix + picture.key, marked);
  }
  return found;
}

/** The innermost class in whose text a place is. */
function classAt(pictures: ReadonlyMap<string, ClassPicture>, file: string, begin: number): ClassPicture | undefined {
  let found: ClassPicture | undefined;
  for (const picture of pictures.values()) {
    const { whole } = picture;
    if (whole === undefined || whole.file !== file || begin < whole.begin || begin >= whole.end) continue;
    if (found?.whole === undefined || whole.end - whole.begin < found.whole.end - found.whole.begin) found = picture;
  }
  return found;
}
