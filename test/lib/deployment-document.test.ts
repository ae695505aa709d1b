import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownSettings } from "../../lib/validate-settings.ts";

test("docs/deployment.md says every setting, and no other", () => {
  const document = readFileSync(join(import.meta.dirname, "../../docs/deployment.md"), "utf8");
  const [, section = ""] = /^## Settings\n([\s\S]*?)^## /m.exec(document) ?? [];
  const said = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

  expect(said.sort()).toEqual(Object.keys(knownSettings).sort());
});
