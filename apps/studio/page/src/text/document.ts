// One text of the server in the editor. What is typed goes to the server as edits, a little later; what others change comes back as edits.
// The text of the server is the document: if the two do not agree, the server's is taken.

import { ChangeSet, type Text } from "@codemirror/state";
import { CallFailed } from "../server.ts";
import { attempt, call, on } from "../session.ts";
import * as store from "../store.ts";
import { fromBytes, hasReturns, toBytes } from "./offsets.ts";

export interface TextState {
  readonly saved: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly readOnly: boolean;
  readonly conflict: boolean;
}

interface Edit {
  readonly begin: number;
  readonly end: number;
  readonly text: string;
}

interface Status {
  version: number;
  saved: boolean;
  can_undo: boolean;
  can_redo: boolean;
  kept?: boolean;
}

interface Opened extends Status {
  text: string;
  read_only: boolean;
  conflict: boolean;
}

export interface DocumentEvents {
  /** Another text altogether. */
  reset(text: string): void;
  /** Changes that were made elsewhere. */
  changed(changes: readonly { readonly from: number; readonly to: number; readonly insert: string }[]): void;
  state(state: TextState): void;
  /** The text as it stands in the editor. */
  current(): string;
}

const sendAfter = 80;

export class ServerDocument {
  private version = 0;
  private pending: ChangeSet | undefined;
  private before: Text | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> = Promise.resolve();
  private state: TextState = { saved: true, canUndo: false, canRedo: false, readOnly: false, conflict: false };
  private readonly silence: (() => void)[] = [];
  /** The server's lines end with a carriage return, which the editor does not see. */
  private returns = false;
  /** A text.edit is on its way. */
  private editing = false;

  constructor(readonly file: string, private readonly events: DocumentEvents) {
    this.silence.push(
      on("text.changed", (data) => {
        if (data.file === file) this.hear(data as unknown as Status & { edits: Edit[] });
      }),
      on("text.disk", (data) => {
        if (data.file === file) this.tell({ conflict: data.state === "conflict", saved: data.state === "saved" ? true : this.state.saved });
      }),
    );
  }

  async open(): Promise<void> {
    this.take(await call<Opened>("text.open", { file: this.file }));
  }

  private take(opened: Opened): void {
    this.version = opened.version;
    this.pending = this.before = undefined;
    this.returns = hasReturns(opened.text);
    this.events.reset(this.received(opened.text));
    this.tell({ saved: opened.saved, canUndo: opened.can_undo, canRedo: opened.can_redo, readOnly: opened.read_only, conflict: opened.conflict });
  }

  /** The connection was lost and is there again. What was typed meanwhile is sent where the server's text is still the one before it. */
  async resume(): Promise<void> {
    const opened = await call<Opened>("text.open", { file: this.file });
    if (this.before === undefined || this.before.toString() !== this.received(opened.text)) {
      this.take(opened);
      return;
    }
    this.version = opened.version;
    await this.flush();
  }

  /** Where a byte of the server's text is in the editor's. */
  place(text: string, offset: number): number {
    return Math.min(fromBytes(text, offset, this.returns), text.length);
  }

  close(): void {
    this.flush().catch(() => undefined).finally(() => call("text.close", { file: this.file }).catch(() => undefined));
    this.silence.forEach((each) => each());
  }

  /** The person typed. */
  typed(changes: ChangeSet, before: Text): void {
    this.before ??= before;
    this.pending = this.pending === undefined ? changes : this.pending.compose(changes);
    this.tell({ saved: false });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => attempt(this.flush()), sendAfter);
  }

  flush(): Promise<void> {
    clearTimeout(this.timer);
    const sent = this.sending.then(() => this.send());
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  async save(overwrite = false): Promise<void> {
    await this.flush();
    const { version, saved } = await call<Status>("text.save", { file: this.file, version: this.version, ...(overwrite ? { overwrite: true } : {}) });
    this.version = version;
    this.tell({ saved, conflict: false });
  }

  async takeDisk(): Promise<void> {
    await this.flush();
    await call("text.take_disk", { file: this.file, version: this.version });
  }

  async undo(): Promise<void> {
    await this.flush();
    if (this.state.canUndo) await call("text.undo", { file: this.file, version: this.version });
  }

  async redo(): Promise<void> {
    await this.flush();
    if (this.state.canRedo) await call("text.redo", { file: this.file, version: this.version });
  }

  private async send(): Promise<void> {
    const changes = this.pending, before = this.before;
    if (changes === undefined || before === undefined) return;
    this.pending = this.before = undefined;
    const text = before.toString();
    const edits: Edit[] = [];
    changes.iterChanges((from, to, _fromB, _toB, inserted) => {
      const begin = toBytes(text, from, this.returns);
      edits.push({ begin, end: begin + toBytes(text.slice(from, to), to - from, this.returns), text: inserted.toString().replaceAll("\n", this.returns ? "\r\n" : "\n") });
    });
    this.editing = true;
    try {
      const status = await call<Status>("text.edit", { file: this.file, version: this.version, edits, join: true });
      this.version = status.version;
      if (status.kept === false) store.notice.value = { text: "What you type is not kept for a crash: its folder takes no more.", help: "Make room on the disk, or save the file.", error: true };
      this.tell({ saved: status.saved, canUndo: status.can_undo, canRedo: status.can_redo });
    } catch (reason) {
      if (reason instanceof CallFailed && reason.reason.code === "stale") {
        await this.open();
        return;
      }
      // It stays to be sent.
      this.before = before;
      this.pending = this.pending === undefined ? changes : changes.compose(this.pending);
      throw reason;
    } finally {
      this.editing = false;
    }
  }

  private hear(data: Status & { edits: Edit[]; by?: number }): void {
    // Our own edits come back: with the version that their answer has told, or is about to tell.
    const own = this.editing && data.by === store.hello.value?.connection;
    if (own || data.version <= this.version) {
      this.version = Math.max(this.version, data.version);
      this.tell({ saved: data.saved, canUndo: data.can_undo, canRedo: data.can_redo });
      return;
    }
    const text = this.events.current();
    const otherLines = this.returns && data.edits.some((edit) => edit.text.includes("\n") && !hasReturns(edit.text));
    if (this.pending !== undefined || data.version !== this.version + 1 || otherLines) {
      void this.open();
      return;
    }
    this.version = data.version;
    this.events.changed(data.edits.map(({ begin, end, text: insert }) => ({ from: this.place(text, begin), to: this.place(text, end), insert: this.received(insert) })));
    this.tell({ saved: data.saved, canUndo: data.can_undo, canRedo: data.can_redo });
  }

  private received(text: string): string {
    return this.returns ? text.replaceAll("\r\n", "\n") : text;
  }

  private tell(change: Partial<TextState>): void {
    this.state = { ...this.state, ...change };
    this.events.state(this.state);
  }
}
