import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Decisions of `docs/adr` speak of their own time, and CONTRIBUTING.md of an endpoint that is yet to be added. */
const documents = ["README.md", "AGENTS.md", ...globSync("docs/*.md", { cwd: root })];

test.each(documents)("every file that %s names is there", (document) => {
  const text = readFileSync(join(root, document), "utf8");
  const named =
    text.match(/\b(bin|functions|lib|local|packages|scripts|test)\/[\w./-]+\.(css|mjs|ts|tsx)\b/g) ?? [];

  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
