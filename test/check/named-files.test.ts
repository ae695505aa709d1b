import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Decisions of `docs/adr` name the files of their own time, and the walk names files that it adds. */
const walk = "docs/adding-an-endpoint.md";
const documents = [
  ...["README.md", "AGENTS.md", "CONTRIBUTING.md"],
  ...globSync("docs/*.md", { cwd: root }).filter((path) => path !== walk),
];

test.each(documents)("every file that %s names is there", (document) => {
  const text = readFileSync(join(root, document), "utf8");
  const named =
    text.match(
      /\b(packages\/[\w-]+\/)?(bin|functions|lib|local|scripts|src|test)\/[\w./-]+\.(css|mjs|ts|tsx)\b/g,
    ) ?? [];

  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
