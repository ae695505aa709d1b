import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { race } from "../support/race.ts";
import { pathsAbout } from "../support/told-edge.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "./service-with-storage.ts";

const soon = { interval: 100 };
let service: ServiceWithStorage;

beforeAll(async () => {
  service = await startServiceWithStorage(2);
});
afterAll(() => service.stop());

/** A call that must succeed, and its JSON. */
async function succeed(method: string, path: string, body?: object | Buffer) {
  const answer = await service.call(method, path, body);
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.json;
}

async function publish(versions = 1): Promise<string> {
  const { slug } = await succeed("POST", "/api/drops", { title: "A page", html: "<p>1</p>" });
  for (let version = 2; version <= versions; version += 1)
    await succeed("PUT", `/api/drops/${slug}`, { html: `<p>${version}</p>` });
  return slug;
}

const lock = (slug: string, passcode: string) => succeed("POST", `/api/drops/${slug}/passcode`, { passcode });
const told = (word: string) => pathsAbout(service.told, word).sort();
const twice = (...paths: string[]) => [...paths, ...paths].sort();

test("an event is one path and the same once more, of a file two, and none where nothing was kept", async () => {
  const [locked, deleted, older, opened] = [
    await publish(),
    await publish(3),
    await publish(2),
    await publish(),
  ];
  const { id } = await succeed("POST", "/api/blobs?filename=a.txt", Buffer.from("text"));
  await lock(opened, "open sesame");
  await expect.poll(() => told(opened), soon).toEqual(twice(`/p/${opened}/raw`));

  await lock(locked, "open sesame");
  await succeed("DELETE", `/api/drops/${deleted}`);
  await succeed("DELETE", `/api/drops/${older}/v/1`);
  await succeed("DELETE", `/api/blobs/${id}`);
  await lock(opened, "another passcode");
  await lock(opened, "");

  for (const slug of [locked, deleted, older])
    await expect.poll(() => told(slug), soon).toEqual(twice(`/p/${slug}/raw`));
  await expect.poll(() => told(id), soon).toEqual(twice(`/b/${id}`, `/${service.namespace}/${id}`));
  // What would come of rows that went later, and of what was locked already.
  await sleep(3_000);
  for (const slug of [locked, deleted, older, opened]) expect(told(slug)).toEqual(twice(`/p/${slug}/raw`));
});

test("twenty drops deleted at once are named each, in a few invalidations and without a wildcard", async () => {
  await service.useAccount("twenty");
  const slugs = await race(20, () => publish());
  const start = service.told.length;

  await Promise.all(slugs.map((slug) => succeed("DELETE", `/api/drops/${slug}`)));

  const since = () => service.told.slice(start);
  await expect
    .poll(() => since().flat().sort(), soon)
    .toEqual(twice(...slugs.map((slug) => `/p/${slug}/raw`)));
  expect(since().length).toBeLessThan(20);
});
