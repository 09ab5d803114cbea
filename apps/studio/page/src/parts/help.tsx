import { keyList } from "./keys.ts";

const mouse: readonly (readonly [string, string])[] = [
  ["drag", "move the picture"],
  ["wheel", "zoom at the cursor; on a trackpad two fingers move, pinching zooms"],
  ["right and middle button", "zoom: up is in, down is out"],
  ["double click, middle button", "zoom to the object: a block or an interface fills the window, a text its width; on a line out by one level, on nothing to 70 %"],
  ["click", "what can be done with the object; on a line while there is a run: the curves of its variables"],
  ["the axis of time", "drag: the picture shows that instant"],
  ["in a plot", "drag: zoom; double click: the picture shows that instant"],
];

export function HelpPanel() {
  return (
    <>
      <header><h2>Keys and mouse</h2></header>
      <div class="body">
        <table><tbody>{keyList.map(([key, what]) => <tr key={key}><td><kbd>{key}</kbd></td><td>{what}</td></tr>)}</tbody></table>
        <h3>Mouse</h3>
        <table><tbody>{mouse.map(([how, what]) => <tr key={how}><td>{how}</td><td>{what}</td></tr>)}</tbody></table>
      </div>
    </>
  );
}
