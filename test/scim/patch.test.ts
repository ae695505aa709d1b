import { describe, expect, test } from "vitest";
import { parsePatch, patchGroup, patchUser } from "../../functions/scim/patch.ts";
import { toUserFacts } from "../../functions/scim/resources.ts";
import { userSchema } from "./scim-client.ts";

const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];

function patch(...operations: readonly object[]) {
  return parsePatch({ schemas, Operations: operations });
}

const [ada, bob, cat] = ["a", "b", "c"].map((letter) => letter.repeat(16)) as [string, string, string];

function membersAfter(...operations: readonly object[]) {
  return patchGroup({ displayName: "Group", externalId: undefined }, patch(...operations)).members;
}

describe("replacing a member that a filter selects (RFC 7644, section 3.5.2.3)", () => {
  test("keeps all other members", () => {
    const path = `members[value eq "${ada}"]`;

    expect(membersAfter({ op: "replace", path, value: { value: bob } })).toEqual({
      isWhole: false,
      added: new Set([bob]),
      removed: new Set([ada]),
      sought: [[ada]],
    });
  });

  test("finds a member added by the same request, and fails for a member removed by it", () => {
    const path = `members[value eq "${ada}"]`;
    const replaced = { op: "replace", path, value: { value: bob } };

    expect(membersAfter({ op: "add", path: "members", value: [{ value: ada }] }, replaced)).toMatchObject({
      added: new Set([bob]),
      sought: [],
    });
    expect(() => membersAfter({ op: "remove", path }, replaced)).toThrow(
      expect.objectContaining({ status: 400, scimType: "noTarget" }),
    );
    expect(() => membersAfter({ op: "replace", path: "members", value: [{ value: cat }] }, replaced)).toThrow(
      expect.objectContaining({ status: 400, scimType: "noTarget" }),
    );
  });
});

describe("attribute names are compared without case (RFC 7643, section 2.1)", () => {
  const user = toUserFacts({
    schemas: [userSchema],
    userName: "ada",
    active: true,
    emails: [{ type: "work", value: "ada@example.com", primary: true }],
  });

  test.each([
    'emails[type eq "work"].value',
    'emails[Type eq "work"].value',
    'EMAILS[TYPE eq "work"].VALUE',
    'emails[type EQ "work"].value',
  ])("in a path with a filter: %s", async (path) => {
    const changed = await patchUser(user, patch({ op: "replace", path, value: "new@example.com" }));

    expect(changed.profile.emails).toEqual([{ type: "work", value: "new@example.com", primary: true }]);
  });

  test.each([
    "urn:ietf:params:scim:schemas:core:2.0:User:active",
    "URN:IETF:params:scim:schemas:core:2.0:user:Active",
  ])("in a path with the URN of its schema: %s", async (path) => {
    expect((await patchUser(user, patch({ op: "replace", path, value: false }))).active).toBe(false);
  });
});
