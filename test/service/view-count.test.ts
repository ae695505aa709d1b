import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { onBaseHost } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("views");
});

describe("view_count", () => {
  test("counts each GET of the viewer, at any of its URLs, within seconds", {
    tags: "slow",
  }, async () => {
    const drop = await publish(account.api);
    const addresses = [drop.url, `${drop.url}?v=1`, `${baseUrl()}/p/${drop.slug}`];

    for (const address of addresses) expect((await fetchPage(address)).status).toBe(200);

    await expect.poll(() => viewsOf(drop), within(10)).toBe(3);
  });

  test("does not count HEAD, raw pages, contexts, passcode forms, 404 pages or the owner's API calls", {
    tags: "slow",
  }, async () => {
    const [drop, locked, witness] = [
      await publish(account.api, { context: "why" }),
      await publish(account.api, { passcode: "abcd" }),
      await publish(account.api),
    ];
    const uncounted = [
      drop.raw_url,
      drop.raw_url.replace(/raw$/, "context?v=1"),
      `${drop.url}?v=9`,
      locked.url,
      onBaseHost(locked.url),
    ];

    await fetchPage(drop.url, { method: "HEAD" });
    for (const address of uncounted) await fetchPage(address);
    await account.api.succeed("get-drop", { params: { slug: drop.slug } });

    // Views are counted in order, so once this one is counted, the others would have been counted too.
    await fetchPage(witness.url);
    await expect.poll(() => viewsOf(witness), within(10)).toBe(1);
    expect([await viewsOf(drop), await viewsOf(locked)]).toEqual([0, 0]);
  });

  test("does not change updated_at, and is kept when a new version is published", {
    tags: "slow",
  }, async () => {
    const drop = await publish(account.api);
    await fetchPage(drop.url);
    await expect.poll(() => viewsOf(drop), within(10)).toBe(1);
    const viewed = await account.api.succeed("get-drop", { params: { slug: drop.slug } });

    const body = { html: "<p>two" };
    const changed = await account.api.succeed("publish-version", { params: { slug: drop.slug }, body });

    expect(viewed.updated_at).toBe(drop.updated_at);
    expect(changed.view_count).toBe(1);
  });
});

async function viewsOf(drop: DropResponse): Promise<number> {
  const { view_count } = await account.api.succeed("get-drop", { params: { slug: drop.slug } });
  return view_count;
}
