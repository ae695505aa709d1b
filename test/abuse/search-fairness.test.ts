// @module-tag slow

import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { publishFolder } from "../support/folders.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";

// Tests how one account's changes affect the search of others.

let hostile: GivenPerson;
let neighbor: GivenPerson;

beforeAll(async () => {
  await openStores();
  hostile = await givenPerson("hostile", 6);
  neighbor = await givenPerson("neighbor");
});

const clientAt = (index: number) => hostile.clients[index % hostile.clients.length] ?? hostile.api;

/** Creates a text of `count` Han characters, different for each seed. */
const han = (count: number, seed: number) =>
  Array.from({ length: count }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7 + seed * 131) % 20_000)),
  ).join("");

const page = (text: string) => `<!doctype html><title>A page</title><p>${text}</p>`;

/** Returns the milliseconds until a search finds a drop by its text. */
async function foundAfterMs(word: string): Promise<number> {
  const startedAtMs = performance.now();
  for (;;) {
    const { results } = await neighbor.api.succeed("search-drops", { query: { q: word } });
    if (results.length > 0) return performance.now() - startedAtMs;
    if (performance.now() - startedAtMs > 60_000) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function publishForNeighbor(): Promise<string> {
  const word = `w${randomUUID().replaceAll("-", "")}`;
  await neighbor.api.succeed("publish-drop", {
    body: { html: page(word), title: "Neighbor", visibility: "members" },
  });
  return word;
}

test("a page is found by its text within ten seconds while another account publishes 30 long pages of Han", async () => {
  const pages = Array.from({ length: 30 }, (_, index) =>
    clientAt(index).succeed("publish-drop", {
      body: { html: page(han(400_000, index)), title: `Han ${index}`, visibility: "members" },
    }),
  );
  const half = Promise.all(pages.slice(0, 15));
  await half;

  const word = await publishForNeighbor();
  const [foundMs] = await Promise.all([foundAfterMs(word), ...pages]);

  expect(foundMs).toBeLessThan(10_000);
});

test("a page is found by its text within ten seconds while another account keeps changing folders and titles", {
  tags: "nightly",
}, async () => {
  const files = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`page${index}.html`, page(han(6_000, index))]),
  );
  const folders = await Promise.all(
    [0, 1, 2].map((index) =>
      publishFolder(clientAt(index), { "index.html": page("folder"), ...files }, { visibility: "members" }),
    ),
  );
  let isOver = false;
  const changes = hostile.clients.slice(0, 4).map(async (client, index) => {
    const { slug } = folders[index % folders.length] ?? { slug: "" };
    for (let count = 0; !isOver && count < 40; count += 1)
      await client.succeed("edit-drop", { params: { slug }, body: { title: `Folder ${index} ${count}` } });
  });

  const word = await publishForNeighbor();
  const foundMs = await foundAfterMs(word);
  isOver = true;
  await Promise.all(changes);

  expect(foundMs).toBeLessThan(10_000);
});
