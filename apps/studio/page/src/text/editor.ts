// The editor: CodeMirror in a shadow root, since the styles that it makes would be refused in the page itself by its content policy.

import { autocompletion, closeBrackets, closeBracketsKeymap, completeAnyWord, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic as Mark, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { effect } from "@preact/signals";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import type { Diagnostic } from "../protocol.ts";
import { attempt } from "../session.ts";
import * as store from "../store.ts";
import { ServerDocument, type TextState } from "./document.ts";
import { coloured } from "./language.ts";

/** Changes that came from the server. */
const remote = Annotation.define<boolean>();

const looks = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--soft)", border: "none", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 26%, transparent) !important" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".tok-keyword": { color: "var(--outline)" },
  ".tok-comment": { color: "var(--good)" },
  ".tok-string": { color: "var(--warning)" },
  ".tok-number": { color: "var(--warning)" },
});

export class Editor {
  private readonly view: EditorView;
  private readonly document: ServerDocument;
  private readonly editable = new Compartment();
  private diagnostics: readonly Diagnostic[] = [];
  private wanted: number | undefined;
  private readonly unfollow: () => void;
  private readOnly = false;

  constructor(host: HTMLElement, private readonly file: string, onState: (state: TextState) => void) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.replaceChildren();
    const holder = document.createElement("div");
    holder.style.height = "100%";
    root.append(holder);
    this.view = new EditorView({ parent: holder, root, state: this.stateOf("") });
    this.view.scrollDOM.tabIndex = 0;  // scrolled by keys also where the text is read only
    this.document = new ServerDocument(file, {
      reset: (text) => {
        const at = this.view.state.selection.main.head;
        this.view.setState(this.stateOf(text));
        this.view.dispatch({ selection: { anchor: Math.min(at, text.length) } });
        this.mark(this.diagnostics);
        if (this.wanted !== undefined) this.goTo(this.wanted);
      },
      changed: (changes) => this.view.dispatch({ changes: [...changes], annotations: remote.of(true) }),
      current: () => this.view.state.doc.toString(),
      state: (state) => {
        this.readOnly = state.readOnly;
        this.allow();
        onState(state);
      },
    });
    attempt(this.document.open());
    let lost = false;
    this.unfollow = effect(() => {
      const open = store.connection.value === "open";
      if (open && lost) attempt(this.document.resume());
      lost = !open;
      this.allow();
    });
  }

  /** Nothing is typed that could be lost. */
  private allow(): void {
    this.view.dispatch({ effects: this.editable.reconfigure(EditorState.readOnly.of(this.readOnly || store.connection.peek() !== "open")) });
  }

  /** Shows a place of the text: bytes. */
  goTo(begin: number): void {
    if (this.view.state.doc.length === 0) {
      this.wanted = begin;
      return;
    }
    this.wanted = undefined;
    const at = this.document.place(this.view.state.doc.toString(), begin);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  mark(diagnostics: readonly Diagnostic[]): void {
    this.diagnostics = diagnostics;
    const text = this.view.state.doc.toString();
    const marks = diagnostics.filter((d) => d.file === this.document.file && d.begin !== undefined).map((d): Mark => {
      const from = this.document.place(text, d.begin!), to = Math.max(from, this.document.place(text, d.end ?? d.begin!));
      return { from, to, severity: d.severity === "note" ? "info" : d.severity, message: d.help === undefined ? d.message : `${d.message}\n${d.help}` };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  save(overwrite = false): Promise<void> { return this.document.save(overwrite); }
  takeDisk(): Promise<void> { return this.document.takeDisk(); }
  undo(): Promise<void> { return this.document.undo(); }
  redo(): Promise<void> { return this.document.redo(); }

  close(): void {
    this.unfollow();
    this.document.close();
    this.view.destroy();
  }

  private stateOf(text: string): EditorState {
    const act = (action: () => Promise<void>) => () => {
      attempt(action());
      return true;
    };
    return EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: "Mod-s", run: act(() => this.save()), preventDefault: true },
          { key: "Mod-z", run: act(() => this.undo()), preventDefault: true },
          { key: "Mod-y", run: act(() => this.redo()), preventDefault: true },
          { key: "Mod-Shift-z", run: act(() => this.redo()), preventDefault: true },
        ]),
        EditorState.lineSeparator.of("\n"),  // every other character is one of the text, so that places agree
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), bracketMatching(), closeBrackets(), indentOnInput(), highlightSelectionMatches(),
        lintGutter(), search({ top: true }), autocompletion({ override: [completeAnyWord] }), coloured(this.file), looks, EditorView.lineWrapping,
        EditorState.allowMultipleSelections.of(true),
        this.editable.of(EditorState.readOnly.of(false)),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...lintKeymap, indentWithTab, ...defaultKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "Text of the model" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((transaction) => transaction.annotation(remote) === true)) this.document.typed(update.changes, update.startState.doc);
        }),
      ],
    });
  }
}
