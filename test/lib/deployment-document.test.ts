import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownSettings, validateSettings } from "../../lib/settings/validate-settings.ts";
import type { Settings } from "../../lib/settings.ts";

const document = readFileSync(join(import.meta.dirname, "../../docs/deployment.md"), "utf8");

function sectionOf(heading: string): string {
  const [, section = ""] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)^## `, "m").exec(document) ?? [];
  return section;
}

test("docs/deployment.md says every setting, and no other", () => {
  const said = [...sectionOf("Settings").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

  expect(said.sort()).toEqual(Object.keys(knownSettings).sort());
});

test("its first example is of a domain of its own, and is one that a stack takes", () => {
  const [, written = ""] =
    /```ts\n\s+import .*\n\s+export const settings: Settings = ([\s\S]*?);\n\s+```/.exec(document) ?? [];
  const settings = new Function(`return ${written}`)() as Settings;

  expect(() => validateSettings(settings)).not.toThrow();
  // A registrable domain, not a name below somebody's: no page shares cookies with another service.
  expect(new URL(settings.baseUrl ?? "").hostname.split(".")).toHaveLength(2);
  expect(settings.hostedZone?.name).toBe(new URL(settings.baseUrl ?? "").hostname);
});

test("the first deployment asks before it deploys, and ends with the smoke test", () => {
  const steps = sectionOf("The first time");
  const commands = [...steps.matchAll(/npx cdk (?:deploy|bootstrap)|npm run operator -- \w+/g)].map(
    ([one]) => one,
  );

  expect(commands).toEqual([
    "npx cdk bootstrap",
    "npm run operator -- preflight",
    "npx cdk deploy",
    "npm run operator -- members",
    "npm run operator -- smoke",
    "npm run operator -- preflight",
    "npx cdk deploy",
    "npm run operator -- smoke",
  ]);
});

test("its links lead to headings that are there", () => {
  const anchors = [...document.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(" ", "-"),
  );
  const wanted = [...document.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);

  expect(wanted.length).toBeGreaterThan(0);
  for (const anchor of wanted) expect(anchors).toContain(anchor);
});
