import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readAudit } from "../../functions/administration/audit-reader.ts";
import { limits } from "../../functions/core/limits.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import type { Identity } from "../../functions/people/accounts.ts";
import { keys } from "../../functions/table/keys.ts";
import { transact, updateItem } from "../../functions/table/table-writes.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, type ReceivedResponse } from "../support/http.ts";
import { sendForm } from "../support/own-pages.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { fieldsOf } from "../support/page-forms.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";
import { type GivenPerson, givenDrops, givenPerson, openStores } from "./given-person.ts";
import { type GivenReader, givenReader } from "./given-reader.ts";

/** A signed-in person with an account. */
interface GivenOwner extends GivenPerson, Omit<GivenReader, "identity"> {
  readonly identity: Identity;
}

let owner: GivenOwner;
let visitor: Visitor;
let drop: Drop;
let path: string;
let page: Visit;

beforeAll(openStores);

beforeEach(async () => {
  owner = await givenOwner();
  visitor = owner.visitor;
  [drop] = (await givenDrops(owner, 1)) as [Drop];
  path = `/account/drops/${drop.slug}`;
  page = await visitor.open(path);
  expect(page.response.status).toBe(200);
});

async function givenOwner(facts: Partial<Identity> = {}): Promise<GivenOwner> {
  const person = await givenPerson("owner");
  const id = randomUUID();
  const identity = { provider: "https://id.example.com", id };
  await transact([{ put: { ...keys.identity(identity.provider, id), userId: person.userId } }]);
  return { ...person, ...(await givenReader({ ...facts, id }, person.userId)) };
}

/** Sends the page's rename form with other headers. */
async function rename(headers: Readonly<Record<string, string>>, fields: Record<string, string> = {}) {
  const body = new URLSearchParams({ ...fieldsOf(page, path), title: "Taken over", ...fields }).toString();
  const { response } = await visitor.open(path, {
    method: "POST",
    body,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", ...headers },
  });
  return response;
}

async function expectUnchanged(): Promise<void> {
  expect(await drops.find(drop.ownerId, drop.slug)).toEqual(drop);
}

describe("a form sent by another site, with the owner's cookie and a valid proof", () => {
  test("is refused, whatever its origin headers", { tags: "slow" }, async () => {
    const ownersHost = new URL(await addressOfOwner(owner.namespace)).origin;
    const foreign: readonly Record<string, string>[] = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" },
      // A page in a sandbox on the same host: a raw page, or any page of a service without a domain.
      { origin: "null", "sec-fetch-site": "same-origin", "sec-fetch-dest": "document" },
      { "sec-fetch-site": "same-site", "sec-fetch-dest": "document" },
      { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" },
      {
        origin: baseUrl()
          .replace("http:", "https:")
          .replace(/^https:\/\/(.*)$/, "https://$1.evil.example"),
      },
      // No headers: every browser sends some, and programs do not use forms.
      {},
      ...(ownersHost === baseUrl()
        ? []
        : [{ origin: ownersHost, "sec-fetch-site": "same-site", "sec-fetch-dest": "document" }]),
    ];
    for (const headers of foreign) {
      const response = await rename(headers);
      expectErrorPage(response, 403);
      // The attacker's values are not shown in a valid form.
      expect(response.text).not.toContain("Taken over");
    }
    await expectUnchanged();
    expect((await rename({ origin: baseUrl() })).status).toBe(200);
  });

  test("is refused from a frame or a script", { tags: "slow" }, async () => {
    for (const destination of ["iframe", "empty"]) {
      const response = await rename({
        origin: baseUrl(),
        "sec-fetch-site": "cross-site",
        "sec-fetch-dest": destination,
      });
      expectErrorPage(response, 403);
    }
    await expectUnchanged();
  });
});

describe("a form's proof", () => {
  test("is valid for one session, one drop and one form", { tags: "slow" }, async () => {
    const other = await givenOwner();
    const [theirs] = (await givenDrops(other, 1)) as [Drop];
    const theirPath = `/account/drops/${theirs.slug}`;
    const theirPage = await other.visitor.open(theirPath);
    const proofs = [
      fieldsOf(theirPage, theirPath).proof,
      fieldsOf(page, `${path}/delete`).proof,
      fieldsOf(page, `${path}/share`).proof,
      "",
      "x".repeat(43),
    ];
    for (const proof of proofs) {
      const response = await rename({ origin: baseUrl() }, { proof: proof ?? "" });
      expectErrorPage(response, 403);
    }
    await expectUnchanged();
  });

  test("ends with its session", { tags: "slow" }, async () => {
    const left = await visitor.submit(await visitor.open("/login/read"), {});
    expect(left.response.status).toBe(200);

    const response = await rename({ origin: baseUrl() });

    expectErrorPage(response, 403);
    await expectUnchanged();
  });

  test("of an expired session changes nothing", async () => {
    await updateItem({
      key: keys.readerSession(owner.reference),
      update: "SET expiresAtMs = :now",
      condition: "attribute_exists(pk)",
      values: { ":now": Date.now() },
    });

    expectErrorPage(await rename({ origin: baseUrl() }), 403);
    expect((await visitor.request(path)).response.status).toBe(302);
    await expectUnchanged();
  });
});

describe("a locked-out owner", () => {
  const nobody = { condition: "attribute_exists(pk) OR attribute_not_exists(pk)" };

  test.each([
    ["suspended", () => ({ key: keys.account(owner.userId), update: "SET suspendedAtMs = :now" })],
    [
      "banned",
      () => ({
        key: keys.identity(owner.identity.provider, owner.identity.id),
        update: "SET bannedAtMs = :now",
      }),
    ],
    [
      "removed",
      () => ({
        key: keys.identity(owner.identity.provider, owner.identity.id),
        update: "SET removedAtMs = :now",
      }),
    ],
  ])("who is %s sees and changes nothing, but can sign out", async (_, shutOut) => {
    await updateItem({ ...shutOut(), ...nobody, values: { ":now": Date.now() } });

    const shown = await visitor.open("/account");
    const sent = await rename({ origin: baseUrl() });

    for (const response of [shown.response, sent]) {
      expectErrorPage(response, 403);
      expect(elementsOf(response, "h1").map(textOf)).toEqual(["This account is blocked"]);
      expect(response.text).not.toContain("Given");
      expect(elementsOf(response, "a").map(({ attribs }) => attribs.href)).toContain("/login/read");
    }
    await expectUnchanged();
  });

  test("whose account is deleted has no session", async () => {
    await updateItem({
      key: keys.account(owner.userId),
      update: "SET deletingAtMs = :now",
      ...nobody,
      values: { ":now": Date.now() },
    });

    const shown = await visitor.open(path);
    const sent = await rename({ origin: baseUrl() });

    expect(elementsOf(shown.response, "h1").map(textOf)).toEqual(["No pages yet"]);
    expectErrorPage(sent, 403);
    await expectUnchanged();
  });
});

test("an owner's forms have the same write limit as a token, and the error says how long to wait", async () => {
  const nowMs = Date.now();
  const full = { minuteStartedAtMs: nowMs, minuteCount: limits.writesPerMinutePerToken };
  const key = keys.rateWindow("browser", owner.userId);
  await transact([{ put: { ...key, ...full, dayStartedAtMs: nowMs, dayCount: 60 } }]);

  const refused = await sendForm(visitor, page, path, { title: "One too many" });
  const invalid = await sendForm(visitor, page, path, { title: " " });

  expectErrorPage(refused.response, 429);
  expect(Number(refused.response.headers["retry-after"])).toBeGreaterThan(0);
  expect(fieldsOf(refused, path).title).toBe("One too many");
  // An invalid form does not count, and gets its own error first.
  expectErrorPage(invalid.response, 400);
  await expectUnchanged();
});

test("each change leaves one audit entry, which names the person", async () => {
  await sendForm(visitor, page, path, { title: "Written down" });
  await sendForm(visitor, page, path, { title: "Written down" });
  await sendForm(visitor, page, path, { title: " " });

  const lines = await linesOf(owner.userId);

  expect(lines.filter(({ action }) => action === "edit-own-drop")).toEqual([
    {
      action: "edit-own-drop",
      actor: {
        kind: "reader",
        identity: `https://id.example.com#${owner.identity.id}`,
        personId: owner.userId,
      },
      slug: drop.slug,
    },
  ]);
});

async function linesOf(ownerId: string) {
  const lines: object[] = [];
  const range = { fromMs: Date.now() - 60_000, untilMs: Date.now() + 1, ownerId };
  for await (const { act, subject } of readAudit(range))
    lines.push({ action: act.action, actor: act.actor, slug: subject.slug });
  return lines as { readonly action: string }[];
}

/** Returns a response's content security policy. */
function policyOf(response: ReceivedResponse): string {
  return response.headers["content-security-policy"] ?? "";
}

test("an owner's account pages cannot be framed, error pages included", async () => {
  const refused = await sendForm(visitor, page, path, { title: " " });
  const signedOut = await sendForm(new Visitor(), page, path, {});

  for (const response of [page.response, refused.response, signedOut.response]) {
    expect(policyOf(response)).toContain("frame-ancestors 'none'");
    expect(policyOf(response)).toContain("form-action 'self'");
    expect(response.headers["cache-control"]).toContain("no-store");
  }
});
