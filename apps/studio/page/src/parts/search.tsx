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

/** Words in the name count more than words in the path, and these more than words in what is said about it; then shorter paths come first. */
export function rank(path: string, about: string, words: readonly string[]): number | undefined {
  const lower = path.toLowerCase(), name = lower.slice(lower.lastIndexOf(".") + 1), said = about.toLowerCase();
  let sum = lower.length;
  for (const word of words) {
    if (name === word) continue;
    if (name.startsWith(word)) sum += 1000;
    else if (name.includes(word)) sum += 2000;
    else if (lower.includes(word)) sum += 3000;
    else if (said.includes(word)) sum += 5000;
    else return undefined;
  }
  return sum;
}

async function find(text: string): Promise<Found[]> {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const about = new Map(store.classes.value.map((entry) => [entry.name, entry]));
  const found: { readonly rank: number; readonly found: Found }[] = [];
  for (const { path, class: name } of await allInstances()) {
    const known = about.get(name);
    const at = rank(path, known === undefined ? name : `${name} ${known.title} ${known.documentation}`, words);
    if (at !== undefined) found.push({ rank: at, found: { path, about: known?.title || name, variable: false } });
  }
  try {
    const { quantities } = await ask<{ quantities: Quantity[] }>("quantities", { words, limit: 200 });
    for (const q of quantities) {
      const told = [q.kind === "other" ? "" : q.kind, q.unit ?? "", q.description ?? ""].filter((t) => t !== "").join(", ");
      const at = rank(q.path, told, words);
      if (at !== undefined) found.push({ rank: at + 0.5, found: { path: q.path, about: told, variable: true } });
    }
  } catch {
    // No variables are known of a model with errors.
  }
  return found.sort((a, b) => a.rank - b.rank).slice(0, most).map((each) => each.found);
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
    if (word.trim() === "") setFound([]);
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
        ref={input} type="text" placeholder="A block or a variable, or words about it" aria-label="Search" autocomplete="off" spellcheck={false} role="combobox" aria-expanded={found.length > 0}
        aria-controls="found" aria-activedescendant={found[at] === undefined ? undefined : `found${at}`} value={word}
        onInput={(event) => setWord(event.currentTarget.value)} onKeyDown={press}
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
      {word.trim() !== "" && found.length === 0 && <p class="none">Nothing is called so.</p>}
    </div>
  );
}
