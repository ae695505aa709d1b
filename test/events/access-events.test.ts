import { describe, expect, test } from "vitest";
import type { TableChange } from "../../functions/background/table-change.ts";
import { type DropEvent, eventKinds, presentEvent } from "../../functions/events/event.ts";
import { readStreamEvents } from "../../functions/events/stream-events.ts";
import { serializeWebhooks } from "../../functions/events/webhook.ts";
import { keys } from "../../functions/table/keys.ts";

const id = "0123456789abcdef01234567";
const row = {
  ...keys.accessRequest("Ab3dE6g", id),
  name: "grace",
  reader: "grace@example.com",
  text: "Please.",
  ownerId: "0123456789abcdef",
};

function change(images: Pick<TableChange, "before" | "after">): TableChange {
  const record = {
    eventID: "1",
    eventName: "INSERT",
    dynamodb: { ApproximateCreationDateTime: 1_767_225_600 },
  };
  return { record, eventName: "INSERT", key: row, subject: undefined, ...images } as unknown as TableChange;
}

describe("the event of an access request", () => {
  test("has the ids of drop and request, and not the text, name or address", () => {
    const [event] = readStreamEvents(change({ before: undefined, after: row }));

    const told = presentEvent({ ...event, ownerId: row.ownerId, number: 2 } as DropEvent, "Dropleaf");
    expect(event?.kind).toBe("access.requested");
    expect(told).toMatchObject({ slug: "Ab3dE6g", owner: row.ownerId, request: id });
    for (const secret of [row.name, row.reader, row.text]) expect(JSON.stringify(told)).not.toContain(secret);
  });

  test("is sent only for a person's first request, not when the request is replaced or removed", () => {
    expect(readStreamEvents(change({ before: row, after: { ...row, text: "Again" } }))).toEqual([]);
    expect(readStreamEvents(change({ before: row, after: undefined }))).toEqual([]);
    const key = keys.replacedAccessRequest("Ab3dE6g", id, 1);
    expect(readStreamEvents({ ...change({ before: undefined, after: row }), key })).toEqual([]);
  });
});

test("a webhook for every kind of event is stored without a list of kinds", () => {
  const url = "https://hooks.example.com/";

  const stored = serializeWebhooks([
    { url, events: eventKinds },
    { url },
    { url, events: ["access.requested"] },
  ]);

  expect(JSON.parse(stored)).toEqual([{ url }, { url }, { url, events: ["access.requested"] }]);
});
