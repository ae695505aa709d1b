import { expect, test } from "vitest";
import { limits } from "../../functions/platform/limits.ts";
import { inLanes } from "../../scripts/operator/in-lanes.ts";
import { type Account, anotherToken, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { PublishedClient } from "../support/published-client.ts";

test("an account has at most 500 drops, also when many are published at once; deleting one makes room", async () => {
  const account = await newAccount("hoarder");
  const tokens = await inLanes(
    3,
    Array.from({ length: 9 }, () => () => anotherToken(account)),
  );
  const body = { html: pageOf("one of many"), title: "One of many" };
  const surplus = 4;
  // Each token stays below its 60 writes in a minute.
  const publications = Array.from({ length: limits.dropsPerAccountMax + surplus }, (_, index) => () => {
    return (tokens[index % tokens.length] ?? account.api).call("publish-drop", { body });
  });

  const answers = await inLanes(8, publications);

  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(surplus);
  for (const answer of refused) {
    const { details } = expectError(answer, "quota_exceeded");
    expect(details.retry_after_seconds).toBe(limits.quotaRetryAfterSeconds);
  }
  await expectPublishedClientToSeeAll(account);
  const { drops, total } = await account.api.succeed("list-drops", { query: { page: 3, pageSize: 200 } });
  expect([drops.length, total]).toEqual([100, 500]);
  expect((await account.api.succeed("get-usage")).drops).toEqual({ used: 500, limit: 500 });
  await account.api.succeed("delete-drop", { params: { slug: drops[0]?.slug ?? "" } });
  expect((await publish(account.api)).latest_version).toBe(1);
  expectError(await account.api.call("publish-drop", { body }), "quota_exceeded");
});

/** `@htmlbin/cli` turns pages of 100, and ends with 5 where a limit is reached. */
async function expectPublishedClientToSeeAll({ api }: Account): Promise<void> {
  const client = await PublishedClient.inNewFolder(api.token);
  await client.write("page.html", pageOf("one too many"));

  const [listed, refused] = [await client.run("list"), await client.run("publish", "page.html")];

  await client.remove();
  expect(new Set(listed.stdout.trimEnd().split("\n")).size).toBe(limits.dropsPerAccountMax);
  expect([refused.exitCode, refused.stderr]).toEqual([5, expect.stringContaining("[quota_exceeded]")]);
}
