// @module-tag nightly

import { describe, expect, test } from "vitest";
import { suspendCommand, unsuspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import { sendPublic } from "../../scripts/operator/public-request.ts";
import { confirmSignIn, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { dieOnTheWay } from "./die-on-the-way.ts";
import {
  givenOwner,
  newOwner,
  type Owner,
  openGivenService,
  runCommand,
  statusesOf,
} from "./given-service.ts";

const given = await openGivenService();

const suspension = (name: string) => runCommand(suspendCommand, given, [name], { yes: true });
const unsuspension = (name: string) => runCommand(unsuspendCommand, given, [name]);
const hostOf = ({ namespace }: Owner) => `http://${namespace}.${new URL(given.service.baseUrl).host}`;
const allOf = (status: number, addresses: readonly unknown[]) => addresses.map(() => status);
const settled = (addresses: readonly string[]) => expect.poll(() => statusesOf(addresses));

/** Creates an account with a drop of two versions, a locked drop and a file, all requested through the edge. */
async function givenOwnerOfThings(name: string, username = unusedUsername(name)) {
  const owner = await givenOwner(given.service, username);
  const slug = await owner.publish("<p>one</p>", { context: "why" });
  await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>two</p>" });
  const locked = await owner.publish("<p>secret</p>", { passcode: "open sesame" });
  const id = await owner.upload("a note");
  const { baseUrl } = given.service;
  const addresses = [
    `${baseUrl}/p/${slug}`,
    `${baseUrl}/p/${slug}/raw?v=1`,
    `${baseUrl}/p/${slug}/context?v=1`,
    `${hostOf(owner)}/d/${slug}`,
    `${hostOf(owner)}/p/${slug}/raw`,
    `${hostOf(owner)}/p/${slug}/raw?v=2`,
    `${baseUrl}/d/${locked}`,
    `${hostOf(owner)}/b/${id}`,
    `${hostOf(owner)}/`,
  ];
  expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));
  return { owner, slug, id, addresses };
}

/** Returns the status and error of a refused call. */
async function codeOf(owner: Owner, method: string, path: string, body?: unknown) {
  const response = await owner.call(method, path, body);
  const { error } = JSON.parse(response.body.toString()) as { error: { code: string } };
  return [response.status, error.code, error];
}

describe("a suspended account", () => {
  test("is hidden from everyone, and unchanged when the suspension ends", async () => {
    const { owner, slug, addresses } = await givenOwnerOfThings("ada");
    const before = await owner.json("GET", `/api/drops/${slug}/versions`);

    const suspended = await suspension(owner.namespace);

    expect([suspended.isWell, ...suspended.lines]).toEqual([
      true,
      `The account ${owner.namespace} (${owner.userId}) will be suspended with everything in it.`,
      "Tokens suspended: 1.",
      "Drops hidden: 2.",
      "Files hidden: 1.",
      "Waiting for running requests to end …",
      `${owner.namespace} is suspended: 6 of its addresses respond 404.`,
    ]);
    await settled(addresses).toEqual(allOf(404, addresses));

    const back = await unsuspension(owner.namespace);

    expect([back.isWell, ...back.lines]).toEqual([
      true,
      "Files shown: 1.",
      "Drops shown: 2.",
      "Tokens restored: 1.",
      `${owner.namespace} is no longer suspended.`,
    ]);
    await settled(addresses).toEqual(allOf(200, addresses));
    expect(await owner.json("GET", `/api/drops/${slug}/versions`)).toEqual(before);
    expect(await owner.publish("<p>three</p>")).toMatch(/^\w{7}$/);
  });

  test("has the same page for visitors as a missing drop", async () => {
    const { owner, slug } = await givenOwnerOfThings("grace");
    // The 404 page has a sign-in link for its own URL.
    const pageAt = async (at: string) => {
      const address = `${hostOf(owner)}/d/${at}`;
      const { status, headers, body } = await sendPublic(address, { headers: { accept: "text/html" } });
      const page = body
        .toString()
        .replaceAll(/nonce="[^"]+"/g, "")
        .replaceAll(at, "");
      return { status, type: headers["content-type"], cache: headers["cache-control"], page };
    };

    await suspension(owner.namespace);

    const never = await pageAt("Zzzzzz9");
    expect(await pageAt(slug)).toEqual(never);
    expect(never.page).not.toMatch(/suspend/i);
  });

  test("gets an error for every call that says it is suspended and whom to contact", async () => {
    const { owner, slug, id } = await givenOwnerOfThings("hedy");
    const refusal = {
      code: "forbidden",
      message: expect.stringMatching(/^This account is suspended\. .* Ask the operator of this service\.$/),
      details: { reason: "account_suspended" },
    };

    await suspension(owner.namespace);

    const calls: [string, string, unknown?][] = [
      ["GET", "/api/me"],
      ["GET", "/api/me/usage"],
      ["GET", "/api/drops"],
      ["GET", `/api/drops/${slug}`],
      ["POST", "/api/drops", { title: "Late", html: "<p>late</p>" }],
      ["PUT", `/api/drops/${slug}`, { html: "<p>late</p>" }],
      ["DELETE", `/api/drops/${slug}`],
      ["DELETE", `/api/blobs/${id}`],
      ["GET", "/api/tokens"],
      ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
    ];
    for (const [method, path, body] of calls)
      expect([path, ...(await codeOf(owner, method, path, body))]).toEqual([path, 403, "forbidden", refusal]);
    // Refused calls do not count against the limit of writes per minute, which is below seventy.
    const deletions = Array.from({ length: 70 }, () => owner.call("DELETE", `/api/drops/${slug}`));
    expect(new Set((await Promise.all(deletions)).map(({ status }) => status))).toEqual(new Set([403]));
    await unsuspension(owner.namespace);
    await owner.deleteForGood(slug);
  });

  test("is suspended only after its name is typed, and does not affect an account with a similar name", async () => {
    const { namespace } = await newOwner(given.service, "kath");
    const { owner, addresses } = await givenOwnerOfThings("longer", `${namespace}-too`);

    await suspension(namespace);
    const refused = runCommand(suspendCommand, given, [owner.namespace], {}, "kathrine");

    await expect(refused).rejects.toThrow(`"kathrine" is not ${owner.namespace}. Nothing was changed.`);
    expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));
    expect((await owner.call("GET", "/api/me")).status).toBe(200);
  });
});

describe("the holder of a suspended account", () => {
  test("signs in to a page that reports the suspension, and gets no token", async () => {
    const [first, username] = [await startSignIn(), unusedUsername("margaret")];
    await confirmSignIn(first, username);
    await pollSignIn(first.poll_token);
    await suspension(username);
    const start = await startSignIn();

    const refused = await confirmSignIn(start, username).catch((error: Error) => error.message);

    expect(refused).toContain("ended at");
    expect(refused).toContain("with 403");
    expect(refused).toMatch(/<h1>This account is suspended<\/h1>/);
    expect(refused).toContain("Ask the operator of this service.");
    expect(await pollSignIn(start.poll_token)).toEqual({ status: "pending" });
  });

  test("gets no token for a sign-in that was confirmed before", async () => {
    const [start, username] = [await startSignIn(), unusedUsername("annie")];
    await confirmSignIn(start, username);
    await suspension(username);

    expect(await pollSignIn(start.poll_token)).toEqual({ status: "expired" });
    await unsuspension(username);
    expect(await pollSignIn(start.poll_token)).toMatchObject({ status: "verified" });
  });
});

describe("during a suspension", () => {
  test("an upload in steps cannot be completed until the suspension ends", async () => {
    const owner = await newOwner(given.service, "radia");
    const upload = await owner.json("POST", "/api/blobs/uploads", { filename: "late.txt", size_bytes: 4 });
    await suspension(owner.namespace);
    const sent = await sendPublic(upload.url, { method: "PUT", headers: upload.headers, body: "late" });
    const complete = `/api/blobs/uploads/${upload.id}/complete`;

    expect([sent.status, (await owner.call("POST", complete)).status]).toEqual([200, 403]);
    expect(await statusesOf([`${hostOf(owner)}/b/${upload.id}`])).toEqual([404]);
    await unsuspension(owner.namespace);
    const blob = await owner.json("POST", complete);
    expect(await statusesOf([blob.url])).toEqual([200]);
  });

  test("concurrent writes stay hidden too", async () => {
    const { owner, slug, addresses } = await givenOwnerOfThings("joan");
    const published: string[] = [];
    let isOver = false;
    const write = async () => {
      while (!isOver) {
        const page = await owner.call("POST", "/api/drops", { title: "Late", html: "<p>late</p>" });
        if (page.status === 201) published.push(JSON.parse(page.body.toString()).url);
        const version = await owner.call("PUT", `/api/drops/${slug}`, { html: "<p>late</p>" });
        const file = await sendPublic(`${given.service.baseUrl}/api/blobs?filename=late.txt`, {
          method: "POST",
          headers: { authorization: `Bearer ${owner.token}`, "content-type": "text/plain" },
          body: "late",
        });
        if (file.status === 201) published.push(JSON.parse(file.body.toString()).url);
        for (const { status } of [page, version, file]) expect([200, 201, 403, 429]).toContain(status);
      }
    };

    const writing = [write(), write(), write()];
    await expect.poll(() => published.length).toBeGreaterThan(3);
    const { isWell } = await suspension(owner.namespace);
    const left = await statusesOf([...addresses, ...published]);
    isOver = true;
    await Promise.all(writing);

    expect(isWell).toBe(true);
    expect(left).toEqual(left.map(() => 404));
    expect(await statusesOf(published)).toEqual(allOf(404, published));
    await unsuspension(owner.namespace);
    expect(await statusesOf(published)).toEqual(allOf(200, published));
  });
});

test("an interrupted suspension or unsuspension completes when it is run again", async () => {
  const { owner, addresses } = await givenOwnerOfThings("mary");
  const me = async () => (await owner.call("GET", "/api/me")).status;

  const deaths = await dieOnTheWay(() => suspension(owner.namespace));

  expect(deaths).toBeGreaterThan(8);
  await settled(addresses).toEqual(allOf(404, addresses));
  expect(await me()).toBe(403);
  expect((await suspension(owner.namespace)).isWell).toBe(true);

  const deathsBack = await dieOnTheWay(() => unsuspension(owner.namespace));

  expect(deathsBack).toBeGreaterThan(8);
  await settled(addresses).toEqual(allOf(200, addresses));
  expect(await me()).toBe(200);
  expect((await unsuspension(owner.namespace)).lines).toEqual([`${owner.namespace} is not suspended.`]);
});
