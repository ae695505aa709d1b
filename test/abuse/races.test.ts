import { setHold } from "../../functions/administration/legal-holds.ts";
// @module-tag nightly

import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { blobs, uploads } from "../../functions/blobs/store.ts";
import { limits } from "../../functions/core/limits.ts";
import { trash } from "../../functions/drops/trash-store.ts";
import { createBlobId } from "../../functions/table/identifiers.ts";
import { compareCounts } from "../../scripts/operator/upkeep/recount.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { givenAct } from "../support/given-act.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { within } from "../support/promised-time.ts";
import { race } from "../support/race.ts";
import { pollSignIn } from "../support/sign-in.ts";
import {
  clientOf,
  expectCountsToHold,
  givenBlobBytes,
  givenDrops,
  givenPerson,
  givenTokenRows,
  givenVerifiedSignIn,
  givenVersions,
  openStores,
  setCounter,
  setVersionCount,
  setWritesOfMinute,
} from "./given-person.ts";
import {
  expectRoomForOneDrop,
  expectRoomForOneVersion,
  raceForLastDrop,
  raceForLastVersion,
} from "./last-places.ts";

beforeAll(openStores);

function withStatus(responses: readonly ReceivedResponse[], status: number): ReceivedResponse[] {
  return responses.filter((response) => response.status === status);
}

// More calls than a function has execution environments.
describe.each([50])("of %i concurrent calls", (racers) => {
  test("one publication gets the account's last slot, and deleting a drop frees one", async () => {
    const person = await givenPerson("last-place", 2);
    const [given] = await givenDrops(person, 1);
    await setCounter(person, "dropCount", limits.dropsPerAccountMax - 1);

    await raceForLastDrop(person, racers);

    expect((await person.api.succeed("get-usage")).drops.used).toBe(limits.dropsPerAccountMax);
    await expectRoomForOneDrop(person, given?.slug ?? "");
    await setCounter(person, "dropCount", 2);
    await expectCountsToHold(person);
  });

  test("one upload gets the account's last bytes", async () => {
    const person = await givenPerson("last-bytes", 2);
    await givenBlobBytes(person, limits.blobBytesPerAccountMax - 1_000);
    const call = { query: { filename: "a.txt" }, text: "x".repeat(600) };

    const responses = await race(racers, (index) => clientOf(person, index).call("upload-blob", call));

    expect(withStatus(responses, 201)).toHaveLength(1);
    for (const refused of responses.filter(({ status }) => status !== 201))
      expectError(refused, "quota_exceeded");
    expect((await person.api.succeed("get-usage")).blobs.bytes_used).toBe(
      limits.blobBytesPerAccountMax - 400,
    );
    await expectCountsToHold(person);
  });

  test("one upload gets the account's last slot for a file, and a stepwise upload is then refused", async () => {
    const person = await givenPerson("last-file", 2);
    await setCounter(person, "blobCount", limits.blobsPerAccountMax - 1);
    const call = { query: { filename: "a.txt" }, text: "x" };

    const responses = await race(racers, (index) => clientOf(person, index).call("upload-blob", call));

    expect(withStatus(responses, 201)).toHaveLength(1);
    for (const refused of responses.filter(({ status }) => status !== 201)) {
      const { details } = expectError(refused, "quota_exceeded");
      expect(details).toEqual({ blobs_max: limits.blobsPerAccountMax, retry_after_seconds: 3_600 });
    }
    expect((await person.api.succeed("get-usage")).blobs.used).toBe(limits.blobsPerAccountMax);
    const start = { body: { filename: "b.txt", size_bytes: 1 } };
    expectError(await person.api.call("start-upload", start), "quota_exceeded");
    await setCounter(person, "blobCount", 1);
    await expectCountsToHold(person);
  });

  test("one page gets the account's last bytes for pages, as a new drop or as a new version", async () => {
    const person = await givenPerson("last-page", 2);
    const given = await givenDrops(person, racers / 2);
    const html = pageOf("last");
    const bytes = Buffer.byteLength(html);
    const counted = limits.pageBytesPerAccountMax - 2 * bytes + 1;
    await setCounter(person, "pageBytes", counted);

    const responses = await race(racers, (index) => {
      const slug = given[index / 2]?.slug;
      const client = clientOf(person, index);
      return slug === undefined
        ? client.call("publish-drop", { body: { html, title: "Last" } })
        : client.call("publish-version", { params: { slug }, body: { html } });
    });

    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
    for (const refused of responses.filter(({ status }) => status >= 300)) {
      const { details } = expectError(refused, "quota_exceeded");
      const bytesMax = limits.pageBytesPerAccountMax;
      expect(details).toEqual({ bytes, bytes_max: bytesMax, retry_after_seconds: 3_600 });
    }
    const full = await compareCounts(person.userId, true);
    expect(full?.stored.pageBytes).toBe(counted + bytes);
    await expectCountsToHold(person);
  });

  test("one sign-in gets the account's last slot for a token", async () => {
    const person = await givenPerson("last-token");
    await givenTokenRows(person.userId, limits.tokensPerAccountMax - 2);
    const waiting = await race(racers, () => givenVerifiedSignIn(person.userId));

    const polls = await race(racers, (index) => pollSignIn(waiting[index]?.pollToken ?? ""));

    expect(polls.map(({ status }) => status).sort()).toEqual([
      ...Array(racers - 1).fill("expired"),
      "verified",
    ]);
    // The given token items are not listed.
    expect((await person.api.succeed("list-tokens")).tokens).toHaveLength(2);
    const claimed = polls.find(({ api_token: token }) => token !== undefined);
    expect((await new ApiClient(claimed?.api_token).succeed("get-me")).user_id).toBe(person.userId);
    expect(
      (await pollSignIn(waiting[polls.findIndex(({ status }) => status === "expired")]?.pollToken ?? ""))
        .status,
    ).toBe("expired");
  });

  test("one new version gets the drop's last slot, and deleting one frees it without reusing its number", async () => {
    const person = await givenPerson("last-version", 2);
    const { slug } = await publish(person.api);
    await givenVersions(person, slug, 1);
    await setVersionCount(person, slug, limits.versionsPerDropMax - 1);

    await raceForLastVersion(person, slug, racers);

    const { versions } = await person.api.succeed("list-versions", { params: { slug } });
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    await expectRoomForOneVersion(person, slug, { deleted: 3, next: 4 });
  });

  test("a token's writes within its limit per minute are accepted, and all others refused", async () => {
    const person = await givenPerson("sixty");
    await publish(person.api);
    const left = racers / 2;
    await setWritesOfMinute(person, limits.writesPerMinutePerToken - left);

    const responses = await race(racers, () =>
      person.api.call("publish-drop", { body: { html: "<p>.", title: "." } }),
    );

    expect(withStatus(responses, 201)).toHaveLength(left);
    for (const refused of responses.filter(({ status }) => status !== 201))
      expectError(refused, "rate_limited");
    await expectCountsToHold(person);
  });

  test("no edit and no new version overwrites another", async () => {
    const person = await givenPerson("edits", 2);
    const { slug } = await publish(person.api);
    const params = { slug };
    const put = (index: number) =>
      clientOf(person, index).call("publish-version", { params, body: { html: pageOf(`${index}`) } });
    const edit = (index: number) =>
      clientOf(person, index).call("edit-drop", {
        params,
        body: { description: "Edited", metadata: { a: "1" } },
      });

    const responses = await race(racers, (index) => (index % 2 === 0 ? put(index) : edit(index)));

    expect(withStatus(responses, 200)).toHaveLength(racers);
    expect(await person.api.succeed("get-drop", { params })).toMatchObject({
      description: "Edited",
      metadata: { a: "1" },
      latest_version: 1 + racers / 2,
    });
    const { versions } = await person.api.succeed("list-versions", { params });
    expect(new Set(versions.map(({ version }) => version)).size).toBe(1 + racers / 2);
  });

  test("one deletion of a drop wins against new versions and other deletions, and the drop is gone", async () => {
    const person = await givenPerson("gone", 2);
    const { slug, raw_url } = await publish(person.api);
    const params = { slug };
    const act = (index: number) =>
      index % 5 === 0
        ? clientOf(person, index).call("delete-drop", { params })
        : clientOf(person, index).call("publish-version", { params, body: { html: pageOf("late") } });

    const responses = await race(racers, act);

    expect(withStatus(responses, 204)).toHaveLength(1);
    for (const { status } of responses) expect([200, 204, 404]).toContain(status);
    expectError(await person.api.call("list-versions", { params }), "not_found");
    await expect.poll(async () => (await fetchPage(raw_url)).status, within(5)).toBe(404);
    await expectCountsToHold(person);
  });

  test("a legal hold wins against all later deletions, and a drop deleted before can be undeleted", async () => {
    const person = await givenPerson("hold", 2);
    const { slug, raw_url } = await publish(person.api);
    await givenVersions(person, slug, 1);
    const deletions = [
      (api: ApiClient) => api.call("delete-version", { params: { slug, n: 1 } }),
      (api: ApiClient) => api.call("delete-drop", { params: { slug } }),
      (api: ApiClient) => api.call("purge-drop", { params: { slug } }),
    ] as const;
    const deletion = (index: number) => deletions[index % 3] ?? deletions[1];

    const [held, responses] = await Promise.all([
      setHold({ ownerId: person.userId, slug }, true, givenAct()).catch(() => "purged" as const),
      race(racers, (index) => deletion(index)(clientOf(person, index))),
    ]);

    for (const { status } of responses) expect([204, 403, 404, 409, 503]).toContain(status);
    const isPurged = held === "purged";
    for (const index of deletions.keys()) {
      const { status } = await deletion(index)(person.api);
      if (isPurged) expect(status).toBe(404);
      else expect([403, 404]).toContain(status);
    }
    if (!isPurged) {
      const { drops: trashed } = await person.api.succeed("list-trash");
      if (trashed.length > 0) await person.api.succeed("undelete-drop", { params: { slug } });
      await expect.poll(async () => (await fetchPage(raw_url)).status, within(5)).toBe(200);
    }
    await expectCountsToHold(person);
  });

  test("one undeletion or purge succeeds, and the drop is complete or gone", async () => {
    const person = await givenPerson("undeletes", 2);
    const { slug, raw_url } = await publish(person.api);
    const params = { slug };
    await person.api.succeed("delete-drop", { params });

    const responses = await race(racers, (index) =>
      clientOf(person, index).call(index % 2 === 0 ? "purge-drop" : "undelete-drop", { params }),
    );

    const [undeleted, purged] = [withStatus(responses, 200), withStatus(responses, 204)];
    expect(undeleted.length + purged.length).toBe(1);
    for (const { status } of responses) expect([200, 204, 404, 409, 503]).toContain(status);
    const isThere = undeleted.length === 1;
    expect((await person.api.call("list-versions", { params })).status).toBe(isThere ? 200 : 404);
    await expect.poll(async () => (await fetchPage(raw_url)).status, within(5)).toBe(isThere ? 200 : 404);
    await expectCountsToHold(person);
  });

  test("deletions of versions always leave one, and the newest that remains is the latest", async () => {
    const person = await givenPerson("one-stays", 2);
    const { slug } = await publish(person.api);
    const params = { slug };
    // Fewer than racers: some versions are deleted twice.
    const count = Math.min(10, racers - 2);
    await givenVersions(person, slug, count - 1);

    const responses = await race(racers, (index) =>
      clientOf(person, index).call("delete-version", { params: { slug, n: 1 + (index % count) } }),
    );

    // With many writers of one drop, a loser may get 503, and has then changed nothing.
    for (const { status } of responses) expect([204, 404, 409, 503]).toContain(status);
    const { versions } = await person.api.succeed("list-versions", { params });
    expect(versions).toHaveLength(count - withStatus(responses, 204).length);
    expect((await person.api.succeed("get-drop", { params })).latest_version).toBe(versions[0]?.version);
  });

  test("calls with a token that is being revoked succeed or are refused, and all later ones are refused", async () => {
    const person = await givenPerson("revoked", 2);
    const victim = person.clients[1] ?? new ApiClient();
    const { token } = await victim.succeed("get-me");
    const act = (index: number) =>
      index === racers / 2
        ? person.api.call("revoke-token", { params: { id: token.id } })
        : victim.call("publish-drop", { body: { html: "<p>.", title: "." } });

    const responses = await race(racers, act);

    expect(withStatus(responses, 204)).toHaveLength(1);
    for (const { status } of responses) expect([201, 204, 401]).toContain(status);
    expectError(await victim.call("get-me"), "unauthorized");
    expectError(await victim.call("publish-drop", { body: { html: "<p>.", title: "." } }), "unauthorized");
    expect((await person.api.succeed("list-tokens")).tokens).toHaveLength(1);
    await expectCountsToHold(person);
  });

  test("ten wrong passcodes are checked, and then even the right one is refused", async () => {
    const person = await givenPerson("guessed");
    const { slug } = await publish(person.api, { passcode: "the right one" });
    const guess = (passcode: string) =>
      fetchPage(`/p/${slug}/unlock`, {
        method: "POST",
        body: new URLSearchParams({ passcode }).toString(),
      });

    const guesses = Math.max(racers, limits.wrongPasscodesPerQuarterHourPerVisitor + 2);

    const responses = await race(guesses, (index) => guess(`wrong ${index}`));
    const late = await guess("the right one");

    expect(withStatus(responses, 403)).toHaveLength(limits.wrongPasscodesPerQuarterHourPerVisitor);
    expect(withStatus(responses, 429)).toHaveLength(guesses - limits.wrongPasscodesPerQuarterHourPerVisitor);
    expect([late.status, late.setCookies]).toEqual([429, []]);
  });
});

test("a late purge keeps a drop that was undeleted and deleted again in between", async () => {
  const { api, userId } = await givenPerson("purged-late");
  const { slug } = await publish(api);
  const params = { slug };
  await api.succeed("delete-drop", { params });
  const planned = await trash.find(userId, slug);
  await api.succeed("undelete-drop", { params });
  await api.succeed("delete-drop", { params });

  const isPurged = await trash.purge(userId, slug, givenAct(), planned?.purgeAtMs);

  expect(isPurged).toBe(false);
  expect((await api.succeed("list-trash")).drops.map((one) => one.slug)).toEqual([slug]);
});

test("a deleted file does not come back when an upload is completed late", async () => {
  const person = await givenPerson("late-completion");
  const id = createBlobId(randomInt);
  const { userId: ownerId, namespace } = person;
  const visibility = { kind: "public" } as const;
  const file = { filename: "a.txt", contentType: "text/plain", sizeBytes: 9, visibility };
  const upload = { id, ownerId, namespace, ...file, createdAtMs: Date.now() };
  const blob = { ...upload, objectKey: `${namespace}/${id}` };
  await uploads.insert(upload, givenAct());
  await blobs.insert(blob, givenAct(), { upload });
  await person.api.succeed("delete-blob", { params: { id } });

  const isInserted = await blobs.insert(blob, givenAct(), { upload });

  expect(isInserted).toBe(false);
  expect((await person.api.succeed("get-usage")).blobs).toMatchObject({ used: 0, bytes_used: 0 });
});
