import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import ownerStyle from "../../../functions/owner-page/owner.css";
import { ownerPageAssets } from "../../../functions/owner-page/owner-page.tsx";
import { type BundleOptions, bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { findOrBundleFunctions } from "../../../lib/bundle/bundle-cache.ts";
import { makePageApp } from "../../../lib/bundle/page-app.ts";

const functionsDirectory = resolve(import.meta.dirname, "../../../functions");
let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-page-assets-"));
  givenFile("page.css", '@import "./bar.css";\n.page {\n  color: #ff0000;\n}');
  givenFile("bar.css", ".bar {\n  user-select: all;\n}");
  givenFile("limit.ts", "export const shownMs: number = 40 + 2;");
  givenFile(
    "page.client.ts",
    'import { shownMs } from "./limit.ts";\nconst shown: string = "</script>";\nreport(shown, shownMs);',
  );
  givenFile(
    "show-page.ts",
    'import style from "./page.css"; import script from "./page.client.ts?text";' +
      "export const showPage = () => ({ style, script });",
  );
});
afterEach(() => rmSync(directory, { recursive: true }));

const source = () => ({ id: "show-page", file: join(directory, "show-page.ts"), exportName: "showPage" });

/** Writes a file with an earlier modification time. */
function givenFile(name: string, content: string, secondsAgo = 60): void {
  writeFileSync(join(directory, name), content);
  const time = new Date(Date.now() - secondsAgo * 1000);
  utimesSync(join(directory, name), time, time);
}

async function shownBy(functions: string): Promise<{ style: string; script: string }> {
  const { showPage } = await import(pathToFileURL(join(functions, "show-page/index.mjs")).href);
  return showPage();
}

async function bundledPage(options?: BundleOptions): Promise<{ style: string; script: string }> {
  return shownBy((await bundleFunctions([source()], join(directory, "out"), options)).directory);
}

describe("a bundled page", () => {
  test("has its style as one minified text, with imports resolved and vendor prefixes added", async () => {
    const { style } = await bundledPage();

    expect(style).toBe(".bar{-webkit-user-select:all;user-select:all}.page{color:red}");
  });

  test("has its script as one minified text that runs alone, defines no global and does not end its element", async () => {
    const { script } = await bundledPage();
    const reported: unknown[] = [];
    const names = { report: (...values: unknown[]) => reported.push(...values) };

    runInNewContext(script, names);

    expect(reported).toEqual(["</script>", 42]);
    expect(Object.keys(names)).toEqual(["report"]);
    expect(script).not.toMatch(/<\/script|\n/);
  });

  test("has its style and script unminified for a debugger", async () => {
    const { style, script } = await bundledPage({ isForDebugger: true });

    expect(style).toContain("  user-select: all;\n}");
    expect(script).toContain("report(shown, shownMs);\n");
  });

  test("is not built from an invalid style, and the error names the position", async () => {
    givenFile("bar.css", ".bar {\n  color red;\n}");

    await expect(bundledPage()).rejects.toThrow(/bar\.css:2:7: Expected ":"/);
  });

  test("is not built without its style", async () => {
    rmSync(join(directory, "page.css"));

    await expect(bundledPage()).rejects.toThrow(/page\.css/);
  });

  test.each([
    ["its style", "page.css", ".page { color: blue }", "style"],
    ["its style's import", "bar.css", ".bar { color: blue }", "style"],
    ["its script", "page.client.ts", "report('again');", "script"],
    ["its script's import", "limit.ts", "export const shownMs = 7;", "script"],
  ] as const)("is rebuilt after a change of %s", async (_what, file, content, part) => {
    const bundle = async () => (await findOrBundleFunctions([source()], join(directory, "cache"))).directory;
    const first = await bundle();

    const unchanged = await bundle();
    givenFile(file, content, 30);
    const changed = await bundle();

    expect(unchanged).toBe(first);
    expect((await shownBy(changed))[part]).not.toBe((await shownBy(first))[part]);
  });
});

test("tests see a page's style and script exactly as its bundle contains them", async () => {
  const file = join(directory, "show-page.ts");
  writeFileSync(
    file,
    `import { ownerPageAssets } from ${JSON.stringify(join(functionsDirectory, "owner-page/owner-page.tsx"))};` +
      "export const showPage = () => ownerPageAssets;",
  );

  const bundled = await bundledPage();

  expect(bundled).toEqual(ownerPageAssets);
  expect(bundled.style.endsWith(ownerStyle)).toBe(true);
});

test("every style sheet is imported by a file, or is the chat app's", async () => {
  const app = await makePageApp();
  const files = readdirSync(functionsDirectory, { recursive: true, encoding: "utf8" }).map((name) =>
    join(functionsDirectory, name),
  );
  const imported = new Set([
    ...app.files,
    ...files
      .filter((file) => /\.(css|tsx?)$/.test(file))
      .flatMap((file) =>
        [...readFileSync(file, "utf8").matchAll(/"(\.[^"\n]*\.css)";/g)].map(([, path = ""]) =>
          join(dirname(file), path),
        ),
      ),
  ]);

  const styles = files.filter((file) => file.endsWith(".css"));

  expect(styles.length).toBeGreaterThan(0);
  expect(styles.filter((file) => !imported.has(file))).toEqual([]);
});
