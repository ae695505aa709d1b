import { afterAll, beforeAll, expect, test } from "vitest";
import { type renders as Renders, toRender, toRenderItem } from "../../functions/renders/store.ts";
import { keys } from "../../functions/table/keys.ts";
import { givenDrop } from "../workers/items.ts";
import { type RunningWorker, runWorker } from "../workers/running-worker.ts";

const minuteMs = 60_000;
let worker: RunningWorker;
let renders: typeof Renders;

beforeAll(async () => {
  // The role of the janitor lacks permissions that these tests need.
  worker = await runWorker("janitor", { asAdministrator: true });
  ({ renders } = await import("../../functions/renders/store.ts"));
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

test("a version's report is requested at most once in five minutes", async () => {
  const version = await given("askedaa");

  expect(await renders.request(version, 10 * minuteMs)).toBe(true);
  expect(await renders.request(version, 14 * minuteMs)).toBe(false);
  expect(await renderOf("askedaa")).toMatchObject({ state: "asked", pictures: [], atMs: 10 * minuteMs });
  expect(await renders.request(version, 15 * minuteMs)).toBe(true);
});

test("the earlier render stays visible until the new one is available", async () => {
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

  expect(await renders.request(version, 2)).toBe(true);
  expect(await renderOf(slug)).toMatchObject({ state: "asked", why: undefined, ...seen });
});

test("the report of a deleted version is not requested", async () => {
  const { version } = givenDrop("askedcc");

  expect(await renders.request(version, 1)).toBe(false);
  expect(await renderOf("askedcc")).toBeUndefined();
});

test("pictures stored after a report was requested do not complete that request", async () => {
  const { slug, version, pageKey } = await given("askeddd");
  const pictures = { slug, version, pageKey, folder: "f", pictures: [], atMs: 2, milliseconds: 1 } as const;
  await renders.request({ slug, version, pageKey }, minuteMs);

  expect(await renders.settle({ ...pictures, state: "rendered", extent: "pictures" })).toBe(false);
  expect(await renderOf(slug)).toMatchObject({ state: "asked" });
  expect(await renders.settle({ ...pictures, state: "rendered", extent: "report" })).toBe(true);
});
