import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PutEventsCommand, type PutEventsRequestEntry } from "@aws-sdk/client-eventbridge";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { allow, ROLE_ARN, stackOf } from "./stack.ts";

const bus = "arn:aws:events:us-east-1:000000000000:event-bus/default";
const own: PutEventsRequestEntry = {
  Source: "dropleaf",
  DetailType: "drop.updated",
  Detail: '{"number":1}',
  Time: new Date("2026-11-23T08:00:00.000Z"),
};

let running: RunningEndpoint;

beforeAll(async () => {
  const condition = { StringEquals: { "events:source": "dropleaf", "events:detail-type": ["drop.updated"] } };
  running = await runEndpoint(stackOf([{ ...allow("events:PutEvents", bus), Condition: condition }]));
});
afterAll(() => running.remove());

const putAll = (entries: readonly PutEventsRequestEntry[], client = running.eventBridge()) =>
  client.send(new PutEventsCommand({ Entries: [...entries] }));

test("an event is written to the log, and to the data folder in the format that rules' targets get", async () => {
  const { FailedEntryCount, Entries = [] } = await putAll([own]);

  expect(FailedEntryCount).toBe(0);
  const lines = readFileSync(join(running.dataDirectory, "events.jsonl"), "utf8").trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
    version: "0",
    id: Entries[0]?.EventId,
    "detail-type": "drop.updated",
    source: "dropleaf",
    account: "000000000000",
    time: "2026-11-23T08:00:00Z",
    region: "us-east-1",
    resources: [],
    detail: { number: 1 },
  });
  expect(running.logLines.at(-1)).toMatch(/^event drop\.updated/);
});

test("an invalid entry does not affect the other entries", async () => {
  const { FailedEntryCount, Entries = [] } = await putAll([
    { ...own, Source: undefined },
    { ...own, Detail: "no JSON" },
    { ...own, Detail: "[]" },
    { ...own, Source: "aws.dropleaf" },
    own,
  ]);

  expect(FailedEntryCount).toBe(4);
  expect(Entries.map(({ ErrorCode }) => ErrorCode)).toEqual([
    "InvalidArgument",
    "MalformedDetail",
    "MalformedDetail",
    "NotAuthorizedForSourceException",
    undefined,
  ]);
});

test("a request without entries, with more than ten, or with more than 256 KB is refused", async () => {
  const large = { ...own, Detail: JSON.stringify({ text: "x".repeat(130 * 1024) }) };

  for (const entries of [[], Array(11).fill(own), [large, large]])
    await expect(putAll(entries)).rejects.toMatchObject({ name: "ValidationException" });
});

test("a role can send only the events that its policy names", async () => {
  const client = running.eventBridge(running.endpoint.credentialsFor(ROLE_ARN));

  expect((await putAll([own], client)).FailedEntryCount).toBe(0);
  for (const other of [{ Source: "another" }, { DetailType: "drop.other" }])
    await expect(putAll([own, { ...own, ...other }], client)).rejects.toMatchObject({
      name: "AccessDeniedException",
    });
});
