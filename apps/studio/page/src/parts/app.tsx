import { useEffect } from "preact/hooks";
import * as store from "../store.ts";
import { Dock } from "./dock.tsx";
import { Header } from "./header.tsx";
import { listenToKeys } from "./keys.ts";
import { PictureView } from "./picture-view.tsx";
import { RunBar } from "./run-bar.tsx";

export function App() {
  useEffect(listenToKeys, []);
  return (
    <div class="app">
      <Header />
      <main class="picture">
        {store.sheet.value !== undefined && <PictureView key={store.model.value?.id} sheet={store.sheet.value} />}
        <Notice />
        <Veil />
      </main>
      <Dock />
      <RunBar />
    </div>
  );
}

function Notice() {
  const notice = store.notice.value;
  if (notice === undefined) return null;
  return (
    <div class={`notice ${notice.error ? "error" : ""}`} role={notice.error ? "alert" : "status"}>
      <div>
        <p>{notice.text}</p>
        {notice.help !== "" && <p class="help">{notice.help}</p>}
      </div>
      <button class="icon" aria-label="Close the message" onClick={() => { store.notice.value = undefined; }}>✕</button>
    </div>
  );
}

function Veil() {
  const { value } = store.connection;
  if (value === "open" && store.model.value !== undefined) return null;
  if (value === "open" && store.files.value.length > 0) return null;
  return (
    <div class="veil" role="status">
      {value === "connecting" && <p>Opening …</p>}
      {value === "lost" && <><h2>The studio does not answer</h2><p>Has it been ended in its terminal? When it is started again on the same port, this page goes on by itself.</p></>}
      {value === "refused" && <><h2>This page belongs to another start of the studio</h2><p>Use the address that <code>cutset studio</code> printed last.</p></>}
      {value === "open" && <><h2>No model here</h2><p>There is no file of a language that Cutset reads in {store.hello.value?.directory}.</p></>}
    </div>
  );
}
