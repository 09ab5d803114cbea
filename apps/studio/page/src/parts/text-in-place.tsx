// An equation, or any other statement, changed where it stands in the picture: a field over its row. The text follows as one types, and
// what the check says of it stands below.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Span } from "../model/picture.ts";
import { CallFailed } from "../server.ts";
import { attempt, call } from "../session.ts";
import * as store from "../store.ts";
import { fromBytes, toBytes } from "../text/offsets.ts";
import { theViewport } from "../view-actions.ts";
import type { Point } from "../view/geometry.ts";

export const editedText = signal<{ readonly at: Point; readonly span: Span } | undefined>(undefined);

const sendAfter = 80;

interface Opened {
  readonly version: number;
  readonly text: string;
  readonly read_only: boolean;
}

/** One statement of a text of the server: its place moves with what is written into it. */
class Statement {
  private sending: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wanted: string | undefined;
  private joins = false;
  end: number;

  constructor(readonly file: string, private version: number, readonly begin: number, readonly before: string) {
    this.end = begin + toBytes(before, before.length);
  }

  write(text: string): void {
    this.wanted = this.before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => attempt(this.flush()), sendAfter);
  }

  flush(): Promise<void> {
    clearTimeout(this.timer);
    const sent = this.sending.then(() => this.send());
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  async save(): Promise<void> {
    await this.flush();
    await call("text.save", { file: this.file, version: this.version });
  }

  private async send(): Promise<void> {
    const text = this.wanted;
    if (text === undefined) return;
    this.wanted = undefined;
    try {
      const { version } = await call<{ version: number }>("text.edit", { file: this.file, version: this.version, edits: [{ begin: this.begin, end: this.end, text }], join: this.joins, label: "in the picture" });
      this.version = version;
      this.end = this.begin + toBytes(text, text.length);
      this.joins = true;
    } catch (reason) {
      if (reason instanceof CallFailed && reason.reason.code === "stale") throw new CallFailed({ code: "stale", message: "the text was changed elsewhere meanwhile", help: "click on the equation again" });
      throw reason;
    }
  }
}

export function TextInPlace() {
  const open = editedText.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const [statement, setStatement] = useState<Statement | undefined>(undefined);
  useEffect(() => {
    setStatement(undefined);
    if (open === undefined) return;
    const { file, begin, end } = open.span;
    let closed = false, made: Statement | undefined;
    attempt(call<Opened>("text.open", { file }).then(({ version, text }) => {
      made = new Statement(file, version, begin, text.slice(fromBytes(text, begin), fromBytes(text, end)));
      if (!closed) setStatement(made);
    }));
    return () => {
      closed = true;
      attempt((made?.flush() ?? Promise.resolve()).finally(() => call("text.close", { file }).catch(() => undefined)));
    };
  }, [open]);
  useEffect(() => field.current?.focus(), [statement]);
  if (open === undefined || statement === undefined) return null;
  const close = (): void => {
    editedText.value = undefined;
    document.querySelector<HTMLElement>("canvas.sheet")?.focus({ preventScroll: true });
  };
  const { width, height } = theViewport()?.size ?? { width: 1000, height: 800 };
  const lines = statement.before.split("\n"), wide = Math.min(680, Math.max(320, 60 + 8 * Math.max(...lines.map((line) => line.length))));
  const style = { left: `${Math.max(8, Math.min(open.at.x - 20, width - wide - 12))}px`, top: `${Math.max(8, Math.min(open.at.y - 14, height - 130 - 18 * lines.length))}px`, width: `${wide}px` };
  const wrong = (store.checked.value?.diagnostics ?? []).filter((d) => d.file === statement.file && d.begin !== undefined && d.begin >= statement.begin && d.begin <= statement.end);
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      statement.write(statement.before);
      attempt(statement.flush());
      close();
    } else if (event.key === "Enter" && !event.shiftKey) {
      attempt(statement.flush());
      close();
    } else if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
      attempt(statement.save());
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="value-editor in-place" role="dialog" aria-label="Text of the statement" style={style}>
      <textarea
        ref={field} aria-label="Text of the statement" spellcheck={false} rows={Math.min(12, lines.length)} onKeyDown={press}
        onInput={(event) => statement.write(event.currentTarget.value)}
      >{statement.before}</textarea>
      {wrong.slice(0, 2).map((each, i) => <p key={i} class={each.severity} role="status">{each.message}{each.help === undefined ? "" : ` (${each.help})`}</p>)}
      <p class="empty"><kbd>Enter</kbd> done · <kbd>Escape</kbd> as before · <kbd>Ctrl S</kbd> save the file</p>
    </div>
  );
}
