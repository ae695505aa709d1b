import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEventPattern } from "@dropleaf/local-cloud/events/event-pattern";
import { expect, test } from "vitest";
import {
  auditEventKind,
  type DropEvent,
  eventIdOf,
  eventKinds,
  eventSource,
  presentEvent,
} from "../../functions/events/event.ts";
import { validateSettings } from "../../lib/settings/validate-settings.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/events.md"), "utf8");

const event: DropEvent = {
  id: eventIdOf("record", "drop.published"),
  kind: "drop.published",
  slug: "Ab3dE6g",
  ownerId: "0123456789abcdef",
  version: 3,
  number: 7,
  atMs: Date.UTC(2026, 10, 23, 8),
};

function found(pattern: RegExp): string {
  const [, text] = pattern.exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/events.md has nothing like ${pattern}.`);
  return text;
}

test("the document for receivers names every kind of event, and no other", () => {
  const named = [...page.matchAll(/^\| `((?:drop|answer|access)\.\w+)` \|/gm)].map(([, kind]) => kind);

  expect(named.toSorted()).toEqual([...eventKinds].sort());
});

test("the document names the audit event, which webhooks cannot subscribe to", () => {
  expect(page).toContain(`\`${auditEventKind}\``);
  expect(() =>
    validateSettings({ webhooks: [{ url: "https://hooks.example.com", events: [auditEventKind as never] }] }),
  ).toThrow("events");
});

test("the document's example has an event's fields, and its table describes each", () => {
  const example = JSON.parse(found(/```json\n([\s\S]*?)```/));
  const whole = {
    ...event,
    outcome: "rendered" as const,
    comment: { thread: 1, comment: 2, from: "reader" as const },
  };

  expect(example.source).toBe(eventSource);
  expect(Object.keys(JSON.parse(JSON.stringify(presentEvent(event, "Dropleaf"))))).toEqual(
    Object.keys(example.detail),
  );
  for (const field of Object.keys(presentEvent(whole, "Dropleaf")))
    expect(page).toMatch(new RegExp(`^\\| .*\`${field}\`.* \\|`, "m"));
});

test("the document's rule matches the events in its description, and its webhooks are valid settings", () => {
  const isMatch = parseEventPattern(found(/--event-pattern '([\s\S]*?)'/), "docs/events.md");
  const onBus = (kind: string) => ({
    source: eventSource,
    "detail-type": kind,
    detail: presentEvent(event, "Dropleaf"),
  });

  expect(eventKinds.filter((kind) => isMatch(onBus(kind)))).toEqual(["drop.published", "drop.deleted"]);
  const urls = [...page.matchAll(/\{ url: "(https:[^"]+)"/g)].map(([, url = ""]) => ({ url }));
  expect(urls).toHaveLength(2);
  expect(() => validateSettings({ webhooks: urls })).not.toThrow();
});
