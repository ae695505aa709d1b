import { afterAll, beforeAll, expect, test } from "vitest";
import type { BusEvent } from "../../local/aws/eventbridge/event-bus.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "../workers/service-with-storage.ts";

let service: ServiceWithStorage;
const told: BusEvent[] = [];

beforeAll(async () => {
  service = await startServiceWithStorage(60, { environmentsPerFunction: 4 });
  service.cloud.awsEndpoint.onEvent((event) => void told.push(event));
}, 120_000);
afterAll(() => service?.stop());

const kindsOf = (slug: string) =>
  told
    .filter(({ detail }) => detail.slug === slug)
    .sort((one, other) => Number(one.detail.number) - Number(other.detail.number))
    .map((event) => event["detail-type"]);

async function publish(): Promise<string> {
  const { json } = await service.call("POST", "/api/drops", {
    html: "<p>Secret plans",
    title: "Secret title",
  });
  return json.slug;
}

test("whoever listens to the account's bus hears of all that becomes of a drop, and nothing that is in it", async () => {
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
  expect(JSON.stringify(events)).not.toMatch(/secret|another|words|ada|sesame|hash/i);
  for (const { detail, time } of events) expect(Date.parse(String(detail.time))).toBe(Date.parse(time));
});

test("of fifty edits at once each is told once or more often, with one number each and none between them", async () => {
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
  await expect.poll(() => numbersById().size).toBe(1 + done);
  expect([...numbersById().values()].sort((one, other) => one - other)).toEqual(
    Array.from({ length: 1 + done }, (_, index) => index + 1),
  );
});
