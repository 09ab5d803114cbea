// The text of the model in an editor, with what the check says about it.

import { useEffect, useRef, useState } from "preact/hooks";
import { attempt } from "../session.ts";
import { CallFailed } from "../server.ts";
import * as store from "../store.ts";
import type { TextState } from "../text/document.ts";
import type { Editor } from "../text/editor.ts";

export function TextPanel() {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const [state, setState] = useState<TextState | undefined>(undefined);
  const [conflict, setConflict] = useState(false);
  const [ready, setReady] = useState("");
  const file = store.textAt.value?.file ?? store.model.value?.file;
  useEffect(() => {
    if (file === undefined) return;
    let closed = false;
    // The editor is half of the page: it comes when it is wanted.
    attempt(import("../text/editor.ts").then(({ Editor: Made }) => {
      if (closed) return;
      editor.current = new Made(host.current!, file, setState);
      setReady(file);
    }, () => { throw new CallFailed({ code: "lost", message: "the studio does not answer" }); }));
    return () => {
      closed = true;
      editor.current?.close();
      editor.current = undefined;
    };
  }, [file]);
  useEffect(() => {
    const at = store.textAt.value;
    if (at !== undefined && at.file === file) editor.current?.goTo(at.begin);
  }, [store.textAt.value, ready]);
  useEffect(() => editor.current?.mark(store.checked.value?.diagnostics ?? []), [store.checked.value, ready]);

  const save = (overwrite: boolean): void => {
    setConflict(false);
    editor.current?.save(overwrite).catch((reason: unknown) => {
      if (reason instanceof CallFailed && reason.reason.code === "conflict") setConflict(true);
      else attempt(Promise.reject(reason));
    });
  };
  const inConflict = conflict || state?.conflict === true;
  return (
    <>
      <header>
        <h2>{file}{state?.saved === false ? " •" : ""}</h2>
        <span class="spacer" />
        {state?.readOnly === true ? <span class="empty">read only</span> : (
          <>
            <button disabled={state?.canUndo !== true} title="Ctrl Z" onClick={() => attempt(editor.current!.undo())}>Undo</button>
            <button disabled={state?.canRedo !== true} title="Ctrl Y" onClick={() => attempt(editor.current!.redo())}>Redo</button>
            <button class="framed" disabled={state?.saved !== false} title="Ctrl S" onClick={() => save(false)}>Save</button>
          </>
        )}
      </header>
      {inConflict && (
        <div class="row" role="alert" style={{ padding: "0 12px" }}>
          <span>Another program changed the file.</span>
          <button class="framed" onClick={() => save(true)}>Keep this text</button>
          <button class="framed" onClick={() => { setConflict(false); attempt(editor.current!.takeDisk()); }}>Take the file’s (can be undone)</button>
        </div>
      )}
      <div class="body flush"><div ref={host} class="shadow-host" /></div>
    </>
  );
}
