// Colours of the text in the editor: enough to read by. What the text means is known by the server.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

/** How a language is coloured: where comments begin, to the end of the line or to their own end, and its words. */
interface Look {
  readonly line: string;
  readonly block: readonly [string, string] | undefined;
  readonly strings: boolean;
  readonly words: string;
}

const looks: Readonly<Record<string, Look>> = {
  dymola: {
    line: "--", block: ["{", "}"], strings: true,
    words: "model type end submodel cut path node main parameter constant local terminal input output default connect at to from loop par library function external record " +
      "if then else elseif elsif and or not der when do until init reinit sample valid for in while new initial time nominal case of table experiment",
  },
  simnon: {
    line: "\"", block: undefined, strings: false,
    words: "CONTINUOUS DISCRETE CONNECTING SYSTEM END STATE DER NEW INPUT OUTPUT TIME TSAMP INITIAL SORT IF THEN ELSE AND OR NOT " +
      "continuous discrete connecting system end state der new input output time tsamp initial sort if then else and or not",
  },
  modelica: {
    line: "//", block: ["/*", "*/"], strings: true,
    words: "model block class connector record package type function operator end extends import within partial encapsulated replaceable redeclare constrainedby inner outer final each " +
      "parameter constant discrete input output flow stream protected public equation algorithm initial connect if then else elseif for in loop while when elsewhen break return " +
      "and or not der annotation external enumeration expandable impure pure true false time",
  },
  omola: {
    line: "%", block: undefined, strings: true,
    words: "ISA IS A AN WITH END TYPE TO AT WHEN SELECT DO FOR UNKNOWN new dot terminals parameters variables realization realizations submodels connections equations events constraints attributes",
  },
  el: {
    line: "--", block: ["/*", "*/"], strings: true,
    words: "COMPONENT PORT PARTITION EXPERIMENT FUNCTION LIBRARY USE ON IS_A ABSTRACT END DATA DECLS INIT DISCRETE CONTINUOUS TOPOLOGY PORTS BODY BOUNDS CONNECT PATH TO IN OUT SUM EQUAL REAL INTEGER BOOLEAN " +
      "STRING ENUM CONST DISCR IF THEN ELSE ELSEIF INSERT WHEN AFTER AT EXPAND EXPAND_BLOCK FOR WHILE ZONE OTHERS ASSERT INTEG TIME TSTOP CINT UNITS RANGE AND OR NOT TRUE FALSE",
  },
};

interface State {
  inComment: boolean;
}

function languageOf({ line, block, strings, words }: Look): Extension {
  const keywords = new Set(words.split(" "));
  return StreamLanguage.define<State>({
    name: "cutset",
    startState: () => ({ inComment: false }),
    token(stream, state) {
      if (state.inComment && block !== undefined) {
        if (stream.skipTo(block[1])) {
          stream.match(block[1]);
          state.inComment = false;
        } else {
          stream.skipToEnd();
        }
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (stream.match(line)) {
        stream.skipToEnd();
        return "comment";
      }
      if (block !== undefined && stream.match(block[0])) {
        state.inComment = true;
        return "comment";
      }
      if (strings && stream.eat("\"")) {
        if (!stream.skipTo("\"")) stream.skipToEnd();
        else stream.next();
        return "string";
      }
      if (stream.match(/^\d+\.?\d*([eE][-+]?\d+)?/)) return "number";
      const word = stream.match(/^[A-Za-z_]\w*/);
      if (word !== null && typeof word === "object") return keywords.has(word[0]) ? "keyword" : "variableName";
      stream.next();
      return "operator";
    },
  });
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
]);

/** The language of a file, by its ending. */
export function languageName(file: string): string {
  const ending = file.slice(file.lastIndexOf(".") + 1);
  return { t: "simnon", mo: "modelica", om: "omola", el: "el" }[ending] ?? "dymola";
}

export function coloured(file: string): Extension {
  return [languageOf(looks[languageName(file)]!), syntaxHighlighting(colours)];
}
