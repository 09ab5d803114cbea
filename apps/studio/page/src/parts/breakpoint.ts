// The modeller's breakpoint of a class, set from the picture.

import type { ClassPicture } from "../model/picture.ts";
import { call } from "../session.ts";
import { breakpointEdit } from "../text/breakpoint-line.ts";
import { fromBytes, toBytes } from "../text/offsets.ts";

/** One edit of the text, which can be undone there. */
export async function setBreakpoint({ whole }: ClassPicture, width: number | undefined): Promise<void> {
  if (whole === undefined) return;
  const { file } = whole;
  const { version, text } = await call<{ version: number; text: string }>("text.open", { file });
  try {
    const edit = breakpointEdit(text, fromBytes(text, whole.begin), fromBytes(text, whole.end), file, width);
    if (edit === undefined) return;
    await call("text.edit", { file, version, edits: [{ begin: toBytes(text, edit.begin), end: toBytes(text, edit.end), text: edit.text }], label: "breakpoint" });
  } finally {
    await call("text.close", { file }).catch(() => undefined);
  }
}
