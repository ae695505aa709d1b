// @module-tag nightly

import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { PublishedClient } from "../support/published-client.ts";
import {
  expectCountsToHold,
  type GivenPerson,
  givenDrops,
  givenPerson,
  givenVersions,
  openStores,
} from "./given-person.ts";
import {
  expectRoomForOneDrop,
  expectRoomForOneVersion,
  raceForLastDrop,
  raceForLastVersion,
} from "./last-places.ts";

// As in races.test.ts, which only lets the counters say that there is so much.

const racers = 4;

beforeAll(openStores);

describe("of 4 concurrent calls on a full account", () => {
  test("one publication gets the account's last slot; deleting a drop frees one", async () => {
    const person = await givenPerson("last-place", 2);
    await givenDrops(person, limits.dropsPerAccountMax - 1);

    await raceForLastDrop(person, racers);

    const { drops, total } = await person.api.succeed("list-drops", { query: { page: 3, pageSize: 200 } });
    expect([drops.length, total]).toEqual([100, limits.dropsPerAccountMax]);
    await expectPublishedClientToSeeAll(person);
    await expectCountsToHold(person);
    await expectRoomForOneDrop(person, drops[0]?.slug ?? "");
  });

  test("one new version gets the drop's last slot; deleting one frees it, and its number is not used again", async () => {
    const person = await givenPerson("last-version", 2);
    const { slug } = await publish(person.api);
    await givenVersions(person, slug, limits.versionsPerDropMax - 2);

    await raceForLastVersion(person, slug, racers);

    const { versions } = await person.api.succeed("list-versions", { params: { slug } });
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: limits.versionsPerDropMax }, (_, index) => limits.versionsPerDropMax - index),
    );
    const next = limits.versionsPerDropMax + 1;
    await expectRoomForOneVersion(person, slug, { deleted: 7, next });
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
