import { afterAll, beforeAll, expect, test } from "vitest";
import { environmentNames } from "../../functions/platform/environment.ts";
import { keys } from "../../functions/platform/keys.ts";
import type {
  areRendered as AreRendered,
  askForRender as AskForRender,
} from "../../functions/renders/ask.ts";
import { toRender, toRenderItem } from "../../functions/renders/store.ts";
import { givenDrop } from "../workers/items.ts";
import { type RunningWorker, runWorker } from "../workers/running-worker.ts";

const minuteMs = 60_000;
let worker: RunningWorker;
let ask: typeof AskForRender;
let areRendered: typeof AreRendered;

beforeAll(async () => {
  // Its role has what is asked for here but the queue, which the run's service has not.
  worker = await runWorker("janitor", { asAdministrator: true });
  process.env[environmentNames.rendersQueueUrl] = process.env[environmentNames.followUpsQueueUrl];
  ({ askForRender: ask, areRendered } = await import("../../functions/renders/ask.ts"));
});
afterAll(() => worker.stop());

async function given(slug: string) {
  const { version, versionItem } = givenDrop(slug);
  await worker.putItem(versionItem);
  return version;
}

async function renderOf(slug: string) {
  const item = await worker.getItem(keys.render(slug, 1));
  return item && toRender(item);
}

/** This queue delays what it gets. */
const sent = () => worker.queue(environmentNames.rendersQueueUrl).counts().delayed;

test("a version is asked for once in five minutes", async () => {
  const version = await given("askedaa");
  const before = sent();

  expect(await ask(version, 10 * minuteMs)).toBe(true);
  expect(await ask(version, 14 * minuteMs)).toBe(false);
  expect(sent()).toBe(before + 1);
  expect(await renderOf("askedaa")).toMatchObject({ state: "asked", pictures: [], atMs: 10 * minuteMs });
  expect(await ask(version, 15 * minuteMs)).toBe(true);
  expect(sent()).toBe(before + 2);
});

test("what was rendered of it is to be seen until the new one is there", async () => {
  const version = await given("askedbb");
  const seen = { folder: "askedbb/Render0000000001", pictures: [], hasRestrictedFiles: true };
  const { slug, pageKey } = version;
  await worker.putItem({
    ...keys.render(slug, 1),
    ...toRenderItem({
      slug,
      version: 1,
      pageKey,
      state: "failed",
      why: "daily-limit",
      ...seen,
      atMs: 1,
      milliseconds: 2,
    }),
  });

  expect(await ask(version, 2)).toBe(true);
  expect(await renderOf(slug)).toMatchObject({ state: "asked", why: undefined, ...seen });
});

test("a version that is there no more is not asked for", async () => {
  const { version } = givenDrop("askedcc");

  expect(await ask(version, 1)).toBe(false);
  expect(await renderOf("askedcc")).toBeUndefined();
});

test("who finds no queue may ask again at once", async () => {
  const version = await given("askeddd");
  const url = process.env[environmentNames.rendersQueueUrl];
  process.env[environmentNames.rendersQueueUrl] = `${url}-of-another`;

  await expect(ask(version, minuteMs)).rejects.toThrow();
  process.env[environmentNames.rendersQueueUrl] = url;
  expect(await ask(version, minuteMs + 1)).toBe(true);
});

test("pages are rendered where the stack says so", () => {
  expect(areRendered()).toBe(false);
  process.env[environmentNames.renders] = "1";
  expect(areRendered()).toBe(true);
});
