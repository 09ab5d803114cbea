// Colours of the text in the editor: enough to read by. What the text means is known by the server.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const keywords = new Set((
  "model type end submodel cut path node main parameter constant local terminal input output default connect at to from loop par library function external record connector package " +
  "if then else elseif elsif and or not der when do until init reinit sample valid for in while new initial time nominal extends annotation equation algorithm " +
  "CONTINUOUS DISCRETE CONNECTING SYSTEM END STATE DER NEW INPUT OUTPUT TIME TSAMP INITIAL SORT IF THEN ELSE AND OR NOT"
).split(" "));

interface State {
  inComment: boolean;
}

const language = StreamLanguage.define<State>({
  name: "cutset",
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment) {
      if (stream.skipTo("}")) {
        stream.next();
        state.inComment = false;
      } else {
        stream.skipToEnd();
      }
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("--")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.eat("{")) {
      state.inComment = true;
      return "comment";
    }
    if (stream.eat("\"")) {
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

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
]);

export const coloured = [language, syntaxHighlighting(colours)];
