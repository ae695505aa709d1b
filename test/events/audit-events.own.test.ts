// @module-tag slow

import { AwsError } from "@dropleaf/local-cloud/aws/aws-error";
import type { BusEvent } from "@dropleaf/local-cloud/aws/eventbridge/event-bus";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServiceWithStorage, startServiceWithStorage } from "../workers/service-with-storage.ts";

let service: ServiceWithStorage;
const told: BusEvent[] = [];
let refusals = 0;

beforeAll(async () => {
  service = await startServiceWithStorage(60, {
    fileSettings: { auditEvents: true, renders: false, ingest: "none" },
  });
  service.cloud.awsEndpoint.onEvent((event) => {
    if (event["detail-type"] === "audit.recorded" && refusals > 0) {
      refusals -= 1;
      throw new AwsError("ThrottlingException", 400, "Slower.");
    }
    told.push(event);
  });
});
afterAll(() => service?.stop());

const linesAbout = (slug: string) =>
  told.filter((event) => event["detail-type"] === "audit.recorded" && event.detail.slug === slug);

async function publish(): Promise<string> {
  const { json } = await service.call("POST", "/api/drops", {
    html: "<p>Secret plans",
    title: "Secret title",
  });
  return json.slug;
}

test("the event bus gets each audit entry, with ids and without names and texts", async () => {
  const slug = await publish();
  await service.call("PATCH", `/api/drops/${slug}`, { title: "Another title" });
  const { json: me } = await service.call("GET", "/api/me");

  await expect
    .poll(() =>
      linesAbout(slug)
        .map(({ detail }) => detail.action)
        .sort(),
    )
    .toEqual(["edit-drop", "publish-drop"]);
  const [line] = linesAbout(slug).filter(({ detail }) => detail.action === "publish-drop");
  expect(line?.source).toBe("dropleaf");
  expect(line?.detail).toEqual({
    id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
    time: expect.stringMatching(/Z$/),
    stack: "Dropleaf",
    action: "publish-drop",
    by: "token",
    token_id: me.token.id,
    person_id: me.user_id,
    account_id: me.user_id,
    slug,
    version: 1,
    request_id: expect.any(String),
  });
  expect(JSON.stringify(linesAbout(slug))).not.toMatch(/title|plans/i);
  expect(JSON.stringify(linesAbout(slug))).not.toContain(service.namespace);
});

test("an entry that the event bus rejects is sent later", { tags: "nightly" }, async () => {
  // The SDK tries twice.
  refusals = 2;
  const slug = await publish();

  await expect.poll(() => linesAbout(slug), { timeout: 30_000 }).toHaveLength(1);
  expect(refusals).toBe(0);
});
