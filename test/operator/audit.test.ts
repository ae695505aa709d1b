import { createHash, randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { auditDaysDefault } from "../../functions/core/environment.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { findTeamByNamespace } from "../../functions/people/teams.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { auditShardOf, keys, ranges } from "../../functions/table/keys.ts";

import { dynamodb, getItem } from "../../functions/table/table.ts";
import { tokensCommand } from "../../scripts/operator/accounts/account-lists.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { banCommand, suspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { takedownCommand } from "../../scripts/operator/takedown.ts";
import { newAccount, newTeam, pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { publishFolder } from "../support/folders.ts";
import { givenAnswer } from "../support/given-answers.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { connect, refresh, sendTo } from "../support/oauth.ts";
import { deleteAnswer, openSignedIn, sendForm, sendTeamForm, uploadByForm } from "../support/own-pages.ts";
import { longMs } from "../support/patience.ts";
import { race } from "../support/race.ts";
import { signInToRead } from "../support/reader.ts";
import {
  confirmSignIn,
  continueToProvider,
  enterUsername,
  pollSignIn,
  startSignIn,
  unusedUsername,
} from "../support/sign-in.ts";
import { teamToken } from "../support/team-sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { openGivenService, runCommand, scratchFolder } from "./given-service.ts";

const operator = "arn:aws:iam::000000000000:user/administrator";

/** An audit entry in the command's JSON export. */
interface Line {
  readonly at: string;
  readonly action: string;
  readonly by: string;
  readonly token_id?: string;
  readonly person_id?: string;
  readonly person?: string;
  readonly operator?: string;
  readonly account_id?: string;
  readonly slug?: string;
  readonly version?: number;
  readonly blob_id?: string;
  readonly thread?: number;
  readonly comment?: number;
  readonly about_token_id?: string;
  readonly scope?: string;
  readonly request_id?: string;
  readonly id: string;
}

const given = await openGivenService();
const scratchDirectory = scratchFolder();

const audit = (options: Record<string, string | boolean>) => runCommand(auditCommand, given, [], options);

/** Limits the period, because the command reads each of the 400 days separately. */
const aDayAgo = () => new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();

async function linesOf(options: Record<string, string>): Promise<Line[]> {
  const { lines } = await audit({ from: aDayAgo(), ...options, json: true });
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Removes ids and times from the entries, and sorts them. */
function told(lines: readonly Line[]): object[] {
  const textOf = (line: object) => JSON.stringify(Object.entries(line).toSorted());
  return lines
    .map(({ at: _at, id: _id, request_id: _request, ...rest }) => rest)
    .sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

describe("every audited operation", () => {
  test("leaves one entry with the caller, the action and the object", {
    tags: "nightly",
    timeout: longMs,
  }, async () => {
    const beganMs = Date.now();
    const { everything, userId, teamId } = await liveOnce();

    const both = [userId, teamId].map((account) => linesOf({ account }));
    // The test itself stores answers, with the action "given".
    const lines = (await Promise.all(both)).flat().filter(({ action }) => action !== "given");

    expect(told(lines)).toEqual(told(everything as Line[]));
    // test/scim/provisioning.own.test.ts tests the actions of a directory.
    const audited = operationIds.filter((id) => routeOf(id).grants.audit && routeOf(id).resource !== "scim");
    const actions = new Set(lines.map(({ action }) => action));
    expect([...actions].filter((action) => action !== "create-account").sort()).toEqual(audited.toSorted());
    for (const { at, request_id, id } of lines) {
      expect(Date.parse(at)).toBeGreaterThanOrEqual(beganMs);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
      expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(id).toMatch(/^[A-Za-z0-9]{16}$/);
    }
  });

  test("leaves no title, name, label, page, address or secret in the trail", { tags: "slow" }, async () => {
    const { api, userId, username } = await newAccount("mentioned");
    await publish(api, { title: "A title", passcode: "open sesame", metadata: { project: "a project" } });
    await upload(api, "a filename.txt");

    const items = await itemsOf(userId);

    const text = JSON.stringify(items);
    expect(items.length).toBeGreaterThan(3);
    const secrets = ["A title", "open sesame", "a project", "a filename", username, "127.0.0.1", "hb_"];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test("is recorded for 400 days, by the time to live of the entry", { tags: "slow" }, async () => {
    const { api, userId } = await newAccount();
    await publish(api);

    const [item] = await itemsOf(userId);

    const days = (Number(item?.ttl) - Number(item?.atMs) / 1000) / (24 * 60 * 60);
    expect(auditDaysDefault).toBe(400);
    expect(Math.floor(days)).toBe(400);
  });

  test("leaves the same entry when it is called as an MCP tool", { tags: "slow" }, async () => {
    const { api, userId } = await newAccount();
    const { succeed } = await connectMcp(api.token);

    const { slug } = await succeed("publish_drop", { html: pageOf("one"), title: "One" });

    expect(told(await linesOf({ account: userId, action: "publish-drop" }))).toMatchObject([
      { by: "token", slug, version: 1 },
    ]);
  });

  test("leaves one entry per call when calls run concurrently", { tags: "slow" }, async () => {
    const { api, userId } = await newAccount();
    const { slug } = await publish(api);

    const responses = await race(20, () => api.call("delete-drop", { params: { slug } }));

    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await linesOf({ account: userId, action: "delete-drop" })).toHaveLength(1);
  });
});

test("refused sign-ins of suspended and banned people are recorded, and so is the operator's action", {
  tags: "slow",
}, async () => {
  const { userId, username } = await newAccount("refused");
  const signInAgain = async () => {
    const visitor = new Visitor();
    const provider = await continueToProvider(visitor, await startSignIn());
    return (await enterUsername(visitor, provider, username)).response.status;
  };
  const before = await linesOf({ account: userId });

  await runCommand(suspendCommand, given, [userId], { yes: true });
  const suspended = await signInAgain();
  await runCommand(banCommand, given, [userId], { yes: true });
  const banned = await signInAgain();

  expect([suspended, banned]).toEqual([403, 403]);
  const lines = (await linesOf({ account: userId })).slice(before.length);
  expect(lines.map(({ action, by }) => `${action} by ${by}`)).toEqual([
    "suspend by operator",
    "refuse-sign-in by visitor",
    "ban by operator",
    "suspend by operator",
    "refuse-sign-in by visitor",
  ]);
});

describe("no audit entry is written", () => {
  test("for a refused call", { tags: "slow" }, async () => {
    const { api, userId } = await newAccount();
    const { slug: others } = await publish((await newAccount()).api);
    const { slug } = await publish(api);
    const before = await linesOf({ account: userId });
    const params = { slug };

    const responses = [
      await new ApiClient().call("delete-drop", { params }),
      await api.call("publish-drop", { body: { title: "No page" } }),
      await api.call("delete-drop", { params: { slug: others } }),
      await api.call("publish-version", { params: { slug: others }, body: { html: pageOf("two") } }),
      await api.call("edit-drop", { params, body: { html: "none of it" } }),
      await api.call("edit-drop", { params, body: { title: "T" }, headers: { "if-match": '"another"' } }),
      await api.call("set-passcode", { params, body: { passcode: "abc" } }),
      await api.call("delete-version", { params: { slug, n: 1 } }),
      await api.call("revoke-token", { params: { id: "000000000000" } }),
      await api.call("delete-blob", { params: { id: "0000000" } }),
      await api.call("start-upload", { body: { filename: "a.txt", size_bytes: 0 } }),
      await api.call("complete-upload", { params: { id: "0000000" } }),
    ];

    expect(responses.map(({ status }) => status)).toEqual([
      401, 400, 404, 404, 400, 412, 400, 409, 404, 404, 400, 404,
    ]);
    expect(await linesOf({ account: userId })).toEqual(before);
  });

  test("for a read, a count, or a change without effect", { tags: "slow" }, async () => {
    const { api, userId } = await newAccount();
    const { slug } = await publish(api, { passcode: "open sesame" });
    const before = await linesOf({ account: userId });
    const unlock = (passcode: string) =>
      fetchPage(`/p/${slug}/unlock`, {
        method: "POST",
        body: new URLSearchParams({ passcode }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });

    const statuses = [
      (await api.call("get-drop", { params: { slug } })).status,
      (await api.call("edit-drop", { params: { slug }, body: {} })).status,
      (await fetchPage(`/p/${slug}`)).status,
      (await fetchPage(`/p/${slug}/raw`)).status,
      (await unlock("wrong")).status,
      (await unlock("open sesame")).status,
    ];

    expect(statuses).toEqual([200, 200, 200, 200, 403, 303]);
    expect(await linesOf({ account: userId })).toEqual(before);
  });

  test("for a repeated response to the same Idempotency-Key", { tags: "slow" }, async () => {
    const { api, userId } = await newAccount();
    const publishing = {
      body: { html: pageOf("one"), title: "One" },
      headers: { "idempotency-key": randomUUID() },
    };
    const drop = await api.succeed("publish-drop", publishing);
    const blobId = await uploadInSteps(api);

    const again = await api.succeed("publish-drop", publishing);
    const file = await api.succeed("complete-upload", { params: { id: blobId } });

    expect([again.slug, file.id]).toEqual([drop.slug, blobId]);
    expect(await linesOf({ account: userId, action: "publish-drop" })).toHaveLength(1);
    expect(await linesOf({ account: userId, action: "complete-upload" })).toHaveLength(1);
  });
});

test("the entry of a write for a team names the account and the person", {
  tags: "slow",
}, async () => {
  const ada = await newAccount("ada");
  const { namespace } = await newTeam(ada);
  const { slug } = await publish(await teamToken(ada.username, namespace));

  const [line] = await linesOf({ drop: slug });

  const { userId: teamId } = (await findTeamByNamespace(namespace)) ?? {};
  expect(line).toMatchObject({ account_id: teamId, person_id: ada.userId, person: ada.username });
});

describe("an operator", () => {
  test("is named in the entries of a takedown, a revoked token and a deleted account", {
    tags: "slow",
  }, async () => {
    const { api, userId } = await newAccount();
    const { slug } = await publish(api);
    const left = await publish(api);
    const blobId = await upload(api, "a.txt");
    const { token } = await api.succeed("get-me");
    const before = await linesOf({ account: userId });

    await runCommand(takedownCommand, given, [slug], { yes: true, "no-copy": true });
    await runCommand(tokensCommand, given, [userId], { revoke: token.id });
    await runCommand(deleteAccountCommand, given, [userId], { yes: true });

    const by = { by: "operator", operator, account_id: userId };
    const all = await linesOf({ account: userId });
    expect(told(all.filter(({ by: who }) => who === "operator"))).toEqual(
      told([
        { ...by, action: "takedown", slug },
        { ...by, action: "revoke-token", about_token_id: token.id },
        { ...by, action: "delete-account" },
        { ...by, action: "delete-account", slug: left.slug },
        { ...by, action: "delete-account", blob_id: blobId },
      ] as unknown as Line[]),
    );
    // The account's entries remain after its deletion, without the user name.
    const withoutName = before.map(({ person: _, ...line }) => line);
    expect(all.slice(0, before.length)).toEqual(withoutName);
    expect(withoutName).not.toEqual(before);
  });

  test("can see who deleted a drop, what a token did, and what happened to a file", async () => {
    const { api, userId, username } = await newAccount();
    const { slug } = await publish(api);
    await api.succeed("delete-drop", { params: { slug } });
    const blobId = await upload(api, "a.txt");
    const { token } = await api.succeed("get-me");
    const actions = async (options: Record<string, string>) =>
      (await linesOf(options)).map(({ action }) => action);

    expect(await actions({ drop: slug })).toEqual(["publish-drop", "delete-drop"]);
    expect(await actions({ drop: slug, action: "delete-drop" })).toEqual(["delete-drop"]);
    expect(await actions({ token: token.id })).toEqual([
      "poll-sign-in",
      "publish-drop",
      "delete-drop",
      "upload-blob",
    ]);
    expect(await actions({ file: blobId })).toEqual(["upload-blob"]);
    const { lines } = await audit({ drop: slug, from: aDayAgo() });
    expect(lines[0]).toMatch(/^when +action +by +person +account +about$/);
    expect(lines[2]).toMatch(
      new RegExp(`^20\\S+Z +delete-drop +token ${token.id} +${username} +${userId} +drop ${slug}$`),
    );
    expect(lines.at(-1)).toBe("Lines: 2.");
  });

  test("can limit the entries to a period, up to the end of a day", async () => {
    const { api, userId } = await newAccount();
    await publish(api);
    const [line] = await linesOf({ account: userId, action: "publish-drop" });
    const at = line?.at ?? "";
    const shifted = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
    const count = async (time: Record<string, string>) =>
      (await linesOf({ account: userId, action: "publish-drop", ...time })).length;

    expect(await count({ from: at, to: shifted(1) })).toBe(1);
    expect(await count({ from: shifted(1) })).toBe(0);
    expect(await count({ from: shifted(-1), to: at })).toBe(0);
    expect(await count({ from: at.slice(0, 10), to: at.slice(0, 10) })).toBe(1);
    expect(
      await count({ from: shifted(-240 * 60 * 60 * 1000), to: shifted(-24 * 60 * 60 * 1000).slice(0, 10) }),
    ).toBe(0);
  });

  test("exports JSON lines into a new file that only the operator can read", { tags: "slow" }, async () => {
    const { api, userId } = await newAccount();
    await publish(api);
    const file = join(scratchDirectory, "audit.jsonl");

    const { lines } = await audit({ account: userId, export: file });

    const text = readFileSync(file, "utf8");
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(await linesOf({ account: userId }));
    expect(lines).toEqual([`Lines in ${file}: 4.`]);
    expect(statSync(file).mode & 0o077).toBe(0);
    await expect(audit({ account: userId, export: file })).rejects.toThrow(
      "exists already. Name another file.",
    );
  });

  test.each([
    [{ from: "yesterday" }, '--from is "yesterday": use a day in UTC such as 2026-11-22'],
    [{ to: "2026-02-30" }, '--to is "2026-02-30": use a day in UTC'],
    [{ from: "2026-11-22T09:30" }, '--from is "2026-11-22T09:30": use'],
    [{ from: "2026-11-22", to: "2026-11-21" }, "--from is not before --to."],
    [{ action: "delete" }, '--action is "delete": choose from add-hold, add-member, ban'],
    [{ drop: "Ab3" }, "--drop is not an id. Use the 7 characters of a slug."],
    [
      { token: "hb_notATokenId" },
      "--token is not an id. Use the 12 characters of a token's id, not the token.",
    ],
    [{ account: "nobody-at-all" }, 'no account with the user id or the namespace "nobody-at-all"'],
    [{ json: true, export: "x" }, "Use --json or --export <file>, not both."],
  ])("gets the right usage for %j", async (options, problem) => {
    await expect(audit(options as Record<string, string>)).rejects.toThrow(problem);
  });
});

/** Returns the items of an account's audit entries of today. */
async function itemsOf(userId: string): Promise<Record<string, unknown>[]> {
  const now = Date.now();
  const found = [];
  // The date may have changed during the test.
  for (const day of new Set([now - 60_000, now].map((atMs) => new Date(atMs).toISOString().slice(0, 10)))) {
    const { pk } = ranges.audit(day, auditShardOf(userId), 0, now);
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: given.service.tableName,
        KeyConditionExpression: "pk = :pk",
        FilterExpression: "ownerId = :ownerId",
        ExpressionAttributeValues: { ":pk": pk, ":ownerId": userId },
      }),
    );
    found.push(...Items);
  }
  return found;
}

/** Publishes a folder by its list of files, whose contents the drop already has, and returns its slug. */
async function publishFolderOnce(api: ApiClient): Promise<string> {
  const html = pageOf("a folder");
  const { slug } = await publishFolder(api, { "index.html": html });
  const sha256 = createHash("sha256").update(html).digest("hex");
  const body = { files: { "index.html": { sha256, bytes: Buffer.byteLength(html) } } };
  const { publication_id: publication, missing } = await api.succeed("start-folder", {
    params: { slug },
    body,
  });
  expect(missing).toEqual([]);
  await api.succeed("publish-folder", { params: { slug, publication } });
  return slug;
}

async function liveOnce() {
  const username = unusedUsername("busy");
  const start = await startSignIn("an agent");
  await confirmSignIn(start, username);
  const { api_token: plaintext, user_id: userId = "" } = await pollSignIn(start.poll_token);
  const api = new ApiClient(plaintext);
  const { token } = await api.succeed("get-me");
  await undoOnce(username);
  const revealed = await revealOnce(username, api);
  const visitor = { by: "visitor", account_id: userId };
  const person = { person_id: userId, person: username };
  const own = { by: "token", token_id: token.id, ...person, account_id: userId };

  const drop = await publish(api, { feedback: "readers" });
  const { slug } = drop;
  const html = pageOf("two");
  await api.succeed("publish-version", { params: { slug }, body: { html } });
  await api.succeed("restore-version", { params: { slug }, body: { version: 1 } });
  await api.succeed("edit-drop", { params: { slug }, body: { title: "Another" } });
  await api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } });
  await api.succeed("delete-version", { params: { slug, n: 1 } });
  await writeOnce(drop, "open sesame");
  const thread = { slug, thread: 1 };
  await api.succeed("reply-to-feedback", { params: thread, body: { text: "Because." } });
  // The second call changes nothing, so it writes no entry.
  for (let time = 0; time < 2; time += 1)
    await api.succeed("resolve-feedback", { params: thread, body: { state: "resolved" } });
  await api.succeed("delete-feedback", { params: thread });
  for (let count = 0; count < 2; count += 1) await givenAnswer(userId, slug);
  await api.succeed("delete-answer", { params: { slug, number: 1 } });
  await api.succeed("delete-answers", { params: { slug } });
  const query = { "metadata.project": "life" };
  const upserted = await api.succeed("upsert-drop", { query, body: { html, title: "One" } });
  await api.succeed("start-publish", { body: { slug: upserted.slug } });
  for (const id of ["delete-drop", "undelete-drop", "delete-drop", "purge-drop"] as const)
    await api.succeed(id, { params: { slug } });
  const blobId = await upload(api, "a.txt");
  // The second call changes nothing, so it writes no entry.
  for (let time = 0; time < 2; time += 1)
    await api.succeed("edit-blob", { params: { id: blobId }, body: { visibility: "unlisted" } });
  await api.succeed("delete-blob", { params: { id: blobId } });
  const stepped = await uploadInSteps(api);
  await api.succeed("revoke-token", { params: { id: revealed } });
  await readOnce(username);
  const form = '<form data-answers="vote"><input name="day"></form>';
  await api.succeed("publish-version", {
    params: { slug: upserted.slug },
    body: { html: html + form, answers: "readers" },
  });
  await answerOnce(upserted.slug);
  const access = await askOnce(username, api);
  const foldered = await publishFolderOnce(api);
  const another = await revealOnce(username, api);
  const fileId = await fillInForms(username, upserted.slug, another);
  const reader = { by: "reader", identity: await identityOf(userId), ...person, account_id: userId };
  const connected = await connectOnce(username, api);
  const { team, tokenId: teamTokenId, moved, byHand } = await teamOnce(username, api);

  const everything = [
    { action: "create-account", ...visitor },
    { action: "complete-sign-in", ...visitor },
    { action: "poll-sign-in", ...visitor, about_token_id: token.id, scope: "all" },
    { action: "complete-sign-in", ...visitor },
    { action: "undo-sign-in", ...visitor },
    { action: "complete-sign-in", ...visitor },
    { action: "reveal-token", ...visitor, about_token_id: revealed, scope: "all" },
    { action: "publish-drop", ...own, slug, version: 1 },
    { action: "publish-version", ...own, slug, version: 2 },
    { action: "restore-version", ...own, slug, version: 3 },
    { action: "edit-drop", ...own, slug },
    { action: "set-passcode", ...own, slug },
    { action: "delete-version", ...own, slug, version: 1 },
    { action: "send-feedback", ...visitor, ...thread, comment: 1 },
    { action: "reply-to-feedback", ...own, ...thread, comment: 2 },
    { action: "resolve-feedback", ...own, ...thread },
    { action: "delete-feedback", ...own, ...thread },
    { action: "delete-answer", ...own, slug, answer: 1 },
    { action: "delete-answers", ...own, slug },
    { action: "upsert-drop", ...own, slug: upserted.slug, version: 1 },
    { action: "start-publish", ...own, slug: upserted.slug },
    { action: "delete-drop", ...own, slug },
    { action: "undelete-drop", ...own, slug },
    { action: "delete-drop", ...own, slug },
    { action: "purge-drop", ...own, slug },
    { action: "upload-blob", ...own, blob_id: blobId },
    { action: "edit-blob", ...own, blob_id: blobId },
    { action: "delete-blob", ...own, blob_id: blobId },
    { action: "start-upload", ...own, blob_id: stepped },
    { action: "complete-upload", ...own, blob_id: stepped },
    { action: "revoke-token", ...own, about_token_id: revealed },
    { action: "complete-sign-in", ...reader },
    { action: "sign-out-reader", ...reader },
    { action: "publish-version", ...own, slug: upserted.slug, version: 2 },
    { action: "send-answer", ...visitor, slug: upserted.slug, version: 2, answer: 1 },
    { action: "publish-drop", ...own, slug: access.slug, version: 1 },
    ...access.asked.map((line) => ({
      action: "request-access",
      ...line,
      account_id: userId,
      slug: access.slug,
    })),
    { action: "complete-sign-in", ...reader },
    { action: "decide-access-request", ...reader, slug: access.slug },
    { action: "dismiss-access-request", ...own, slug: access.slug, access_request: access.dismissed },
    { action: "publish-drop", ...own, slug: foldered, version: 1 },
    { action: "publish-folder", ...own, slug: foldered, version: 2 },
    { action: "complete-sign-in", ...visitor },
    { action: "reveal-token", ...visitor, about_token_id: another, scope: "all" },
    { action: "complete-sign-in", ...reader },
    { action: "edit-own-drop", ...reader, slug: upserted.slug },
    { action: "delete-own-answers", ...reader, slug: upserted.slug, answer: 1 },
    { action: "share-own-drop", ...reader, slug: upserted.slug },
    { action: "restore-own-version", ...reader, slug: upserted.slug, version: 3 },
    { action: "delete-own-version", ...reader, slug: upserted.slug, version: 1 },
    { action: "delete-own-drop", ...reader, slug: upserted.slug },
    { action: "undelete-own-drop", ...reader, slug: upserted.slug },
    { action: "delete-own-drop", ...reader, slug: upserted.slug },
    { action: "purge-own-drop", ...reader, slug: upserted.slug },
    { action: "upload-own-file", ...reader, blob_id: fileId },
    { action: "edit-own-file", ...reader, blob_id: fileId },
    { action: "delete-own-file", ...reader, blob_id: fileId },
    { action: "revoke-own-token", ...reader, about_token_id: another },
    { action: "complete-sign-in", ...reader },
    { action: "decide-consent", ...reader },
    { action: "complete-sign-in", ...reader },
    { action: "issue-token", ...visitor, about_token_id: connected, scope: "all" },
    { action: "issue-token", ...visitor, about_token_id: connected, scope: "all" },
    { action: "revoke-grant", ...visitor, about_token_id: connected },
    { action: "create-team", ...own, ...team },
    { action: "create-team-token", ...own, ...team, about_token_id: teamTokenId, scope: "all" },
    { action: "edit-team", ...own, ...team },
    { action: "set-team-role", ...own, ...team },
    { action: "remove-team-role", ...own, ...team },
    { action: "choose-account", ...visitor, ...team },
    { action: "switch-account", ...reader, ...team },
    { action: "edit-own-team", ...reader, ...team },
    { action: "publish-drop", ...own, slug: moved, version: 1 },
    { action: "move-drop", ...own, slug: moved, new_account_id: team.account_id },
    { action: "publish-drop", ...own, slug: byHand, version: 1 },
    { action: "complete-sign-in", ...reader },
    { action: "move-own-drop", ...reader, slug: byHand, new_account_id: team.account_id },
  ];
  return { userId, teamId: team.account_id, everything };
}

/** Creates a team, changes it, and signs in for it. Returns the team's account and the token and drops of the test. */
async function teamOnce(username: string, api: ApiClient) {
  const { namespace } = await api.succeed("create-team", { body: { namespace: unusedUsername("team") } });
  await api.succeed("edit-team", { params: { namespace }, body: { group_by: "project" } });
  const { id: tokenId } = await api.succeed("create-team-token", {
    params: { namespace },
    body: { label: "Nightly" },
  });
  const params = { namespace, reader: "grace@example.com" };
  await api.succeed("set-team-role", { params, body: { role: "editor" } });
  await api.succeed("remove-team-role", { params });
  const visitor = new Visitor();
  const choice = await confirmSignIn(await startSignIn(), username, visitor);
  expect((await visitor.submit(choice, { account: namespace })).response.status).toBe(200);
  const browser = new Visitor();
  const own = await openSignedIn("/account", username, browser);
  await sendForm(browser, own, "/account/switch", { account: namespace });
  const form = { change: "group", group_by: "area" };
  await sendTeamForm(browser, await browser.open("/account/team"), form);
  const { userId } = (await findTeamByNamespace(namespace)) ?? { userId: "" };
  const { slug: moved } = await publish(api);
  await api.succeed("move-drop", { params: { slug: moved }, body: { to: namespace } });
  const { slug: byHand } = await publish(api);
  const path = `/account/drops/${byHand}`;
  const mover = new Visitor();
  await sendForm(mover, await openSignedIn(path, username, mover), `${path}/move`, { to: namespace });
  return { team: { account_id: userId }, tokenId, moved, byHand };
}

/** Connects an MCP client, which refreshes its token and revokes it twice. Only the first revocation has an entry. Returns the token's id. */
async function connectOnce(username: string, api: ApiClient): Promise<string> {
  const connection = await connect(username, { client_name: "Busy client" });
  const { tokens } = await api.succeed("list-tokens");
  const { refresh_token: token = "" } = (await refresh(connection)).json as {
    readonly refresh_token?: string;
  };
  for (let time = 0; time < 2; time += 1) expect((await sendTo("revoke", { token })).status).toBe(200);
  return tokens.find(({ label }) => label === "Busy client")?.id ?? "";
}

/** Undoes a confirmed sign-in twice. Only the first time writes an entry. */
async function undoOnce(username: string): Promise<void> {
  const visitor = new Visitor();
  const confirmation = await confirmSignIn(await startSignIn(), username, visitor);
  for (let click = 0; click < 2; click += 1) {
    expect((await visitor.submit(confirmation, {})).response.status).toBe(200);
  }
}

/** Signs a reader in, and out twice. Only the first sign-out writes an entry. */
async function readOnce(username: string): Promise<void> {
  const visitor = new Visitor();
  const refused = await signInToRead("/p/0000000", username, visitor);
  for (let click = 0; click < 2; click += 1) {
    expect((await sendForm(visitor, refused, "/login/sign-out")).response.status).toBe(200);
  }
}

/** Creates requests of two people for access to a drop. Its owner gives the first one access on the page and dismisses the other. */
async function askOnce(username: string, api: ApiClient) {
  const { slug } = await publish(api, { visibility: "people", readers: ["nobody@example.com"] });
  const asked = [];
  for (const name of [unusedUsername("grace"), unusedUsername("ada")]) {
    const visitor = new Visitor();
    const page = await signInToRead(`/p/${slug}`, name, visitor);
    expect((await sendForm(visitor, page, `/p/${slug}/access`)).response.status).toBe(200);
    const { requests } = await api.succeed("list-access-requests");
    const { origin, port } = new URL(baseUrl());
    const provider = origin.replace(port, String(Number(port) + 1));
    const identity = `${provider}#${Buffer.from(name).toString("base64url")}`;
    asked.push({ by: "reader", identity, access_request: requests[0]?.id ?? "" });
  }
  const [give, dismiss] = asked.map(({ access_request }) => access_request);
  const visitor = new Visitor();
  const page = await openSignedIn(`/account/drops/${slug}`, username, visitor);
  // The second click changes nothing, so it writes no entry.
  for (let click = 0; click < 2; click += 1)
    await sendForm(visitor, page, `/account/drops/${slug}/access`, { give: give ?? "" });
  await api.succeed("dismiss-access-request", { params: { slug, id: dismiss ?? "" } });
  return { slug, asked, dismissed: dismiss };
}

/** Sends feedback about a locked drop with an unverified name. */
async function writeOnce({ slug }: DropResponse, passcode: string): Promise<void> {
  const visitor = new Visitor();
  const asBrowser = { "sec-fetch-dest": "document" };
  const address = new URL(`/p/${slug}/feedback`, baseUrl());
  await visitor.submit(await visitor.open(address, { headers: asBrowser }), { passcode });
  const { response } = await visitor.open(address, { headers: asBrowser });
  const [proof = "", form = ""] = ["proof", "form"].map(
    (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(response.text)?.[1] ?? "",
  );
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: address.origin };
  const body = new URLSearchParams({ proof, form, name: "Grace", text: "Why?" }).toString();
  const sent = await visitor.request(address, { method: "POST", headers, body });
  expect(sent.response.status, sent.response.text.slice(0, 300)).toBe(303);
}

/** Sends an answer to a page's form without a name. */
async function answerOnce(slug: string): Promise<void> {
  const address = new URL(`/p/${slug}/answers?form=vote`, baseUrl());
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const { status } = await fetchPage(address, { method: "POST", headers, body: "day=Tuesday" });
  expect(status).toBe(200);
}

/** Sends each form of an owner's pages once and returns the id of the uploaded file. */
async function fillInForms(username: string, slug: string, tokenId: string): Promise<string> {
  const visitor = new Visitor();
  const drop = `/account/drops/${slug}`;
  let page = await openSignedIn(drop, username, visitor);
  page = await sendForm(visitor, page, drop, { title: "By hand" });
  await deleteAnswer(visitor, await visitor.open(`${drop}/answers`), 1);
  page = await sendForm(visitor, page, `${drop}/share`, { lock: "set", passcode: "open sesame" });
  page = await sendForm(visitor, page, `${drop}/restore`, { version: "1" });
  page = await sendForm(visitor, page, `${drop}/versions`, { version: "1" });
  await sendForm(visitor, page, `${drop}/delete`);
  const trash = "/account/trash";
  await sendForm(visitor, await visitor.open(trash), `${trash}/${slug}/undelete`);
  await sendForm(visitor, await visitor.open(drop), `${drop}/delete`);
  await sendForm(visitor, await visitor.open(trash), `${trash}/${slug}/purge`, { confirm: "yes" });

  const file = { name: "by-hand.txt", type: "text/plain", bytes: "by hand" };
  page = await uploadByForm(visitor, await visitor.open("/account/files"), file);
  const [, id = ""] = /\/b\/([A-Za-z0-9]{7})"/.exec(page.response.text) ?? [];
  page = await sendForm(visitor, page, `/account/files/${id}`, { visibility: "unlisted" });
  await sendForm(visitor, page, `/account/files/${id}/delete`, { confirm: "yes" });

  const tokens = await visitor.open("/account/tokens");
  await sendForm(visitor, tokens, `/account/tokens/${tokenId}/revoke`);
  return id;
}

/** Returns the identity provider's permanent id of an account's person. */
async function identityOf(userId: string): Promise<string> {
  const account = await getItem(keys.account(userId));
  return `${account?.provider}#${account?.providerId}`;
}

/** Creates a token in the browser, without an agent, and returns its id. */
async function revealOnce(username: string, api: ApiClient): Promise<string> {
  const { tokens: before } = await api.succeed("list-tokens");
  const visitor = new Visitor();
  const verify = await visitor.submit(await visitor.open("/login/token"), { label: "" });
  const provider = await continueToProvider(visitor, { verification_url: verify.url.href });
  const confirmation = await enterUsername(visitor, provider, username);
  const shown = await visitor.submit(confirmation, {});
  expect(shown.response.status).toBe(200);
  const { tokens: after } = await api.succeed("list-tokens");
  return after.find(({ id }) => !before.some((one) => one.id === id))?.id ?? "";
}

async function upload(api: ApiClient, filename: string): Promise<string> {
  const headers = { "content-type": "text/plain" };
  return (await api.succeed("upload-blob", { query: { filename }, text: "a note", headers })).id;
}

async function uploadInSteps(api: ApiClient): Promise<string> {
  const { id, url, method, headers } = await api.succeed("start-upload", {
    body: { filename: "b.txt", size_bytes: 6 },
  });
  expect((await fetch(url, { method, headers, body: "a note" })).status).toBe(200);
  await api.succeed("complete-upload", { params: { id } });
  return id;
}
