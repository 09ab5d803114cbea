// Search for a block or a variable by a part of its name, and fly there.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Block } from "../model/block.ts";
import type { Quantity } from "../protocol.ts";
import { ask } from "../session.ts";
import * as store from "../store.ts";
import * as actions from "../view-actions.ts";
import { showWhy } from "./panels.ts";

interface Found {
  readonly path: string;
  readonly about: string;
  readonly variable: boolean;
}

interface Instance {
  readonly path: string;
  readonly class: string;
}

const most = 12;
/** As long as the check is the same, so are the instances. */
let instances: { readonly of: unknown; readonly list: readonly Instance[] } | undefined;

async function allInstances(): Promise<readonly Instance[]> {
  const of = store.checked.value;
  if (instances === undefined || instances.of !== of) {
    try {
      instances = { of, list: (await ask<{ instances: Instance[] }>("instances", { path: "" })).instances };
    } catch {
      // A model with errors has no instances: what has been seen of it is searched.
      const list: Instance[] = [];
      const collect = (block: Block): void => {
        for (const child of block.children) {
          list.push({ path: child.path.slice(1).join("."), class: child.use.className });
          if (store.pictures.value.has(child.use.key)) collect(child);
        }
      };
      const top = store.sheet.value?.children[0];
      if (top !== undefined) collect(top);
      return list;
    }
  }
  return instances?.list ?? [];
}

/** Names that begin with the word come first, then shorter paths. */
function rank(path: string, word: string): number {
  const name = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return (name === word ? 0 : name.startsWith(word) ? 1000 : name.includes(word) ? 2000 : 3000) + path.length;
}

async function find(word: string): Promise<Found[]> {
  const lower = word.toLowerCase();
  const blocks = (await allInstances()).filter((i) => i.path.toLowerCase().includes(lower)).map((i): Found => ({ path: i.path, about: i.class, variable: false }));
  let variables: Found[] = [];
  try {
    const { quantities } = await ask<{ quantities: Quantity[] }>("quantities", { match: `*${word}*`, limit: 60 });
    variables = quantities.map((q) => ({ path: q.path, about: [q.kind === "other" ? "" : q.kind, q.unit ?? "", q.description ?? ""].filter((t) => t !== "").join(", "), variable: true }));
  } catch {
    // No variables are known of a model with errors.
  }
  const byRank = (a: Found, b: Found): number => rank(a.path, lower) - rank(b.path, lower) || Number(a.variable) - Number(b.variable);
  return [...blocks, ...variables].sort(byRank).slice(0, most);
}

function goTo(found: Found): void {
  store.searching.value = false;
  document.querySelector<HTMLElement>("canvas.sheet")?.focus({ preventScroll: true });
  if (!found.variable) {
    actions.flyToBlock(actions.pathFrom(found.path));
    return;
  }
  const names = actions.pathFrom(found.path.replace(/^der\((.*)\)$/, "$1"));
  actions.flyToVariable(names.slice(0, -1), names.at(-1)!);
}

export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<readonly Found[]>([]);
  const [word, setWord] = useState("");
  const [at, setAt] = useState(0);
  const open = store.searching.value;
  useEffect(() => {
    if (open) input.current?.select();
    else setWord("");
  }, [open]);
  useEffect(() => {
    let current = true;
    setAt(0);
    if (word === "") setFound([]);
    else void find(word).then((list) => { if (current) setFound(list); });
    return () => { current = false; };
  }, [word]);
  if (!open) return null;
  const press = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Escape") store.searching.value = false;
    else if (event.key === "Enter" && found[at] !== undefined) {
      if (event.ctrlKey && found[at].variable) {
        store.searching.value = false;
        showWhy(found[at].path);
      } else goTo(found[at]);
    } else return;
    event.preventDefault();
  };
  return (
    <div class="search" role="search">
      <input
        ref={input} type="text" placeholder="A block or a variable" aria-label="Search" autocomplete="off" spellcheck={false} role="combobox" aria-expanded={found.length > 0}
        aria-controls="found" aria-activedescendant={found[at] === undefined ? undefined : `found${at}`} value={word}
        onInput={(event) => setWord(event.currentTarget.value.trim())} onKeyDown={press}
        onBlur={(event) => { if (!(event.relatedTarget instanceof HTMLElement)) setTimeout(() => { store.searching.value = false; }, 150); }}
      />
      {found.length > 0 && (
        <ul id="found" role="listbox">
          {found.map((each, i) => (
            <li key={`${each.variable} ${each.path}`} id={`found${i}`} role="option" aria-selected={i === at} onPointerDown={() => goTo(each)} onPointerEnter={() => setAt(i)}>
              <span class={each.variable ? "code" : ""}>{each.path}</span>
              <span class="where">{each.about}</span>
            </li>
          ))}
        </ul>
      )}
      {word !== "" && found.length === 0 && <p class="none">Nothing is called so.</p>}
    </div>
  );
}
