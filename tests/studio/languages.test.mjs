// Models of every language that Cutset reads: drawn, run, and edited in their text.

import { after, describe, test } from "node:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, block, closeBrowser, flyTo, mirror, onPage, opened, rest, runIs } from "./studio.mjs";

after(closeBrowser);

const names = async (page) => (await mirror(page)).filter((item) => item.part === "block").map((item) => item.path);
const lines = async (page) => (await mirror(page)).filter((item) => item.part === "line").map((item) => item.name);

async function simulated(page) {
  await page.getByRole("button", { name: /Simulate/ }).first().click();
  await runIs(page, "finished", "failed");
  assert.equal(await page.locator(".run .state").textContent(), "finished");
}

describe("Modelica", () => {
  test("components, connections and what is inherited are drawn; another model of the file is chosen; it runs", () => opened({ examples: ["modelica/drive.mo"], open: "drive.mo" }, async (page) => {
    const choice = page.getByRole("combobox", { name: "Model" });
    await choice.selectOption("Drive.Servo");
    await page.waitForFunction(() => document.title.startsWith("Servo"));
    await rest(page);
    const drawn = await names(page);
    assert.ok(drawn.includes("machine") || drawn.length > 4, drawn.join(" "));
    assert.ok((await lines(page)).length >= 4);
    await simulated(page);
  }));

  test("an icon has the colours of its annotation, and blocks stand where the text places them", () => opened({
    texts: {
      "two.mo": `model Two
  block Part
    input Real u annotation(Placement(transformation(extent={{-120,-20},{-80,20}})));
    output Real y = u annotation(Placement(transformation(extent={{80,-20},{120,20}})));
    annotation(Icon(graphics={Rectangle(extent={{-100,100},{100,-100}}, lineColor={255,0,0}, fillColor={0,160,0}, fillPattern=FillPattern.Solid)}));
  end Part;
  Part left annotation(Placement(transformation(extent={{-80,-10},{-60,10}})));
  Part right annotation(Placement(transformation(extent={{60,50},{80,70}})));
equation
  left.u = time;
  connect(left.y, right.u) annotation(Line(points={{-58,0},{0,0},{0,60},{58,60}}));
end Two;
`,
    },
    open: "two.mo",
  }, async (page) => {
    const left = await block(page, "left"), right = await block(page, "right");
    assert.ok(right.x > left.x + 3 * left.w && right.y + right.h < left.y, "as the annotations say");
    const green = await page.evaluate(({ x, y, w, h }) => {
      const canvas = document.querySelector("canvas.sheet");
      const { data } = canvas.getContext("2d").getImageData(x, y, w, h);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] < 20 && data[i + 1] > 140 && data[i + 2] < 20) ++count;
      return count;
    }, left);
    assert.ok(green > 100, `${green} green pixels`);
  }));

  test("an unfinished model is drawn, and the check says what is wrong", () => opened({
    texts: { "half.mo": "model Half\n  Real x;\n  Missing gone;\nequation\n  der(x) = ;\nend Half;\n" }, open: "half.mo",
  }, async (page) => {
    assert.ok((await names(page)).includes("gone"));
    await page.waitForFunction(() => /error/.test(document.querySelector(".status")?.textContent ?? ""));
  }));
});

/** A library outside of the opened folder. */
function library() {
  const folder = mkdtempSync(join(tmpdir(), "cutset-library-"));
  mkdirSync(join(folder, "Parts", "Electrical"), { recursive: true });
  writeFileSync(join(folder, "Parts", "package.mo"), "package Parts\nend Parts;\n");
  writeFileSync(join(folder, "Parts", "Electrical", "package.mo"), "within Parts;\npackage Electrical\n  connector Pin\n    Real v(unit=\"V\");\n    flow Real i(unit=\"A\");\n  end Pin;\nend Electrical;\n");
  writeFileSync(join(folder, "Parts", "Electrical", "Resistor.mo"), `within Parts.Electrical;
model Resistor "A resistor"
  Pin p annotation(Placement(transformation(extent={{-110,-10},{-90,10}})));
  Pin n annotation(Placement(transformation(extent={{90,-10},{110,10}})));
  parameter Real R(unit="Ohm") = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
  annotation(Icon(graphics={Rectangle(extent={{-70,30},{70,-30}}), Text(extent={{-100,-40},{100,-80}}, textString="R=%R"), Text(extent={{-100,90},{100,50}}, textString="%class %%"), Text(extent={{-100,90},{100,50}}, textString="%name")}));
end Resistor;
`);
  return folder;
}

const divider = `model Divider
  Parts.Electrical.Resistor upper(R=4.7);
  Parts.Electrical.Resistor lower;
equation
  upper.p.v = 10;
  connect(upper.n, lower.p);
  lower.n.v = 0;
end Divider;
`;

describe("a library of Modelica outside of the folder", () => {
  for (const [how, environment] of [
    ["by MODELICAPATH", (folder) => ({ MODELICAPATH: folder })],
    ["remembered", (folder) => {
      const config = mkdtempSync(join(tmpdir(), "cutset-config-"));
      mkdirSync(join(config, "cutset"));
      writeFileSync(join(config, "cutset", "libraries"), `${folder}\n`);
      return { XDG_CONFIG_HOME: config };
    }],
  ]) {
    test(`is read by the confined process, ${how}; icons show values; its texts can be read and not changed`, async () => {
      const folder = library();
      await opened({ texts: { "divider.mo": divider }, open: "divider.mo", environment: environment(folder) }, async (page) => {
        await page.waitForFunction(() => /equations/.test(document.querySelector(".status")?.textContent ?? ""));
        for (let i = 0; i < 2; ++i) await page.keyboard.press("-");  // until the blocks show their icons
        await rest(page);
        const waiting = page.waitForEvent("download");
        await page.getByRole("combobox", { name: "Save a picture" }).selectOption("svg");
        const svg = readFileSync(await (await waiting).path(), "utf8");
        assert.ok(svg.includes(">R=4.7 Ohm<"), svg);
        assert.ok(svg.includes(">R=1 Ohm<"), "the default");
        assert.ok(svg.includes(">Resistor %<") && !svg.includes("%name"));
        await simulated(page);
        await flyTo(page, "upper");
        await page.waitForFunction(() => [...document.querySelectorAll("#mirror [data-part=member]")].some((item) => item.getAttribute("aria-label").includes("p.v 10")));
        const pins = (await mirror(page)).filter((item) => item.part === "member" && item.path === "upper").map((item) => item.label);
        assert.ok(pins.some((text) => /n\.v 1\.754/.test(text)), `each pin has its own values: ${pins.join("; ")}`);
        const upper = await block(page, "upper");
        const at = await onPage(page, upper, 0.5, 0.03);
        await page.mouse.click(at.x, at.y);
        await page.getByRole("menuitem", { name: "Text of its class" }).click();
        await page.getByText("read only").waitFor();
        assert.equal(await page.locator(".panel header h2").textContent(), "library:Parts/Electrical/Resistor.mo");
      });
      rmSync(folder, { recursive: true });
    });
  }
});

describe("Omola", () => {
  test("submodels and connections of a realization", () => opened({ examples: ["omola/tanks.om"], open: "tanks.om" }, async (page) => {
    const drawn = await names(page);
    for (const name of ["Feed", "Tank1", "Tank2", "Drain"]) assert.ok(drawn.includes(name), drawn.join(" "));
    assert.deepEqual((await lines(page)).sort(), ["Feed:Outflow – Tank1:Inflow", "Tank1:Outflow – Tank2:Inflow", "Tank2:Outflow – Drain:Inflow"]);
    await flyTo(page, "Tank2");
    const texts = (await mirror(page)).filter((item) => item.part === "text" && item.path === "Tank2").map((item) => item.label);
    assert.ok(texts.some((text) => text.includes("outflow = k*sqrt(level)")), texts.join("; "));
    await simulated(page);
  }));
});

describe("EL", () => {
  test("a topology with arrays, ports of a library, an experiment that runs", () => opened({ examples: ["el/ladder.el"], open: "ladder.el" }, async (page) => {
    const drawn = await names(page);
    for (const name of ["source", "R", "C", "ground"]) assert.ok(drawn.includes(name), drawn.join(" "));
    assert.ok((await lines(page)).length >= 5);
    await simulated(page);
  }));
});
