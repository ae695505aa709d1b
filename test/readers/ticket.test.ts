import { expect, test } from "vitest";
import { bindOf } from "../../functions/readers/bind.ts";
import { type Pass, sessionOfPass, signPass } from "../../functions/readers/pass.ts";
import { sessionReference } from "../../functions/readers/session.ts";
import { readTicket, signTicket } from "../../functions/readers/ticket.ts";

const key = "a key";
const nowMs = 1_700_000_000_000;
const host = "ada.drops.example.com";
const slug = "aB3dE5f";
const session = sessionReference("a session");
const bind = bindOf("a browser");
const value = signTicket(key, { host, slug, bind, session }, nowMs);

test("a ticket tells its host and drop whose it is, for a minute", () => {
  const found = readTicket(key, { host, slug }, value, nowMs + 59_999);

  expect(found).toMatchObject({ bind, session, expiresAtMs: nowMs + 60_000 });
  expect(readTicket(key, { host: host.toUpperCase(), slug }, value, nowMs)?.id).toBe(found?.id);
  expect(readTicket(key, { host, slug }, value, nowMs + 60_000)).toBeUndefined();
});

test("two tickets of one reader are two", () => {
  const another = signTicket(key, { host, slug, bind, session }, nowMs);

  expect(readTicket(key, { host, slug }, another, nowMs)?.id).not.toBe(
    readTicket(key, { host, slug }, value, nowMs)?.id,
  );
});

test.each([
  ["another key", "other", { host, slug }, value],
  ["another drop", key, { host, slug: "aB3dE5g" }, value],
  ["another owner's host", key, { host: "eve.drops.example.com", slug }, value],
  ["another browser's name in it", key, { host, slug }, changed(4, bindOf("another browser"))],
  ["another session in it", key, { host, slug }, changed(3, sessionReference("another session"))],
  ["another id, to be used twice", key, { host, slug }, changed(2, "A".repeat(22))],
  ["a later end", key, { host, slug }, changed(1, "1999999999")],
  ["something before it", key, { host, slug }, ` ${value}`],
  ["nothing", key, { host, slug }, ""],
])("a ticket is refused with %s", (_, givenKey, place, given) => {
  expect(readTicket(givenKey, place, given, nowMs)).toBeUndefined();
});

test("a ticket is no pass, and a pass no ticket", () => {
  const pass = signPass(key, { host, slug, session, expiresAtMs: nowMs + 60_000 });

  expect(sessionOfPass(key, { host, slug }, value, nowMs)).toBeUndefined();
  expect(readTicket(key, { host, slug }, pass, nowMs)).toBeUndefined();
});

test("a pass names its session on its host, for its drop, until it ends", () => {
  const pass: Pass = { host, slug, session, expiresAtMs: nowMs + 60_000 };
  const signed = signPass(key, pass);

  expect(sessionOfPass(key, pass, signed, nowMs)).toBe(session);
  expect(sessionOfPass(key, pass, signed, nowMs + 60_000)).toBeUndefined();
  expect(sessionOfPass("other", pass, signed, nowMs)).toBeUndefined();
  expect(sessionOfPass(key, { ...pass, slug: "aB3dE5g" }, signed, nowMs)).toBeUndefined();
  expect(sessionOfPass(key, { ...pass, host: "eve.drops.example.com" }, signed, nowMs)).toBeUndefined();
  const others = signed.replace(session, sessionReference("another session"));
  expect(sessionOfPass(key, pass, others, nowMs)).toBeUndefined();
});

/** The ticket with another value in one of its parts. */
function changed(part: number, to: string): string {
  return value
    .split(".")
    .map((one, index) => (index === part ? to : one))
    .join(".");
}
