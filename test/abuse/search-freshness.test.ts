// @module-tag nightly

import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Lease, takeLease } from "../../functions/table/lease.ts";
import type { ApiClient } from "../support/client.ts";
import { within } from "../support/promised-time.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";

// Tests take the lease of the index's writer, like an execution that died, so that nothing is indexed.

let lease: Lease | undefined;
let owner: GivenPerson;
let neighbor: GivenPerson;

beforeAll(async () => {
  await openStores();
  owner = await givenPerson("fresh", 4);
  neighbor = await givenPerson("neighbor");
});
afterEach(async () => {
  await lease?.release();
  lease = undefined;
});

/** Waits until the writer has ended, and takes its lease. */
async function stopIndexing(): Promise<void> {
  await vi.waitFor(async () => {
    lease = await takeLease("search-index", { seconds: 30, isRenewed: true });
    expect(lease).toBeDefined();
  }, within(60));
}

/** Creates a word that no other page contains. */
const newWord = () => `w${randomUUID().replaceAll("-", "")}`;
const page = (text: string) => `<!doctype html><title>A page</title><p>${text}</p>`;
const publish = (fields: object, { api } = owner) =>
  api.succeed("publish-drop", { body: { html: page("text"), visibility: "members", ...fields } });

async function slugs(api: ApiClient, q: string, query: object = {}): Promise<string[]> {
  const { results } = await api.succeed("search-drops", { query: { q, ...query } });
  return results.map(({ slug }) => slug);
}

/** Waits for the promised second, or longer if tests keep the machine busy. */
const untilFound = (api: ApiClient, q: string, slug: string) =>
  vi.waitFor(async () => expect(await slugs(api, q)).toEqual([slug]), within(1));

describe("while indexing is stopped", () => {
  test("a new drop is found by title, description and tags, by its owner and its readers", async () => {
    await stopIndexing();
    const [title, description, tag, text] = [newWord(), newWord(), newWord(), newWord()];
    const { slug } = await publish({ html: page(text), title, description, metadata: { project: tag } });

    for (const { api } of [owner, neighbor]) {
      for (const word of [title, description, tag]) await untilFound(api, word, slug);
      expect(await slugs(api, `${title} ${tag}`, { "metadata.project": tag })).toEqual([slug]);
      expect(await slugs(api, title, { "metadata.project": "another" })).toEqual([]);
      expect(await slugs(api, title, { owner: neighbor.namespace })).toEqual([]);
      // The text is not indexed yet, so it is unknown whether it lacks a word.
      expect(await slugs(api, `${title} -${text}`)).toEqual([]);
      const { drops } = await api.succeed("list-library", { query: { q: title } });
      expect(drops.map((one) => one.slug)).toEqual([slug]);
    }
  });

  test("an edited drop is found by its new title, and no longer by its former title", async () => {
    const [before, after] = [newWord(), newWord()];
    const { slug } = await publish({ title: before });
    await untilFound(neighbor.api, before, slug);
    await stopIndexing();

    await owner.api.succeed("edit-drop", { params: { slug }, body: { title: after } });

    expect(await slugs(neighbor.api, before)).toEqual([]);
    await untilFound(neighbor.api, after, slug);
  });

  test.each([
    ["locked", { passcode: "open sesame" }],
    ["unlisted", { visibility: "unlisted" }],
    ["for named readers", { visibility: "people", readers: ["somebody-else"] }],
  ])("a drop that is %s is found by its owner only", async (_, fields) => {
    await stopIndexing();
    const [title, shown] = [newWord(), newWord()];
    const { slug } = await publish({ title, ...fields });
    const { slug: later } = await publish({ title: shown });

    await untilFound(owner.api, title, slug);
    await untilFound(neighbor.api, shown, later);

    expect(await slugs(neighbor.api, title)).toEqual([]);
  });

  test("an account with many changes does not hide another account's new drop", async () => {
    await stopIndexing();
    const title = newWord();
    const noise = Array.from({ length: 120 }, (_, index) =>
      publish({ title: `noise ${index}` }, { ...owner, api: owner.clients[index % 4] ?? owner.api }),
    );
    await Promise.all(noise);
    const { slug } = await publish({ title }, neighbor);

    await untilFound(owner.api, title, slug);
  });
});

test("a drop with new versions is always found by its title, and eventually by its latest text", async () => {
  const [title, text] = [newWord(), newWord()];
  const { slug } = await publish({ title });
  await untilFound(neighbor.api, title, slug);
  const missed: number[] = [];

  for (let version = 2; version <= 7; version += 1) {
    const html = page(`${text} ${version}`);
    await owner.api.succeed("publish-version", { params: { slug }, body: { html } });
    for (let look = 0; look < 3; look += 1) {
      if ((await slugs(neighbor.api, title)).length === 0) missed.push(version);
      await setTimeout(100);
    }
  }

  expect(missed).toEqual([]);
  await untilFound(neighbor.api, `${text} 7`, slug);
});
