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

// The same races as in races.test.ts, with real drops and versions instead of raised counters.

const racers = 4;

beforeAll(openStores);

describe("of 4 concurrent calls on a full account", () => {
  test("one publication gets the account's last slot, and deleting a drop frees one", async () => {
    const person = await givenPerson("last-place", 2);
    await givenDrops(person, limits.dropsPerAccountMax - 1);

    await raceForLastDrop(person, racers);

    const { drops, total } = await person.api.succeed("list-drops", { query: { page: 3, pageSize: 200 } });
    expect([drops.length, total]).toEqual([100, limits.dropsPerAccountMax]);
    await expectPublishedClientToSeeAll(person);
    await expectCountsToHold(person);
    await expectRoomForOneDrop(person, drops[0]?.slug ?? "");
  });

  test("one new version gets the drop's last slot, and deleting one frees it without reusing its number", async () => {
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

/** Checks that `@htmlbin/cli` lists all drops, in pages of 100, and exits with 5 at the limit. */
async function expectPublishedClientToSeeAll({ api }: GivenPerson): Promise<void> {
  const client = await PublishedClient.inNewFolder(api.token);
  await client.write("page.html", pageOf("one too many"));

  const [listed, refused] = [await client.run("list"), await client.run("publish", "page.html")];

  await client.remove();
  expect(new Set(listed.stdout.trimEnd().split("\n")).size).toBe(limits.dropsPerAccountMax);
  expect([refused.exitCode, refused.stderr]).toEqual([5, expect.stringContaining("[quota_exceeded]")]);
}
