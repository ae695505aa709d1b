// @module-tag nightly

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { runCommand } from "../operator/given-service.ts";
import { ApiClient } from "../support/client.ts";
import { connect } from "../support/oauth.ts";
import { openSignedIn } from "../support/own-pages.ts";
import { race } from "../support/race.ts";
import type { RunningService } from "../support/running-service.ts";
import { confirmedWith, signIn, unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { createToken, Directory, scimDataDirectory, startScimService, userOf } from "./scim-client.ts";

// A directory's changes to a person's access are separate audit entries, each recorded once.

/** Earlier days have no entries. */
const startedAt = new Date().toISOString();

let service: RunningService;
let directory: Directory;
let tokenId: string;
let members: string;

beforeAll(async () => {
  service = await startScimService();
  const { id, plaintext } = await createToken();
  tokenId = id;
  directory = new Directory(plaintext);
  members = await directory.createGroup("Publishers");
});

afterAll(() => service.stop());

async function givenMember(username: string): Promise<string> {
  const id = await directory.createUser(username);
  await directory.patch(`/Groups/${members}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
  return id;
}

const none = { tokens: 0, sessions: 0, grants: 0 };

/**
 * Returns the audited actions about a user, with the numbers of ended tokens, sessions and grants. Actions of one
 * request have the same time, and no order.
 */
async function actsAbout(id: string): Promise<unknown[]> {
  const { lines } = await runCommand(auditCommand, { dataDirectory: scimDataDirectory() }, [], {
    json: true,
    from: startedAt,
  });
  const all = lines.map((line) => JSON.parse(line)).filter(({ scim_id }) => scim_id === id);
  for (const line of all) expect(line).toMatchObject({ by: "scim", token_id: tokenId });
  return all.map(({ action, tokens, sessions, grants }) =>
    tokens === undefined ? action : { action, tokens, sessions, grants },
  );
}

/** Compares the actions about a user in any order. */
async function expectActs(id: string, expected: readonly unknown[]): Promise<void> {
  const inOrder = (acts: readonly unknown[]) => acts.map((act) => JSON.stringify(act)).sort();
  expect(inOrder(await actsAbout(id))).toEqual(inOrder(expected));
}

const deactivated = (ended: object = none) => ({ action: "deactivate-scim-user", ...none, ...ended });
const reactivated = { action: "reactivate-scim-user", ...none };

type Way = (id: string, username: string) => Promise<unknown>;

const ways = {
  patch: (id) => directory.patch(`/Users/${id}`, [{ op: "Replace", path: "active", value: "False" }]),
  put: (id, username) => directory.send("PUT", `/Users/${id}`, userOf(username, { active: false })),
  delete: (id) => directory.send("DELETE", `/Users/${id}`),
} satisfies Record<string, Way>;

describe("a deactivation", () => {
  test.each<[string, Way, readonly string[]]>([
    ["PATCH", ways.patch, []],
    ["PUT", ways.put, []],
    ["DELETE", ways.delete, ["delete-scim-user"]],
  ])("by %s records once how many tokens, sessions and grants ended", async (_, deactivate, more) => {
    const username = unusedUsername("leaver");
    const id = await givenMember(username);
    await signIn(username);
    await signIn(username);
    await connect(username);
    const [stays, leaves] = [new Visitor(), new Visitor()];
    await openSignedIn("/account", username, stays);
    const page = await openSignedIn("/account", username, leaves);
    await leaves.request("/login/sign-out", {
      method: "POST",
      headers: { origin: page.url.origin, "content-type": "application/x-www-form-urlencoded" },
      body: "",
    });

    for (let count = 0; count < 2; count += 1) await deactivate(id, username);

    // The MCP client's consent was given in a separate session.
    await expectActs(id, ["create-scim-user", deactivated({ tokens: 2, sessions: 2, grants: 1 }), ...more]);
  });

  test("sent by several concurrent requests is recorded once", async () => {
    const username = unusedUsername("raced");
    const id = await givenMember(username);
    await signIn(username);

    await race(4, (index) => (index % 2 === 0 ? ways.patch(id) : ways.put(id, username)));

    const acts = (await actsAbout(id)) as { action?: string }[];
    expect(acts.filter(({ action }) => action === "deactivate-scim-user")).toEqual([
      deactivated({ tokens: 1 }),
    ]);
  });

  test("together with other changes is recorded separately from the changes", async () => {
    const username = unusedUsername("renamed");
    const id = await directory.createUser(username);

    await directory.send("PUT", `/Users/${id}`, userOf(`${username}-2`, { active: false }));

    await expectActs(id, ["create-scim-user", "edit-scim-user", deactivated()]);
  });

  test("together with a new name ends the access of the name's account, in one entry", async () => {
    const [before, after] = [unusedUsername("before"), unusedUsername("after")];
    const email = { email: `${after}@example.com`, email_verified: "true" };
    const token = await confirmedWith({ username: after, ...email });
    const id = await directory.createUser(before);

    await directory.send("PUT", `/Users/${id}`, userOf(after, { active: false }));

    await expectActs(id, ["create-scim-user", "edit-scim-user", deactivated({ tokens: 1 })]);
    expect((await new ApiClient(token).call("get-me")).status).toBe(401);
  });

  test("is not repeated when the person is deleted afterwards", async () => {
    const username = unusedUsername("deleted");
    const id = await directory.createUser(username);
    await ways.patch(id);

    await ways.delete(id);

    await expectActs(id, ["create-scim-user", deactivated(), "delete-scim-user"]);
  });
});

describe("a reactivation", () => {
  test("is recorded separately, once for several requests", async () => {
    const username = unusedUsername("returner");
    const id = await givenMember(username);
    await signIn(username);
    await ways.patch(id);

    await race(3, () => directory.setActive(id, true));
    await directory.send("PUT", `/Users/${id}`, userOf(username));
    const { token } = await signIn(username);
    await ways.patch(id);

    await expectActs(id, [
      "create-scim-user",
      deactivated({ tokens: 1 }),
      reactivated,
      deactivated({ tokens: 1 }),
    ]);
    expect((await new ApiClient(token).call("get-me")).status).toBe(401);
  });
});
