// @module-tag nightly

import { randomInt } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { removeMemberCommand } from "../../scripts/operator/members/members.ts";
import { runCommand } from "../operator/given-service.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { fetchPage, useService } from "../support/http.ts";
import { type ReaderFacts, signInToRead } from "../support/reader.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { continueToProvider, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

let service: RunningService;
let owner: ApiClient;

beforeAll(async () => {
  service = await startService({
    environmentsPerFunction: 1,
    fileSettings: {
      ingest: "none",
      keepVersions: 2,
      members: { emailDomains: ["example.com"] },
      mostOpenVisibility: "members",
      secretScan: "refuse",
      defaultExpiryDays: 30,
      maxExpiryDays: 90,
    },
  });
  useService(service);
  const start = await startSignIn();
  const visitor = new Visitor();
  await visitor.submit(await continueToProvider(visitor, start), { ...colleague("ada") });
  owner = new ApiClient((await pollSignIn(start.poll_token)).api_token);
});

afterAll(() => service.stop());

/** Returns a person who is a member by the domain of their e-mail address. */
function colleague(name: string) {
  const username = unusedUsername(name);
  return { username, email: `${username}@example.com`, email_verified: "true" };
}

/** Signs in to read a drop, and returns its title, or undefined if it is not found. */
async function shownTo(address: string, reader: ReaderFacts): Promise<string | undefined> {
  const { response } = await signInToRead(address, reader);
  if (response.status === 200) return elementsOf(response, "h1").map(textOf).join();
  expectErrorPage(response, 404);
  return undefined;
}

test("a drop without a visibility can be read only by members", async () => {
  const drop = await publish(owner, { title: "Among us" });

  expect(drop.visibility).toBe("members");
  expect((await fetchPage(drop.url)).status).toBe(404);
  expect(await shownTo(drop.url, colleague("grace"))).toBe("Among us");
  const { email, username } = colleague("mallory");
  expect(await shownTo(drop.url, { username, email })).toBeUndefined();
  expect(await shownTo(drop.url, { username: email })).toBeUndefined();
});

test("a person who is not a member can read only pages that list them as a reader", async () => {
  const guest = { username: unusedUsername("guest"), email: "guest@other.example", email_verified: "true" };
  const named = await publish(owner, { title: "For a guest", visibility: "people", readers: [guest.email] });
  const others = await publish(owner, { title: "Among us" });

  expect(await shownTo(named.url, guest)).toBe("For a guest");
  expect(await shownTo(others.url, guest)).toBeUndefined();
  expect(await shownTo(named.url, colleague("grace"))).toBeUndefined();
});

test.each(["public", "unlisted"])(
  "no call can make a drop %s, and a refused call changes nothing",
  async (visibility) => {
    const { slug } = await publish(owner, { title: "Among us" });
    const params = { slug };
    const refused = [
      await owner.call("publish-drop", { body: { html: pageOf("two"), title: "Open", visibility } }),
      await owner.call("publish-version", { params, body: { html: pageOf("two"), visibility } }),
      await owner.call("edit-drop", { params, body: { visibility } }),
      await owner.call("upsert-drop", {
        query: { "metadata.open": "yes" },
        body: { html: pageOf("two"), title: "Open", visibility },
      }),
    ];

    for (const response of refused) {
      expect(expectError(response, "invalid_arg").details.allowed).toEqual(["members", "people"]);
    }
    expect(await owner.succeed("get-drop", { params })).toMatchObject({
      visibility: "members",
      latest_version: 1,
    });
  },
);

test("a removed member can no longer read members' drops, even in a signed-in browser", async () => {
  const { url } = await publish(owner, { title: "Among us" });
  const leaver = colleague("leaver");
  const visitor = new Visitor();
  expect((await signInToRead(url, leaver, visitor)).response.status).toBe(200);
  expect((await visitor.open(url)).response.status).toBe(200);

  const given = { dataDirectory: join(service.directory, "data") };
  const { isWell } = await runCommand(removeMemberCommand, given, [leaver.email], {});

  expect(isWell).toBe(true);
  expect((await visitor.open(url)).response.status).toBe(404);
});

test("with secretScan: refuse, a secret is stored only with a reason, which the audit trail contains", async () => {
  const secret = createTokenPlaintext(randomInt);
  const body = { html: `<p>${secret}</p>`, title: "With a token" };
  const reason = "The token was revoked.";
  const publishWith = (fields: object) => owner.call("publish-drop", { body: { ...body, ...fields } });
  const before = (await owner.succeed("list-drops")).total;

  const refused = await publishWith({});
  const isSecret = await publishWith({ allow_secrets: secret });
  const allowed = await publishWith({ allow_secrets: reason });

  expect(expectError(refused, "secrets_found").details).toEqual({
    field: "allow_secrets",
    secrets: [{ rule: "dropleaf-token", line: 1, column: 4 }],
  });
  expect(expectError(isSecret, "invalid_arg").details).toEqual({ field: "allow_secrets" });
  expect(allowed.status).toBe(201);
  expect((await owner.succeed("list-drops")).total).toBe(before + 1);
  const { slug } = JSON.parse(allowed.text);
  const given = { dataDirectory: join(service.directory, "data") };
  const { lines } = await runCommand(auditCommand, given, [], { drop: slug, json: true });
  expect(lines.map((line) => JSON.parse(line).secrets_allowed_for)).toEqual([reason]);
  const restore = (fields: object) =>
    owner.call("restore-version", { params: { slug }, body: { version: 1, ...fields } });
  expectError(await restore({}), "secrets_found");
  expect((await restore({ allow_secrets: reason })).status).toBe(200);
  for (const { text } of [refused, isSecret, allowed]) expect(text).not.toContain(secret.slice(3));
});

test("with secretScan: refuse, a text file with a secret is stored only with a reason", async () => {
  const upload = (query: string) =>
    fetchPage(`/api/blobs?filename=app.env${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner.token}`, "content-type": "text/plain" },
      body: createTokenPlaintext(randomInt),
    });

  expectError(await upload(""), "secrets_found");
  expect((await owner.succeed("list-blobs")).total).toBe(0);
  expect((await upload("&allow_secrets=It+was+revoked.")).status).toBe(201);
});

test("with keepVersions: 2, publishing deletes older versions, and keeps the owner's entity tag valid", async () => {
  const first = await owner.succeed("publish-drop", { body: { html: pageOf("one"), title: "Kept" } });
  const params = { slug: first.slug };
  const publishNext = (number: number, headers = {}) =>
    owner.call("publish-version", { params, body: { html: pageOf(`${number}`) }, headers });
  await publishNext(2);
  const third = await publishNext(3);
  const versionsOf = async () =>
    (await owner.succeed("list-versions", { params })).versions.map(({ version }) => version);
  await expect.poll(versionsOf).toEqual([3, 2]);

  const fourth = await publishNext(4, { "if-match": third.headers.etag });

  expect(fourth.status).toBe(200);
  await expect.poll(versionsOf).toEqual([4, 3]);
  const missing = await owner.call("get-version", { params: { ...params, n: 1 } });
  expect(expectError(missing, "not_found").message).toBe(
    "Version 1 was removed: this service keeps the last 2 versions of a drop. The latest is 4.",
  );
  expect(JSON.parse((await owner.call("list-versions", { params })).text)).toMatchObject({
    keep_versions: 2,
  });
  const restored = await owner.succeed("restore-version", { params, body: { version: 3 } });
  expect(restored.latest_version).toBe(5);
  await expect.poll(versionsOf).toEqual([5, 4]);
  const given = { dataDirectory: join(service.directory, "data") };
  const { lines } = await runCommand(auditCommand, given, [], { drop: first.slug, action: "retention" });
  expect(lines.filter((line) => line.includes("service"))).toHaveLength(3);
});

test("a drop expires by default, and no call can set an expiry after the maximum", async () => {
  const dayMs = 86_400_000;
  const body = { html: pageOf("expiry"), title: "For a while" };
  const drop = await publish(owner, body);
  const params = { slug: drop.slug };
  const refused = [
    await owner.call("publish-drop", { body: { ...body, expires_in_days: 91 } }),
    await owner.call("publish-drop", { body: { ...body, expires_at: null } }),
    await owner.call("publish-version", { params, body: { html: body.html, expires_in_days: null } }),
    await owner.call("edit-drop", { params, body: { expires_at: Date.now() + 91 * dayMs } }),
    await owner.call("start-publish", { body: { expires_in_days: null } }),
    await owner.call("upsert-drop", {
      query: { "metadata.expiry": "late" },
      body: { ...body, expires_in_days: 91 },
    }),
  ];

  for (const response of refused) {
    const { details, message } = expectError(response, "invalid_arg");
    expect(Math.abs(Number(details.expires_at_max) - Date.now() - 90 * dayMs)).toBeLessThan(600_000);
    expect(message).toContain("90");
  }
  expect(Math.abs(Number(drop.expires_at) - Date.now() - 30 * dayMs)).toBeLessThan(600_000);
  expect(await owner.succeed("edit-drop", { params, body: { title: "Longer" } })).toMatchObject({
    expires_at: drop.expires_at,
  });
  const latest = await owner.succeed("edit-drop", { params, body: { expires_in_days: 90 } });
  expect(Number(latest.expires_at)).toBeGreaterThan(Number(drop.expires_at));
});
