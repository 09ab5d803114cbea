import { ask, attempt, openModel } from "../session.ts";
import * as store from "../store.ts";
import * as actions from "../view-actions.ts";
import { chain } from "../view/camera.ts";
import { download, offer } from "./download.ts";
import { nextTheme } from "./keys.ts";

export function Header() {
  const go = actions.canGo.value;
  return (
    <header class="head">
      <span class="brand">Cutset</span>
      <FileChoice />
      <ClassChoice />
      <button class="icon" aria-label="View before" title="View before  (Alt ←)" disabled={!go.back} onClick={actions.back}>‹</button>
      <button class="icon" aria-label="View after" title="View after  (Alt →)" disabled={!go.forward} onClick={actions.forward}>›</button>
      <Crumbs />
      <span class="spacer" />
      <button class="framed" title="Search and fly there  (/)" onClick={() => { store.searching.value = true; }}>Search <kbd>/</kbd></button>
      <Status />
      <select class="save" aria-label="Save a picture" title="Save a picture" value="" disabled={store.sheet.value === undefined} onChange={(event) => { save(event.currentTarget.value); event.currentTarget.value = ""; }}>
        <option value="">⇩</option>
        <option value="svg">this view, SVG</option>
        <option value="pdf">this view, PDF</option>
        <option value="model">the whole model, PDF pages</option>
      </select>
      <button class="icon" aria-label={`Colours: ${store.theme.value}`} title={`Colours: ${store.theme.value}  (Shift F)`} onClick={nextTheme}>
        {store.theme.value === "system" ? "◐" : store.theme.value === "light" ? "○" : "●"}
      </button>
      <button class="icon" aria-label="Keys and help" title="Keys and help  (?)" aria-pressed={store.panel.value === "help"} onClick={() => { store.panel.value = store.panel.value === "help" ? undefined : "help"; }}>?</button>
    </header>
  );
}

function save(what: string): void {
  const model = store.sheet.value?.children[0];
  if (what === "model" && model !== undefined) {
    attempt(ask<{ name: string; type: string; base64: string }>("hardcopy", { what: "model", key: model.use.key, format: "pdf" }).then(download));
    return;
  }
  if (what !== "svg" && what !== "pdf") return;
  const text = actions.hardcopy(what);
  const name = store.focus.value?.name ?? store.model.value?.className ?? "view";
  if (text !== undefined) offer(`${name}.${what}`, new Blob([text], { type: what === "svg" ? "image/svg+xml" : "application/pdf" }));
}

function FileChoice() {
  const files = store.files.value.filter((entry) => !entry.read_only);
  if (files.length < 2) return null;
  return (
    <select
      aria-label="File" value={store.model.value?.file ?? ""}
      onChange={(event) => attempt(openModel(event.currentTarget.value))}
    >
      {files.map(({ file, unsaved }) => <option key={file} value={file}>{file}{unsaved ? " •" : ""}</option>)}
    </select>
  );
}

/** Which model of the file, where it has several that run by themselves. */
function ClassChoice() {
  const model = store.model.value;
  const runnable = store.classes.value.filter((entry) => entry.runnable && entry.main_file);
  if (model === undefined || runnable.length < 2) return null;
  const shown = runnable.find((entry) => entry.key === store.sheet.value?.children[0]?.use.key);
  return (
    <select aria-label="Model" value={shown?.key ?? ""} onChange={(event) => attempt(openModel(model.file, event.currentTarget.value))}>
      {shown === undefined && <option value="">{model.className}</option>}
      {runnable.map(({ key, title }) => <option key={key} value={key} title={title}>{key}</option>)}
    </select>
  );
}

/** Where one is: the blocks around the one that fills the window, and it. */
function Crumbs() {
  const focus = store.focus.value ?? store.sheet.value?.children[0];
  if (focus === undefined) return null;
  const blocks = chain(focus).slice(1);
  return (
    <nav class="crumbs" aria-label="Where the view is">
      {blocks.map((block, i) => (
        <>
          {i > 0 && <span aria-hidden="true">›</span>}
          <button key={block.path.join(".")} aria-current={i === blocks.length - 1 ? "location" : undefined} onClick={() => actions.flyToBlock(block.path.slice(1))}>{block.name}</button>
        </>
      ))}
    </nav>
  );
}

/** What the check says, in three words. */
function Status() {
  const checked = store.checked.value;
  if (checked === undefined) return store.model.value === undefined ? null : <span class="status">checking …</span>;
  const errors = checked.diagnostics.filter((d) => d.severity === "error").length;
  const warnings = checked.diagnostics.filter((d) => d.severity === "warning").length;
  const counts = checked.counts;
  const text = errors > 0 ? `${errors} ${errors === 1 ? "error" : "errors"}`
    : warnings > 0 ? `${warnings} ${warnings === 1 ? "warning" : "warnings"}`
    : counts?.equations === undefined ? "correct" : `${counts.equations} equations, ${counts.states ?? 0} states`;
  return (
    <button class={`status ${errors > 0 ? "bad" : warnings > 0 ? "warn" : "good"}`} title="What the check says" onClick={() => { store.panel.value = "problems"; }}>
      {errors > 0 ? "✕ " : warnings > 0 ? "! " : "✓ "}{text}
    </button>
  );
}
