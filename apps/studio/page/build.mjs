// Builds the page into one folder: `node build.mjs [--out FOLDER] [--tests FOLDER]`. The default folder is build/studio of the repository.

import { build } from "esbuild";
import { copyFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
/** What a first visit loads may have this size, compressed. */
const mostBytes = 320_000;

const tests = option("--tests");
if (tests !== undefined) {
  await rm(tests, { recursive: true, force: true });
  const entryPoints = (await readdir(join(here, "tests"))).filter((name) => name.endsWith(".test.ts")).map((name) => join(here, "tests", name));
  await build({ entryPoints, outdir: tests, outExtension: { ".js": ".mjs" }, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
} else {
  const out = option("--out") ?? join(here, "../../../build/studio");
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: { studio: join(here, "src/main.tsx") },
    outdir: out,
    bundle: true,
    // The editor is loaded when it is first shown; what both parts use is chunk.js. The server knows these names.
    splitting: true,
    chunkNames: "[name]",
    minify: true,
    format: "esm",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "eof",
    logLevel: "warning",
  });
  await copyFile(join(here, "index.html"), join(out, "index.html"));
  let bytes = 0;
  for (const name of ["index.html", "studio.js", "chunk.js", "studio.css"]) bytes += gzipSync(await readFile(join(out, name))).length;
  console.log(`the page has ${Math.round(bytes / 1000)} kB compressed, in ${out}`);
  if (bytes > mostBytes) throw new Error(`the page has ${bytes} bytes compressed, more than ${mostBytes}`);
}
