import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { visitorConcurrencySum } from "../../lib/lambda/visitor-concurrency.ts";
import { validateSettings } from "../../lib/settings/validate-settings.ts";
import { type Settings, settingsSchema } from "../../lib/settings.ts";
import { givenHostingStack, warningsOf } from "./given-stack.ts";

const document = readFileSync(join(import.meta.dirname, "../../docs/deployment.md"), "utf8");

function sectionOf(heading: string): string {
  const [, section = ""] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)^## `, "m").exec(document) ?? [];
  return section;
}

test("docs/deployment.md describes every setting, and no other", () => {
  const said = [...sectionOf("Settings").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

  expect(said.sort()).toEqual(Object.keys(settingsSchema.shape).sort());
});

test("its first example uses two separate domains, and synthesizes without a warning", () => {
  const [, written = ""] =
    /```ts\n\s+import .*\n\s+export const settings: Settings = ([\s\S]*?);\n\s+```/.exec(document) ?? [];
  const settings = new Function(`return ${written}`)() as Settings;

  expect(() => validateSettings(settings)).not.toThrow();
  expect(warningsOf(givenHostingStack(settings))).toEqual([]);
  // Both are registrable domains, so that no page shares cookies with another service.
  expect(new URL(settings.baseUrl ?? "").hostname.split(".")).toHaveLength(2);
  expect(settings.baseDomain?.split(".")).toHaveLength(2);
  expect(settings.hostedZone?.name).toBe(new URL(settings.baseUrl ?? "").hostname);
  expect(settings.baseDomainHostedZone?.name).toBe(settings.baseDomain);
});

test("its number of reserved executions is the number that a stack reserves", () => {
  const [, readersMax, sum] = /: (\d+) reserve (\d+) in all/.exec(sectionOf("How much at once")) ?? [];

  expect(document).toContain(`\`visitorConcurrencyMax: ${readersMax}\` is the hard bound`);
  expect(Number(sum)).toBe(visitorConcurrencySum(Number(readersMax)));
});

test("the first deployment runs the preflight first, and the smoke test before rendering is added", () => {
  const steps = sectionOf("The first time");
  const commands = [...steps.matchAll(/npx cdk \w+|npm (?!with)(?:run \w+(?: -- \w+)?|\w+)(?= |`)/g)].map(
    ([one]) => one,
  );

  expect(commands).toEqual([
    "npm create",
    "npm start",
    "npx cdk bootstrap",
    "npm run preflight",
    "npm run deploy",
    "npm run operator -- members",
    "npm run smoke",
    "npm install",
  ]);
});

test("its links lead to existing headings", () => {
  const anchors = [...document.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(" ", "-"),
  );
  const wanted = [...document.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);

  expect(wanted.length).toBeGreaterThan(0);
  for (const anchor of wanted) expect(anchors).toContain(anchor);
});
