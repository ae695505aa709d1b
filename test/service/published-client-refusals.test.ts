// @module-tag nightly

import { findFreePort } from "@dropleaf/local-cloud/free-port";
import pLimit from "p-limit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { type Account, anotherToken, newAccount, pageOf, publish } from "../support/accounts.ts";
import { PublishedClient } from "../support/published-client.ts";

// The README of @htmlbin/cli lists the exit codes.

let account: Account;
let slug: string;
const clients: PublishedClient[] = [];

beforeAll(async () => {
  account = await newAccount("refused-client");
  slug = (await publish(account.api)).slug;
});

afterAll(() => Promise.all(clients.map((client) => client.remove())));

async function clientWith(token?: string, address?: string): Promise<PublishedClient> {
  const client = await PublishedClient.inNewFolder(token, address);
  clients.push(client);
  await client.write("page.html", pageOf("a page"));
  await client.write("empty.html", "");
  return client;
}

/** Runs a command that is refused, and returns its exit code and the client's error. */
async function refusalOf(client: PublishedClient, args: readonly string[]) {
  const { exitCode, stdout, stderr } = await client.run(...args, "--output", "json");
  expect(stdout).toBe("");
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string; details?: object } };
  return { exitCode, ...error };
}

describe("@htmlbin/cli exits", () => {
  test.each([
    ["an unknown slug", 4, "not_found", ["url", "aaaaaaa"]],
    ["a new version of an unknown drop", 4, "not_found", ["publish", "page.html", "--slug", "aaaaaaa"]],
    ["a long title", 6, "title_too_long", ["publish", "page.html", "--title", "x".repeat(201)]],
    [
      "a long description",
      6,
      "description_too_long",
      ["update", "aaaaaaa", "--description", "x".repeat(501)],
    ],
    ["an invalid slug", 7, "invalid_slug", ["delete", "no-slug"]],
    ["an empty page", 7, "html_required", ["publish", "empty.html"]],
    ["an invalid tag", 7, "invalid_arg", ["list", "--metadata", "No=x"]],
  ])("for %s with %i and the error code %s", async (_case, exitCode, code, args) => {
    const client = await clientWith(account.api.token);

    expect(await refusalOf(client, args)).toMatchObject({ exitCode, code });
  });

  test("with 2 without a token or with a revoked one", async () => {
    const revoked = await anotherToken(account);
    const { token } = await revoked.succeed("get-me");
    await account.api.succeed("revoke-token", { params: { id: token.id } });

    expect(await refusalOf(await clientWith(), ["list"])).toMatchObject({
      exitCode: 2,
      code: "auth_required",
    });
    expect(await refusalOf(await clientWith(revoked.token), ["list"])).toMatchObject({
      exitCode: 2,
      code: "unauthorized",
    });
  });

  test("with 5 for a token at its write limit, with the time to wait", async () => {
    const api = await anotherToken(account);
    const edit = () => api.call("edit-drop", { params: { slug }, body: {} });
    await pLimit(4).map(Array(limits.writesPerMinutePerToken).keys(), edit);

    const refusal = await refusalOf(await clientWith(api.token), ["publish", "page.html"]);

    expect(refusal).toMatchObject({ exitCode: 5, code: "rate_limited" });
    expect(refusal.details).toMatchObject({ status: 429, retry_after_seconds: expect.any(Number) });
  });

  test("with 8 if the service does not respond", async () => {
    const client = await clientWith(account.api.token, `http://localhost:${await findFreePort(1)}`);

    expect(await refusalOf(client, ["list"])).toMatchObject({ exitCode: 8, code: "network_error" });
  });
});
