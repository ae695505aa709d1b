import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectDirectory } from "../../lib/project-directory.ts";
import { operatorActions } from "../../scripts/operator/service.ts";

const document = readFileSync(join(projectDirectory, "docs/security.md"), "utf8");

test("each file that docs/security.md names exists", () => {
  const named = [...document.matchAll(/`((?:functions|lib|local|scripts|test)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path,
  );

  const missing = named.filter((path) => !existsSync(join(projectDirectory, path)));

  expect(named.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

test("the table of the audit trail has each operator action", () => {
  const [row = ""] = /^\| operators \|.*$/m.exec(document) ?? [];

  const named = new Set([...row.matchAll(/`([\w-]+)(?: --fix)?`/g)].map(([, name]) => name));

  expect(operatorActions.filter((action) => !named.has(action))).toEqual([]);
});
