// @module-tag slow

import { afterAll, beforeAll, expect, test } from "vitest";
import { toRender } from "../../functions/renders/store.ts";
import { keys } from "../../functions/table/keys.ts";
import { longMs } from "../support/patience.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "../workers/service-with-storage.ts";
import { standInCode } from "./stand-in.ts";

/**
 * `DROPLEAF_RENDERER=browser` uses the function's own browser, which takes seconds of two processors for each page.
 * The default is a stand-in, because the test is about the code around the browser.
 */
const isDrawn = process.env.DROPLEAF_RENDERER === "browser";
/** A card and a thumbnail. */
const objectsOfEach = 2;
/** More than are rendered concurrently, and than a batch of the queue contains. */
const publications = 30;
let service: ServiceWithStorage;

beforeAll(async () => {
  service = await startServiceWithStorage(60, {
    fileSettings: { renders: true },
    ...(isDrawn ? {} : { unsafeDrawPageCode: standInCode }),
  });
});
afterAll(() => service.stop());

test("30 concurrent publications are all rendered once, and none becomes a dead letter", {
  tags: "nightly",
  timeout: 4 * longMs,
}, async () => {
  const startedAtMs = performance.now();
  const published = await Promise.all(
    Array.from({ length: publications }, (_, index) =>
      service.call("POST", "/api/drops", { title: "One of many", html: `<p>${index}</p>` }),
    ),
  );
  expect(published.map(({ status }) => status)).toEqual(Array(publications).fill(201));
  const slugs: string[] = published.map(({ json }) => json.slug);

  const states = async () => {
    const items = await Promise.all(slugs.map((slug) => service.getItem(keys.render(slug, 1))));
    return items.map((item) => item && toRender(item).state);
  };
  await expect
    .poll(states, { interval: 1_000, timeout: 3 * longMs })
    .toEqual(Array(publications).fill("rendered"));
  process.stdout.write(
    `${publications} publications were rendered within ${Math.round((performance.now() - startedAtMs) / 1000)} s.\n`,
  );

  for (const slug of slugs) {
    const kept = await service.objectKeys("Pages", `cards/${slug}/`);
    const reports = await service.objectKeys("Pages", `_reports/${slug}/`);
    expect([slug, kept.length + reports.length]).toEqual([slug, objectsOfEach]);
  }
  const deadLetters = [...service.cloud.awsEndpoint.queues].find(([name]) => name.includes("DeadLetters"));
  expect(deadLetters?.[1].counts().visible).toBe(0);
});
