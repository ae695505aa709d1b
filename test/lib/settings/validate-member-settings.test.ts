import { expect, test } from "vitest";
import { completeIdentityProvider, completeMembers } from "../../../lib/settings/identity-provider-preset.ts";
import { validateSettings } from "../../../lib/settings/validate-settings.ts";
import type { Settings } from "../../../lib/settings.ts";

const oidc = { kind: "oidc", issuer: "https://id.example.com" } as const;

test.each<Settings>([
  {},
  { members: "anyone" },
  { members: { githubOrganizations: ["Example-Inc"] } },
  {
    identityProvider: { ...oidc, fields: { groups: "hd" } },
    members: { emailDomains: ["example.com", "xn--bcher-kva.example"], groups: [] },
  },
  { identityProvider: oidc, members: { emailDomains: ["example.com"] } },
])("%j is accepted", (settings) => {
  expect(() => validateSettings(settings)).not.toThrow();
});

test.each<[string, unknown, string]>([
  ["a synonym of anyone", "everyone", 'members is "everyone": use "anyone", or a value such as'],
  ["null", null, "members is null: use"],
  ["a list", ["ada"], 'members is ["ada"]: use'],
  ["an empty object", {}, "members is {}: use"],
  [
    "a misspelt name",
    { emailDomain: ["example.com"] },
    '"members.emailDomain"; did you mean "emailDomains"?',
  ],
  [
    "a domain instead of a list",
    { emailDomains: "example.com" },
    'members.emailDomains is "example.com": use a list',
  ],
  ["an at sign", { emailDomains: ["@example.com"] }, 'members.emailDomains[0] is "@example.com": use'],
  ["a Cyrillic letter", { emailDomains: ["ex\u0430mple.com"] }, "use a domain without an at sign"],
  ["a number", { emailDomains: [7] }, "members.emailDomains[0] is 7: use a domain"],
  [
    "an organization's URL",
    { githubOrganizations: ["https://github.com/example-inc"] },
    'use the name in the organization URL, such as "example-inc"',
  ],
  [
    "too many organizations",
    { githubOrganizations: Array(11).fill("example-inc") },
    "members.githubOrganizations has 11: use at most 10",
  ],
  ["groups without a claim", { groups: ["writers"] }, "identityProvider.fields.groups is not: set the claim"],
  [
    "groups with their claim",
    { groups: { claim: "groups", values: ["writers"] } },
    'use a list of groups, such as ["publishers"], and set identityProvider.fields.groups to their claim',
  ],
  ["an empty group", { groups: [" "] }, 'members.groups[0] is " ": use'],
  [
    "more than a function's environment can contain",
    { groups: Array(100).fill("a group of a long name") },
    "add the other members with npm run operator -- members add",
  ],
])("%s as members is refused with the right usage", (_, members, message) => {
  expect(() => validateSettings({ members } as Settings)).toThrow(message);
});

test("a rule that needs a claim which the settings do not request is refused", () => {
  expect(() =>
    validateSettings({ identityProvider: oidc, members: { githubOrganizations: ["example-inc"] } }),
  ).toThrow("members.githubOrganizations is set, but identityProvider is not GitHub");
  expect(() =>
    validateSettings({
      identityProvider: { ...oidc, scope: "openid profile" },
      members: { emailDomains: ["example.com"] },
    }),
  ).toThrow(
    'identityProvider.scope is "openid profile", which does not request the e-mail address: add "email"',
  );
});

test("GitHub is asked for organizations only if the settings name some", () => {
  const plain = completeIdentityProvider("github");
  const asked = completeIdentityProvider("github", { githubOrganizations: ["Example-Inc"] });

  expect(plain).toMatchObject({ scope: "read:user user:email" });
  expect(plain).not.toHaveProperty("organizations");
  expect(plain).not.toHaveProperty("membershipsEndpoint");
  expect(asked).toMatchObject({
    scope: "read:user user:email read:org",
    organizations: { endpoint: "https://api.github.com/user/memberships/orgs", names: ["example-inc"] },
  });
});

test("rules are normalized to lower case, and anyone stays unchanged", () => {
  const members = { emailDomains: ["Example.COM"], githubOrganizations: ["Example-Inc"] };

  expect(completeMembers(members)).toEqual({
    emailDomains: ["example.com"],
    organizations: ["example-inc"],
    groups: [],
  });
  expect(completeMembers("anyone")).toBe("anyone");
  expect(completeMembers(undefined)).toBeUndefined();
});
