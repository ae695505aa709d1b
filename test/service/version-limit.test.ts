import { expect, test } from "vitest";
import { limits } from "../../functions/platform/limits.ts";
import { inLanes } from "../../scripts/operator/in-lanes.ts";
import { anotherToken, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";

test("a drop has at most 200 versions; deleting one makes room, and its number is not given again", async () => {
  const account = await newAccount("full");
  const { slug } = await publish(account.api);
  const clients = [account.api, ...(await Promise.all([1, 2, 3].map(() => anotherToken(account))))];
  const body = { html: pageOf("next") };
  const params = { slug };
  const missing = limits.versionsPerDropMax - 1;
  // Each token stays below its 60 writes in a minute.
  const puts = Array.from({ length: missing }, (_, index) => () => {
    return clients[index % clients.length]?.succeed("publish-version", { params, body });
  });
  await inLanes(4, puts as (() => Promise<unknown>)[]);

  const refused = await account.api.call("publish-version", { params, body });

  const { details } = expectError(refused, "version_limit_reached");
  expect(details.retry_after_seconds).toBe(limits.quotaRetryAfterSeconds);
  const { versions } = await account.api.succeed("list-versions", { params });
  expect(versions.map(({ version }) => version)).toEqual(
    Array.from({ length: 200 }, (_, index) => 200 - index),
  );
  await account.api.succeed("delete-version", { params: { slug, n: 7 } });
  expect((await account.api.succeed("publish-version", { params, body })).latest_version).toBe(201);
  expectError(await account.api.call("publish-version", { params, body }), "version_limit_reached");
});
