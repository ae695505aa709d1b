import { expect, test } from "vitest";
import type { IdentityProviderSettings } from "../../functions/core/environment.ts";
import { toIdentity } from "../../functions/identity/claims.ts";
import { provisionedNameOf, provisionedNamesOf } from "../../functions/people/members.ts";

const oidc: IdentityProviderSettings = {
  kind: "oidc",
  issuer: "https://id.example.com",
  scope: "openid profile email",
  fields: { id: "sub", username: "preferred_username", groups: "groups" },
};

test("claims of the userinfo response take precedence over claims of the ID token", () => {
  const userinfo = { sub: "1", email: "ada@example.com" };
  const idToken = { sub: "1", preferred_username: "ada", groups: ["writers"], name: "Ada" };

  expect(toIdentity(oidc, [userinfo, idToken])).toEqual({
    provider: "https://id.example.com",
    id: "1",
    username: "ada",
    emails: [],
    groups: ["writers"],
    organizations: [],
    vouchedAs: [],
  });
  expect(toIdentity(oidc, [{ ...userinfo, groups: [] }, idToken]).groups).toEqual([]);
});

test("an address counts only with email_verified true from the same source", () => {
  const said = (...sources: object[]) =>
    toIdentity(oidc, [{ sub: "1" }, ...sources] as Record<string, unknown>[]).emails;
  const email = "Ada@Example.com";

  expect(said({ email, email_verified: true })).toEqual(["ada@example.com"]);
  for (const word of ["true", 1, "yes", null, undefined, {}])
    expect(said({ email, email_verified: word })).toEqual([]);
  expect(said({ email: "victim@example.com" }, { email_verified: true })).toEqual([]);
  expect(said({ email: "one@example.com" }, { email: "two@example.com", email_verified: true })).toEqual([
    "two@example.com",
  ]);
  expect(said({ email: ["ada@example.com"], email_verified: true })).toEqual([]);
});

test("the claim named in the settings is an address, or verifies the address beside it", () => {
  const emailsBy = (verifiedEmail: string, source: object) =>
    toIdentity({ ...oidc, fields: { ...oidc.fields, verifiedEmail } }, [{ sub: "1", ...source }]).emails;
  const email = "Ada@Example.com";

  expect(emailsBy("preferred_username", { preferred_username: email })).toEqual(["ada@example.com"]);
  for (const word of [true, "true", 1, "1"])
    expect(emailsBy("xms_edov", { email, xms_edov: word })).toEqual(["ada@example.com"]);
  for (const word of [false, "false", 0, "0", null, undefined, {}, [true]])
    expect(emailsBy("xms_edov", { email, xms_edov: word })).toEqual([]);
  expect(emailsBy("email", { email })).toEqual(["ada@example.com"]);
  expect(emailsBy("email", { email, email_verified: false })).toEqual([]);
  expect(emailsBy("preferred_username", { preferred_username: "ada" })).toEqual([]);
  expect(emailsBy("preferred_username", { preferred_username: [email] })).toEqual([]);
});

test("an address verified by another source than its own does not count", () => {
  const vouching = { ...oidc, fields: { ...oidc.fields, verifiedEmail: "xms_edov" } };
  const sources = [{ sub: "1", email: "victim@example.com" }, { xms_edov: true }];

  expect(toIdentity(vouching, sources).emails).toEqual([]);
});

test("groups are a list or one text, and other values are ignored", () => {
  const groupsOf = (groups: unknown) => toIdentity(oidc, [{ sub: "1", groups }]).groups;

  expect(groupsOf("writers")).toEqual(["writers"]);
  expect(groupsOf(["writers", "writers", 7, "", null, { name: "x" }, "g".repeat(257)])).toEqual(["writers"]);
  expect(groupsOf({ 0: "writers" })).toEqual([]);
  expect(groupsOf(undefined)).toEqual([]);
  expect(groupsOf(Array.from({ length: 150 }, (_, index) => `group ${index}`))).toHaveLength(100);
});

test("a claim name cannot reach properties that every object inherits", () => {
  const odd = { ...oidc, fields: { ...oidc.fields, groups: "constructor", verifiedEmail: "constructor" } };

  expect(toIdentity(odd, [{ sub: "1" }])).toMatchObject({ groups: [], emails: [] });
});

test("at most ten addresses are stored", () => {
  const emails = Array.from({ length: 12 }, (_, index) => `ada${index}@example.com`);

  expect(toIdentity(oidc, [{ sub: "1" }], { emails, organizations: [] }).emails).toEqual(emails.slice(0, 10));
});

test("with the setting, SCIM identifies a person by the named claim only", () => {
  const namesBy = (match: "userName" | "externalId", claims: object) =>
    toIdentity({ ...oidc, provisioning: { match, claim: "oid" } }, [{ sub: "1", ...claims }])
      .provisionedNames;

  expect(namesBy("externalId", { oid: "A1" })).toEqual([provisionedNameOf("externalId", "A1")]);
  expect(namesBy("userName", { oid: "Ada" })).toEqual([provisionedNameOf("userName", "ada")]);
  for (const oid of [undefined, "", {}, null]) expect(namesBy("externalId", { oid })).toEqual([]);
  expect(toIdentity(oidc, [{ sub: "1" }]).provisionedNames).toBeUndefined();
});

test("without the setting, SCIM identifies a person by user name and each verified address", () => {
  const identity = toIdentity(oidc, [
    { sub: "1", preferred_username: "Ada", email: "Ada@Example.com", email_verified: true },
  ]);

  const names = ["ada", "ada@example.com"].map((name) => provisionedNameOf("userName", name));
  expect(provisionedNamesOf(identity)).toEqual(names);
});
