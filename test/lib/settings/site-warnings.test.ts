import { App, Stack } from "aws-cdk-lib/core";
import { expect, test } from "vitest";
import { domainOf } from "../../../lib/settings/domain.ts";
import { warnOfSharedSite } from "../../../lib/settings/site-warnings.ts";
import type { Settings } from "../../../lib/settings.ts";
import { givenHostingStack, warningsOf } from "../given-stack.ts";

const below = "dropleaf:owners-below-a-site";
const shared = "dropleaf:owners-share-the-site";

function warnedOf(settings: Settings): string[] {
  const stack = new Stack(new App({ treeMetadata: false, analyticsReporting: false }));
  warnOfSharedSite(stack, domainOf(settings));
  return warningsOf(stack);
}

test.each([
  [{ baseUrl: "https://drops.example.com" }, "drops.example.com", "example.com"],
  [{ baseUrl: "https://drops.example.com", baseDomain: "example.com" }, undefined, "example.com"],
  [
    { baseUrl: "https://drops.example.com", baseDomain: "pages.example.co.uk" },
    "pages.example.co.uk",
    "example.co.uk",
  ],
  [
    { baseUrl: "https://drops.example.com", baseDomain: "a.b.example.page" },
    "a.b.example.page",
    "example.page",
  ],
  // From the list's private section: each name below github.io is a site, with all names below it.
  [
    { baseUrl: "https://drops.example.com", baseDomain: "drops.acme.github.io" },
    "drops.acme.github.io",
    "acme.github.io",
  ],
])("with %j, synthesis warns that owners' pages share a site", (settings, part, site) => {
  const [warning, ...more] = warnedOf(settings);

  expect(more).toEqual([]);
  expect(warning).toContain(part === undefined ? shared : below);
  expect(warning).toContain(
    part === undefined ? `belong to the same site, ${site}.` : `${part}, which is part of the site ${site}.`,
  );
  expect(warning).toContain("Public Suffix List");
  expect(warning).toContain("a domain that you bought only for Dropleaf");
});

test.each([
  {},
  { baseUrl: "https://drops.example.com", baseDomain: "example.page" },
  // github.io itself is on the Public Suffix List.
  { baseUrl: "https://drops.example.com", baseDomain: "github.io" },
  { baseUrl: "https://github.io" },
  { baseUrl: "http://localhost:8787" },
  { baseUrl: "http://drops.localhost:8787", baseDomain: "pages.localhost:8787" },
])("with %j, there is no warning", (settings) => {
  expect(warnedOf(settings)).toEqual([]);
});

test("the warning is added to the stack", () => {
  const certificateArn =
    "arn:aws:acm:us-east-1:111122223333:certificate/12345678-1234-1234-1234-123456789012";

  const warnings = warningsOf(givenHostingStack({ baseUrl: "https://drops.example.com", certificateArn }));

  expect(warnings).toEqual([expect.stringContaining(below)]);
});
