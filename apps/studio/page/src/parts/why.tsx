// Why a variable has its value: the equations from which it follows, in the order of computation; each flies to its place.

import { useEffect, useState } from "preact/hooks";
import type { Why, WhyStep } from "../protocol.ts";
import { plotTogether } from "../run/plots.ts";
import { ownSteps } from "../model/why.ts";
import { ask } from "../session.ts";
import * as store from "../store.ts";
import { flyToStatement, flyToVariable, pathFrom } from "../view-actions.ts";
import { showWhy } from "./panels.ts";

export function WhyPanel() {
  const path = store.whyPath.value;
  const [why, setWhy] = useState<Why | undefined>(undefined);
  const [refused, setRefused] = useState("");
  const [typed, setTyped] = useState("");
  useEffect(() => {
    let current = true;
    setWhy(undefined);
    setRefused("");
    store.lit.value = store.nothingLit;
    if (path === undefined) return;
    ask<Why>("why", { path })
      .then((result) => {
        if (!current) return;
        setWhy(result);
        store.lit.value = {
          blocks: new Set(result.steps.map((step) => step.submodel ?? "").filter((submodel) => submodel !== "")),
          equations: result.steps.flatMap(({ submodel, file, begin }) => file === undefined || begin === undefined ? [] : [{ path: submodel ?? "", file, begin, iterated: false }]),
        };
      })
      .catch((reason: Error) => { if (current) setRefused(reason.message); });
    return () => {
      current = false;
      store.lit.value = store.nothingLit;
    };
  }, [path, store.checked.value]);
  return (
    <>
      <header>
        <h2>Why</h2>
        <span class="spacer" />
        <form onSubmit={(event) => { event.preventDefault(); if (typed.trim() !== "") showWhy(typed.trim()); }}>
          <input type="text" aria-label="Variable" placeholder="a variable" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </form>
      </header>
      <div class="body">
        {path === undefined && <p class="empty">Choose “Why?” in the menu of a variable of the picture, or write its name above: the equations that it follows from are listed and lit.</p>}
        {path !== undefined && (
          <div class="row">
            <b class="code">{path}</b>
            <button class="framed" onClick={() => { const names = pathFrom(path.replace(/^der\((.*)\)$/, "$1")); flyToVariable(names.slice(0, -1), names.at(-1)!); }}>Show</button>
            <button class="framed" onClick={() => plotTogether(path, [path])}>Plot</button>
          </div>
        )}
        {refused !== "" && <p class="empty">{refused}</p>}
        {why !== undefined && <WhyView why={why} path={path ?? ""} />}
      </div>
    </>
  );
}

function WhyView({ why, path }: { why: Why; path: string }) {
  const { steps: own, system } = ownSteps(why.steps, path);
  const chips = (title: string, paths: readonly string[] | undefined) => paths === undefined || paths.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <div class="chips">{paths.map((path) => <button key={path} onClick={() => showWhy(path)}>{path}</button>)}</div>
    </>
  );
  return (
    <>
      {why.sentence !== undefined && why.sentence !== "" && <p>{why.sentence}</p>}
      {own.length > 0 && (
        <>
          <h3>{system > 0 ? `It is found with the other variables of loop ${system}; these equations have it` : "Its equation"}</h3>
          {own.map((step, i) => <StepView key={i} step={step} number={why.steps.indexOf(step) + 1} />)}
        </>
      )}
      {why.steps.length > 1 && <h3>Computed in this order</h3>}
      {why.steps.map((step, i) => <StepView key={i} step={step} number={i + 1} />)}
      {chips("From the states", why.states)}
      {chips("From the inputs", why.inputs)}
      {chips("From the discrete variables", why.discretes)}
      {chips("From the parameters", why.parameters)}
    </>
  );
}

export function StepView({ step, number }: { step: Pick<WhyStep, "equation" | "submodel" | "file" | "begin" | "line" | "system">; number: number }) {
  const go = (): void => {
    if (step.file !== undefined && step.begin !== undefined) flyToStatement(pathFrom(step.submodel ?? ""), { file: step.file, begin: step.begin });
  };
  return (
    <button class={`step ${step.system > 0 ? "loop" : ""}`} onClick={go} title={step.system > 0 ? `Solved together with the others of loop ${step.system}` : "Fly to this equation"}>
      <span class="count">{number}</span>
      <span>
        <span class="code">{step.equation}</span>
        <span class="where">{[step.submodel ?? "", step.line === undefined ? "" : `line ${step.line}`].filter((text) => text !== "").join(", ")}</span>
      </span>
    </button>
  );
}
