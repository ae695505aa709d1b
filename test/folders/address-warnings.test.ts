import { describe, expect, test } from "vitest";
import { addressWarnings, findAddresses } from "../../functions/folders/address-warnings.ts";
import { toPackedFile } from "../../functions/folders/pack-folder.ts";

/** Warnings about a folder without its own host, whose page runs a script and has a style sheet beside it. */
function warningsOf(script: string): readonly string[] {
  const texts = { "index.html": `<script>\n${script}\n</script>`, "dist/app.css": "" };
  const files = Object.entries(texts).map(([path, text]) => toPackedFile({ path, bytes: Buffer.from(text) }));
  return addressWarnings(
    findAddresses(files, false, () => false),
    false,
  );
}

describe("a root-absolute URL in a script", () => {
  test.each([
    `load("/dist/app.css")`,
    `const sheet = "/dist/app.css" + version;`,
    `load(location.origin + "/dist/app.css")`,
    "load(`/dist/app.css`)",
  ])("causes a warning in %s", (script) => {
    expect(warningsOf(script)).toEqual([expect.stringContaining('"/dist/app.css" in index.html, line 2')]);
  });

  test.each([
    `load(base + "/dist/app.css")`,
    `load(base + "/../dist/app.css")`,
    `load(page.slice(0, page.lastIndexOf("/")) +\n  "/dist/app.css")`,
    "load(`$" + "{base}/dist/app.css`)",
    `if (location.pathname.endsWith("/dist/app.css")) stop();`,
    `if (location.pathname === "/dist/app.css" || name == '/dist/app.css') stop();`,
    `load("/dist/none.css")`,
  ])("causes no warning in %s, which extends or compares a URL, or names no file", (script) => {
    expect(warningsOf(script)).toEqual([]);
  });
});
