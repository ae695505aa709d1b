import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** A guide that names files which its steps add. */
const walk = "docs/adding-an-endpoint.md";
const documents = [
  ...["README.md", "AGENTS.md", "CONTRIBUTING.md"],
  ...globSync(["docs/*.md", "docs/adr/*.md"], { cwd: root }).filter((path) => path !== walk),
];

test.each(documents)("every file that %s names exists", (document) => {
  const text = readFileSync(join(root, document), "utf8");
  const named =
    text.match(
      /\b(packages\/[\w-]+\/)?(bin|functions|lib|local|scripts|src|test)\/[\w./-]+\.(css|mjs|ts|tsx)\b/g,
    ) ?? [];

  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("every decision that the code names exists", () => {
  const sources = globSync("{bin,functions,lib,local,packages,scripts,test}/**/*.{ts,tsx,css}", {
    cwd: root,
    exclude: (path) => path.includes("node_modules"),
  });

  const named = sources.flatMap((source) =>
    (readFileSync(join(root, source), "utf8").match(/docs\/adr\/\d{4}-[\w-]+\.md/g) ?? []).map((path) => ({
      source,
      path,
    })),
  );

  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});
