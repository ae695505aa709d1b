import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/platform/limits.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { readSuccess } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { PublishedClient } from "../support/published-client.ts";
import { race } from "../support/race.ts";
import {
  clientOf,
  expectCountsToHold,
  type GivenPerson,
  givenDrops,
  givenPerson,
  givenVersions,
  openStores,
} from "./given-person.ts";

// As in races.test.ts, which only lets the counters say that there is so much.

const racers = 50;

beforeAll(openStores);

describe("of 50 at once, with all that there may be", () => {
  test("one publication gets the account's last place; deleting a drop makes room for one", async () => {
    const person = await givenPerson("last-place", 2);
    await givenDrops(person, limits.dropsPerAccountMax - 1);
    const body = { html: pageOf("last"), title: "Last" };

    const responses = await race(racers, (index) => clientOf(person, index).call("publish-drop", { body }));

    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const refused of responses.filter(({ status }) => status !== 201)) {
      const { details } = expectError(refused, "quota_exceeded");
      expect(details.retry_after_seconds).toBe(limits.quotaRetryAfterSeconds);
    }
    const { drops, total } = await person.api.succeed("list-drops", { query: { page: 3, pageSize: 200 } });
    expect([drops.length, total]).toEqual([100, limits.dropsPerAccountMax]);
    await expectPublishedClientToSeeAll(person);
    await expectCountsToHold(person);
    await person.api.succeed("delete-drop", { params: { slug: drops[0]?.slug ?? "" } });
    expect((await publish(person.api)).latest_version).toBe(1);
    expectError(await person.api.call("publish-drop", { body }), "quota_exceeded");
  });

  test("one new version gets the drop's last place; deleting one makes room, and its number is not given again", async () => {
    const person = await givenPerson("last-version", 2);
    const { slug } = await publish(person.api);
    const params = { slug };
    const put = (index: number) =>
      clientOf(person, index).call("publish-version", { params, body: { html: pageOf(`${index}`) } });
    await givenVersions(person, slug, limits.versionsPerDropMax - 2);

    const responses = await race(racers, put);

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const refused of responses.filter(({ status }) => status !== 200)) {
      const { details } = expectError(refused, "version_limit_reached");
      expect(details.retry_after_seconds).toBe(limits.quotaRetryAfterSeconds);
    }
    const { versions } = await person.api.succeed("list-versions", { params });
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: limits.versionsPerDropMax }, (_, index) => limits.versionsPerDropMax - index),
    );
    await person.api.succeed("delete-version", { params: { slug, n: 7 } });
    expect(readSuccess("publish-version", await put(0)).latest_version).toBe(limits.versionsPerDropMax + 1);
    expectError(await put(0), "version_limit_reached");
  });
});

/** `@htmlbin/cli` turns pages of 100, and ends with 5 where a limit is reached. */
async function expectPublishedClientToSeeAll({ api }: GivenPerson): Promise<void> {
  const client = await PublishedClient.inNewFolder(api.token);
  await client.write("page.html", pageOf("one too many"));

  const [listed, refused] = [await client.run("list"), await client.run("publish", "page.html")];

  await client.remove();
  expect(new Set(listed.stdout.trimEnd().split("\n")).size).toBe(limits.dropsPerAccountMax);
  expect([refused.exitCode, refused.stderr]).toEqual([5, expect.stringContaining("[quota_exceeded]")]);
}
