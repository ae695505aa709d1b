// @module-tag nightly

import type { BusEvent } from "@dropleaf/local-cloud/aws/eventbridge/event-bus";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCommentItem } from "../../functions/feedback/items.ts";
import type { Key } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { standInCode } from "../renders/stand-in.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "../workers/service-with-storage.ts";

let service: ServiceWithStorage;
const told: BusEvent[] = [];

beforeAll(async () => {
  service = await startServiceWithStorage(60, {
    environmentsPerFunction: 4,
    fileSettings: { renders: true, ingest: "none" },
    unsafeDrawPageCode: standInCode,
  });
  service.cloud.awsEndpoint.onEvent((event) => void told.push(event));
});
afterAll(() => service?.stop());

/** Events in order, except `drop.rendered`, whose time varies. */
const kindsOf = (slug: string) =>
  told
    .filter((event) => event.detail.slug === slug && event["detail-type"] !== "drop.rendered")
    .sort((one, other) => Number(one.detail.number) - Number(other.detail.number))
    .map((event) => event["detail-type"]);

async function publish(): Promise<string> {
  const { json } = await service.call("POST", "/api/drops", {
    html: "<p>Secret plans",
    title: "Secret title",
  });
  return json.slug;
}

test("a listener on the account's bus gets every event of a drop, without its contents", async () => {
  const slug = await publish();
  const at = `/api/drops/${slug}`;
  const calls = [
    ["PUT", at, { html: "<p>More plans" }],
    ["PATCH", at, { title: "Another title", description: "Some words" }],
    ["PATCH", at, { visibility: "people", readers: ["ada@example.com"] }],
    ["POST", `${at}/passcode`, { passcode: "open sesame" }],
    ["POST", `${at}/passcode`, { passcode: "" }],
    ["DELETE", at],
  ] as const;
  for (const [method, path, body] of calls)
    expect((await service.call(method, path, body)).status).toBeLessThan(300);

  const expected = ["published", "updated", "updated"];
  expected.push("visibility_changed", "visibility_changed", "visibility_changed", "deleted");
  await expect.poll(() => kindsOf(slug)).toEqual(expected.map((kind) => `drop.${kind}`));
  const events = told.filter(({ detail }) => detail.slug === slug);
  expect(events.map(({ source }) => source)).toEqual(events.map(() => "dropleaf"));
  expect(JSON.stringify(events)).not.toMatch(/Another title|Some words|ada@example|sesame|plans|passcode/i);
  for (const { detail, time } of events) expect(Date.parse(String(detail.time))).toBe(Date.parse(time));
});

test("renders and comments cause events, without authors and contents", async () => {
  const slug = await publish();
  const rendered = () =>
    told.filter((event) => event["detail-type"] === "drop.rendered" && event.detail.slug === slug);
  await expect.poll(rendered).toHaveLength(1);
  expect(rendered()[0]?.detail).toMatchObject({ version: 1, outcome: "rendered" });

  const place = { slug, thread: 1, comment: 1, sequence: 1 };
  const author = { kind: "named", name: "Ada" } as const;
  const said = { author, text: "Secret words", version: 1, createdAtMs: 1 };
  await service.putItem(toCommentItem({ ...place, ...said }, "owner") as Item & Key);

  await expect.poll(() => kindsOf(slug)).toEqual(["drop.published", "drop.commented"]);
  const commented = told.find((event) => event["detail-type"] === "drop.commented");
  expect(commented?.detail).toMatchObject({ slug, thread: 1, comment: 1, from: "reader" });
  expect(JSON.stringify(commented)).not.toMatch(/secret|"ada"/i);
});

test("each of fifty concurrent edits is sent at least once, with consecutive numbers", async () => {
  const slug = await publish();

  const edits = Array.from({ length: 50 }, (_, index) =>
    service.call("PATCH", `/api/drops/${slug}`, { title: `Title ${index}` }),
  );
  const done = (await Promise.all(edits)).filter(({ status }) => status === 200).length;

  expect(done).toBeGreaterThan(1);
  const numbersById = () =>
    new Map(
      told
        .filter(({ detail }) => detail.slug === slug)
        .map(({ detail: { id, number } }) => [id, Number(number)]),
    );
  // The publication and the render are events, too.
  await expect.poll(() => numbersById().size).toBe(2 + done);
  expect([...numbersById().values()].sort((one, other) => one - other)).toEqual(
    Array.from({ length: 2 + done }, (_, index) => index + 1),
  );
});
