import { randomInt } from "node:crypto";
import fc from "fast-check";
import published from "reserved-usernames" with { type: "json" };
import { expect, test } from "vitest";
import { namespaceCandidate } from "../../functions/people/accounts.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";

test.each([
  ["Ada", "ada"],
  ["Ada Lovelace", "ada-lovelace"],
  ["José.Núñez", "jose-nunez"],
  ["--x--y--", "x-y"],
  ["xn--80ak6aa92e", "xn-80ak6aa92e"],
  ["日本", "user-1"],
  ["", "user-1"],
  ["www", "www-1"],
  ["Admin", "admin-1"],
  ["sign_up", "sign-up-1"],
  ["a".repeat(60), "a".repeat(40)],
])("the user name %j gives the namespace %j", (username, namespace) => {
  expect(namespaceCandidate(username, 0, randomInt)).toBe(namespace);
});

test("no name of the published list of reserved names becomes a namespace", () => {
  for (const name of published) {
    expect(namespaceCandidate(name, 0, randomInt)).toBe(`${name.replaceAll("_", "-")}-1`);
  }
});

test.each(
  (
    "sso id auth login oauth idp identity autodiscover autoconfig wpad isatap mta-sts localhost mail smtp mx mx1 ns1 ns12 www www2 ftp cdn " +
    "status assets proxy abuse hostmaster postmaster webmaster security noc"
  ).split(" "),
)("a host name that others would trust cannot be a namespace: %j", (name) => {
  expect(namespaceCandidate(name, 0, randomInt)).toBe(`${name}-1`);
});

test.each(["ada1", "simon", "mark2", "parker", "williams", "user-1", "mail-ada"])(
  "a person's own name stays unchanged: %j",
  (name) => {
    expect(namespaceCandidate(name, 0, randomInt)).toBe(name);
  },
);

test("no namespace is a first path segment, because a file's path at the origin begins with its namespace", () => {
  const firstParts = operationIds.map((id) => routeOf(id).path.split("/")[1] ?? "");

  for (const part of firstParts.filter((name) => /^[a-z0-9-]+$/.test(name))) {
    expect(namespaceCandidate(part, 0, randomInt)).toBe(`${part}-1`);
  }
});

test("a taken name gets a number, then random letters", () => {
  expect(namespaceCandidate("ada", 1, randomInt)).toBe("ada-2");
  expect(namespaceCandidate("ada", 8, randomInt)).toBe("ada-9");
  expect(namespaceCandidate("ada", 9, randomInt)).toMatch(/^ada-[a-z0-9]{6}$/);
});

test("every candidate is a DNS label of at most 40 characters", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.integer({ min: 0, max: 15 }),
      (username, attempt) => {
        const namespace = namespaceCandidate(username, attempt, randomInt);

        expect(namespace).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(namespace.length).toBeLessThanOrEqual(40);
      },
    ),
  );
});
