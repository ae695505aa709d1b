// @module-tag slow

import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { openService } from "../../scripts/operator/service.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { baseUrl, fetchPage, useService } from "../support/http.ts";
import { within } from "../support/promised-time.ts";
import { type RunningService, startService } from "../support/running-service.ts";

let service: RunningService;
let account: Account;

beforeAll(async () => {
  service = await startService();
  useService(service);
  await openService({ local: join(service.directory, "data") });
  account = await newAccount("busy");
});
afterAll(() => service.stop());

/** Publishes a drop and marks it as so busy that nearly all viewer requests may be served from the cache. */
async function givenBusy(fields: Readonly<Record<string, unknown>> = {}): Promise<DropResponse> {
  const drop = await publish(account.api, fields);
  await updateItem({
    key: keys.pointer(drop.slug),
    update: "SET viewSampling = :sampling",
    condition: "attribute_exists(ownerId)",
    values: { ":sampling": { level: 9, untilMs: Date.now() + 600_000 } },
  });
  return drop;
}

const resultOf = async (address: string, headers = {}) =>
  String((await fetchPage(address, { headers })).headers["x-cache"]).split(" ")[0];

/** Returns the cache results of enough requests to reach a cache level twice. */
const resultsOf = async (address: string, headers = {}) => {
  const results: (string | undefined)[] = [];
  for (let request = 0; request < 12; request++) results.push(await resultOf(address, headers));
  return results;
};

describe("the viewer of a busy drop", () => {
  test("is served from the cache, with hashes in its policy and no nonce", async () => {
    const drop = await givenBusy();

    for (const address of [drop.url, `${drop.url}?v=1`, `${baseUrl()}/p/${drop.slug}`]) {
      await expect.poll(() => resultOf(address)).toBe("Hit");
      const { headers, text } = await fetchPage(address);
      const policy = String(headers["content-security-policy"]);
      for (const element of ["script", "style"]) {
        const [, source = ""] = new RegExp(`<${element}>(.*?)</${element}>`, "s").exec(text) ?? [];
        const hash = createHash("sha256").update(source).digest("base64");
        expect(policy).toContain(`${element}-src 'sha256-${hash}'`);
      }
      expect(policy).toContain(
        "connect-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'self'",
      );
      expect(policy + text).not.toContain("nonce");
      expect(headers["cache-control"]).toBe("public, max-age=0, s-maxage=2, must-revalidate");
      expect(headers).not.toHaveProperty("set-cookie");
    }
  });

  test("is neither served from the cache nor added to it for a request with a cookie of this service", async () => {
    const drop = await givenBusy();
    const address = `${baseUrl()}/p/${drop.slug}`;

    for (const name of ["__Host-dl_reader", `__Host-dl_${drop.slug}`, `__Host-dl_tries_${drop.slug}`])
      expect(new Set(await resultsOf(address, { cookie: `${name}=x` }))).toEqual(new Set(["Miss"]));
  });

  test.each([
    ["locked", { passcode: "open sesame" }],
    ["for members", { visibility: "members" }],
  ])("is never cached if the drop is %s", async (_, fields) => {
    const drop = await givenBusy(fields);

    expect(await resultsOf(`${baseUrl()}/p/${drop.slug}`)).not.toContain("Hit");
  });

  test.each([
    ["locked", "set-passcode", { body: { passcode: "open sesame" } }, /passcode/],
    ["deleted", "delete-drop", {}, /This page isn’t available/],
  ] as const)(
    "is removed from the cache within five seconds once the drop is %s",
    async (_, operation, input, shown) => {
      const drop = await givenBusy({ title: "Seen by everyone" });
      const address = `${baseUrl()}/p/${drop.slug}`;
      await expect.poll(() => resultOf(address)).toBe("Hit");

      await account.api.succeed(operation, { params: { slug: drop.slug }, ...input });

      const seen = async () => {
        const texts: string[] = [];
        // Each cache level of the edge has its own entry. The same invalidation removes all of them.
        for (let request = 0; request < 24; request++) texts.push((await fetchPage(address)).text);
        return texts.some((text) => text.includes("Seen by everyone"));
      };
      await expect.poll(seen, within(5)).toBe(false);
      expect((await fetchPage(address)).text).toMatch(shown);
    },
  );
});

test("a page with many concurrent readers becomes busy, and its views are counted within 5 %", {
  tags: "nightly",
}, async () => {
  const drop = await publish(account.api);
  let [views, hits] = [0, 0];
  const endMs = Date.now() + 60_000;
  const read = async () => {
    while (Date.now() < endMs) {
      if ((await resultOf(drop.url)) === "Hit") hits++;
      views++;
    }
  };
  await Promise.all(Array.from({ length: 24 }, read));
  process.stderr.write(`${views} views in 60 s, of which ${hits} came from the cache\n`);

  const counted = async () =>
    (await account.api.succeed("get-drop", { params: { slug: drop.slug } })).view_count;

  expect(hits).toBeGreaterThan(views / 10);
  await expect.poll(async () => Math.abs((await counted()) - views) / views, within(30)).toBeLessThan(0.05);
});
