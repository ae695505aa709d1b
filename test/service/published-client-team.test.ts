// @module-tag slow

import { expect, test } from "vitest";
import { newAccount, pageOf } from "../support/accounts.ts";
import { PublishedClient } from "../support/published-client.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { teamToken } from "../support/team-sign-in.ts";

test("@htmlbin/cli, which does not know teams, publishes, updates and deletes with a team's token", async () => {
  const ada = await newAccount("ada");
  const namespace = unusedUsername("growth");
  await ada.api.succeed("create-team", { body: { namespace } });
  const api = await teamToken(ada.username, namespace);
  const client = await PublishedClient.inNewFolder(api.token);
  try {
    await client.write("report.html", pageOf("the first page"));
    await client.write("newer.html", pageOf("the second page"));

    const published = await client.succeed("publish", "report.html", "--upsert", "--metadata", "kind=report");
    const again = await client.succeed("publish", "newer.html", "--upsert", "--metadata", "kind=report");

    expect(again).toEqual({ ...published, matched: true });
    expect((await api.succeed("list-drops")).drops).toMatchObject([
      { slug: published.slug, latest_version: 2, url: expect.stringContaining(namespace) },
    ]);
    expect((await ada.api.succeed("list-drops")).drops).toEqual([]);
    expect((await client.run("delete", String(published.slug))).exitCode).toBe(0);
    expect((await api.succeed("list-drops")).drops).toEqual([]);
  } finally {
    client.remove();
  }
});
