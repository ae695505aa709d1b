// @module-tag slow

import { beforeAll, describe, expect, test } from "vitest";
import { type Account, anotherToken, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { within } from "../support/promised-time.ts";
import { race } from "../support/race.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("races");
});

const numbersOfRacers = [30];
const numbersOfRounds = [5];

describe("concurrent requests", () => {
  test.each(numbersOfRacers)(
    "%i new versions of one drop get consecutive numbers, and the highest is the latest",
    { tags: "nightly" },
    async (racers) => {
      const api = await anotherToken(account);
      const { slug, raw_url } = await publish(api, { html: pageOf("version 1") });
      const params = { slug };
      const put = (text: string) => api.succeed("publish-version", { params, body: { html: pageOf(text) } });

      const drops = await race(racers, (index) => put(`race ${index}`));

      const numbers = Array.from({ length: racers }, (_, index) => index + 2);
      expect(drops.map(({ latest_version }) => latest_version).toSorted((one, other) => one - other)).toEqual(
        numbers,
      );
      expect((await api.succeed("get-drop", { params })).latest_version).toBe(1 + racers);
      const { versions } = await api.succeed("list-versions", { params });
      expect(versions.map(({ version }) => version)).toEqual([...numbers.toReversed(), 1]);
      // Each number serves the page of the request whose response contained the number.
      const pages = await Promise.all(drops.map((drop) => fetchPage(`${raw_url}?v=${drop.latest_version}`)));
      for (const [index, page] of pages.entries()) expect(page.text).toContain(`<p>race ${index}</p>`);
    },
  );

  test.each(numbersOfRounds)(
    "deletions of a drop's last two versions leave one of them, %i times",
    async (rounds) => {
      const api = await anotherToken(account);

      for (let round = 0; round < rounds; round += 1) {
        const { slug } = await publish(api);
        await api.succeed("publish-version", { params: { slug }, body: { html: pageOf("2") } });
        const responses = await Promise.all(
          [1, 2].map((n) => api.call("delete-version", { params: { slug, n } })),
        );

        expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409]);
        const { versions } = await api.succeed("list-versions", { params: { slug } });
        const remaining = responses.findIndex(({ status }) => status === 409) + 1;
        expect(versions.map(({ version }) => version)).toEqual([remaining]);
        expect((await api.succeed("get-drop", { params: { slug } })).latest_version).toBe(remaining);
      }
    },
  );

  test.each(numbersOfRacers)(
    "%i publications and then as many deletions are counted exactly",
    async (racers) => {
      const person = await newAccount("counted");
      const second = await anotherToken(person);
      const published = await race(racers, () => publish(person.api));
      const full = await person.api.succeed("get-usage");

      await Promise.all(published.map(({ slug }) => second.succeed("delete-drop", { params: { slug } })));

      expect(full.drops.used).toBe(racers);
      expect(new Set(published.map(({ slug }) => slug)).size).toBe(racers);
      expect((await person.api.succeed("get-me")).drop_count).toBe(0);
      expect((await person.api.succeed("list-drops")).total).toBe(0);
    },
  );

  test("ten deletions of one drop succeed once and are counted once", async () => {
    const person = await newAccount("deleted-once");
    const [{ slug }] = [await publish(person.api), await publish(person.api)];
    const remove = () => person.api.call("delete-drop", { params: { slug } });

    const responses = await race(10, remove);

    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const refused of responses.filter(({ status }) => status !== 204)) expectError(refused, "not_found");
    expect((await person.api.succeed("get-me")).drop_count).toBe(1);
  });

  test.each(numbersOfRounds)(
    "undeleting and purging one drop either restores it completely or purges it, %i times",
    async (rounds) => {
      const api = await anotherToken(account);
      const restored: string[] = [];

      for (let round = 0; round < rounds; round += 1) {
        const { slug, raw_url } = await publish(api);
        const params = { slug };
        await api.succeed("delete-drop", { params });
        const calls = [() => api.call("undelete-drop", { params }), () => api.call("purge-drop", { params })];
        const first = round % 2;
        const responses = await race(2, (index) => (calls[(index + first) % 2] as (typeof calls)[0])());

        const [undeleted, purged] = first === 0 ? responses : responses.toReversed();
        const isBack = undeleted?.status === 200;
        expect([undeleted?.status, purged?.status]).toEqual(isBack ? [200, 404] : [404, 204]);
        expect((await api.call("get-drop", { params })).status).toBe(isBack ? 200 : 404);
        expect((await api.succeed("list-trash")).drops.map((drop) => drop.slug)).not.toContain(slug);
        if (isBack) restored.push(raw_url);
      }

      // The cleanup after a purge does not delete them.
      for (const address of restored) expect((await fetchPage(address)).status).toBe(200);
    },
  );

  test("new versions, an edit and a lock of one drop all take effect", async () => {
    const api = await anotherToken(account);
    const { slug } = await publish(api);
    const params = { slug };
    const put = (index: number) =>
      api.succeed("publish-version", { params, body: { html: pageOf(`${index}`) } });
    const lock = () => api.succeed("set-passcode", { params, body: { passcode: "abcd" } });
    const edit = () =>
      api.succeed("edit-drop", { params, body: { title: "Edited", metadata: { edited: "yes" } } });

    await Promise.all([put(1), put(2), edit(), put(3), lock(), put(4)]);

    expect(await api.succeed("get-drop", { params })).toMatchObject({
      title: "Edited",
      metadata: { edited: "yes" },
      locked: true,
      latest_version: 5,
    });
  });

  test("new versions do not bring a deleted drop back", async () => {
    const api = await anotherToken(account);
    const { slug, raw_url } = await publish(api);
    const params = { slug };
    const put = () => api.call("publish-version", { params, body: { html: pageOf("late") } });

    const [deleted, ...puts] = await Promise.all([
      api.call("delete-drop", { params }),
      put(),
      put(),
      put(),
      put(),
    ]);

    expect(deleted?.status).toBe(204);
    for (const response of puts) expect([200, 404]).toContain(response.status);
    expectError(await api.call("get-drop", { params }), "not_found");
    expectError(await api.call("list-versions", { params }), "not_found");
    await expect.poll(async () => (await fetchPage(raw_url)).status, within(5)).toBe(404);
  });
});
