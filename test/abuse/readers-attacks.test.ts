// @module-tag slow

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Drop } from "../../functions/drops/drop.ts";
import { signInPath } from "../../functions/identity/destination.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type SendOptions } from "../support/http.ts";
import { withoutNonces } from "../support/nonces.ts";
import { addressOfOwner, hasOwnOrigin } from "../support/owner-address.ts";
import { enterUsername, startSignIn } from "../support/sign-in.ts";
import { linkTo, type Visit, Visitor } from "../support/visitor.ts";
import { type GivenPerson, givenDrops, givenPerson, openStores } from "./given-person.ts";
import { type GivenReader, givenReader, setVisibility } from "./given-reader.ts";

let person: GivenPerson;
let owner: string;
let drop: Drop;
let other: Drop;
let grace: GivenReader;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("attacked");
  owner = await addressOfOwner(person.namespace);
  const [one, two] = await givenDrops(person, 2);
  if (!one || !two) throw new Error("Two drops were given.");
  [drop, other] = [one, two];
  await setVisibility(drop, { kind: "members" });
  await setVisibility(other, { kind: "members" });
});

beforeEach(async () => {
  grace = await givenReader({ username: "grace" });
});

describe("a session's access to drops", () => {
  test("ends with the sign-out", async () => {
    for (const { slug } of [drop, other]) expect(await statusFor(grace, `/p/${slug}`)).toBe(200);
    const standing = await grace.visitor.open("/login/read");

    await grace.visitor.submit(standing, {});

    for (const { slug } of [drop, other]) expect(await statusFor(grace, `/p/${slug}`)).toBe(404);
    expect(await statusFor(grace, "/login/read")).toBe(200);
  });

  test("ends when the session expires", async () => {
    expect(await statusFor(grace, `/p/${drop.slug}`)).toBe(200);

    await updateItem({
      key: keys.readerSession(grace.reference),
      update: "SET expiresAtMs = :now",
      condition: "attribute_exists(pk)",
      values: { ":now": Date.now() },
    });

    expect(await statusFor(grace, `/p/${drop.slug}`)).toBe(404);
  });

  test("does not exist on the owner's host, whatever cookies are sent there", async () => {
    const { response } = await grace.visitor.request(`${owner}/p/${drop.slug}/raw`, {
      headers: { cookie: `__Host-dl_reader=${grace.sessionId}`, "sec-fetch-dest": [] },
    });

    expectErrorPage(response, 404);
  });

  test("ends as soon as its reader is removed, banned or no longer named", async () => {
    const barred = {
      condition: "attribute_exists(pk) OR attribute_not_exists(pk)",
      values: { ":now": Date.now() },
    };
    const removed = await givenReader({ username: "leaver", emails: ["leaver@example.com"] });
    const banned = await givenReader({ username: "banned" });
    for (const [reader, bar] of [
      [
        removed,
        () =>
          updateItem({
            key: keys.member("email", "leaver@example.com"),
            update: "SET deniedAtMs = :now",
            ...barred,
          }),
      ],
      [
        banned,
        () =>
          updateItem({
            key: keys.identity(banned.identity.provider, banned.identity.id),
            update: "SET bannedAtMs = :now",
            ...barred,
          }),
      ],
      [grace, () => setVisibility(drop, { kind: "people", readers: [] })],
    ] as const) {
      expect(await statusFor(reader, `/p/${drop.slug}/raw?v=1`)).toBe(200);

      await bar();

      for (const path of ["", "/raw", "/raw?v=1"])
        expect(await statusFor(reader, `/p/${drop.slug}${path}`)).toBe(404);
    }
    await setVisibility(drop, { kind: "members" });
  });

  test("ends for every request that starts after the reader's removal, even with concurrent reads", async () => {
    const seen: { readonly startedAtMs: number; readonly status: number }[] = [];
    let isOver = false;
    const read = async () => {
      while (!isOver) {
        const startedAtMs = performance.now();
        seen.push({ startedAtMs, status: await statusFor(grace, `/p/${drop.slug}/raw?v=1`) });
      }
    };
    const reading = [read(), read(), read()];
    await expect.poll(() => seen.length).toBeGreaterThan(6);

    await setVisibility(drop, { kind: "people", readers: [] });
    const removedAtMs = performance.now();
    await expect
      .poll(() => seen.filter(({ startedAtMs }) => startedAtMs > removedAtMs).length)
      .toBeGreaterThan(6);
    isOver = true;
    await Promise.all(reading);

    expect(
      new Set(seen.filter(({ startedAtMs }) => startedAtMs > removedAtMs).map(({ status }) => status)),
    ).toEqual(new Set([404]));
    expect(seen[0]?.status).toBe(200);
    await setVisibility(drop, { kind: "members" });
  });
});

describe("a reader's session", () => {
  test("cannot be opened with its reference, which the table and file keys contain", async () => {
    const standing = await fetchPage("/login/read", {
      headers: { cookie: `__Host-dl_reader=${grace.reference}` },
    });

    expect(standing.text).not.toContain("grace");
  });

  test("is ended only by the service's own sign-out form", async () => {
    const origins = ["https://elsewhere.example", "null", ...(hasOwnOrigin(owner) ? [owner] : [])];
    for (const origin of origins) {
      const { response } = await grace.visitor.request("/login/sign-out", posted({ origin }));
      expectErrorPage(response, 403);
    }

    expect((await grace.visitor.open("/login/read")).response.text).toContain("grace");
  });

  test("accepts only the service's readers' pages as the URL after the sign-in", async () => {
    for (const to of [
      "//elsewhere.example",
      "https://elsewhere.example/",
      "/\\elsewhere.example",
      `/p/${drop.slug}/../../login/sign-out`,
      `${owner}/p/${drop.slug}`,
      "/api/me",
      "",
    ]) {
      const { response } = await grace.visitor.request(`/login/read?${new URLSearchParams({ to })}`);
      expectErrorPage(response, 400);
    }
    const twice = await grace.visitor.request(`/login/read?to=/library&to=/account`);
    expectErrorPage(twice.response, 400);
  });

  test.each([
    ["a frame of a page", { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-site" }],
    ["a script of a page", { "sec-fetch-dest": "empty", "sec-fetch-site": "same-site" }],
    [
      "a prefetch",
      { "sec-fetch-dest": "document", "sec-fetch-site": "same-site", "sec-purpose": "prefetch" },
    ],
  ])("does not redirect %s to the sign-in", async (_, headers) => {
    const { response } = await grace.visitor.request(signInPath(`/p/${drop.slug}`), {
      headers: { ...headers, accept: "text/html" },
    });

    expectErrorPage(response, 403);
    expect(response.headers.location).toBeUndefined();
  });
});

describe("a sign-in", () => {
  test("completes only in the browser that started it", async () => {
    const attacker = new Visitor();
    const back = await backFromProvider(attacker, "eve");
    const victim = new Visitor();
    await victim.open(signInPath(`/p/${drop.slug}`));

    const { response } = await victim.request(back);

    expectErrorPage(response, 400);
    expect(response.setCookies).toEqual([]);
  });

  test("completes once", async () => {
    const visitor = new Visitor();
    const back = await backFromProvider(visitor, "eve");
    const landed = await visitor.open(back);
    expect(landed.response.status).toBe(200);

    const { response } = await visitor.request(back);

    expectErrorPage(response, 400);
    expect(response.setCookies).toEqual([]);
  });

  test("of a reader confirms no device code, and an agent's sign-in signs no reader in", async () => {
    const visitor = new Visitor();
    const back = await backFromProvider(visitor, "eve");
    const start = await startSignIn("an agent");
    const verify = await visitor.open(start.verification_url);
    const provider = await visitor.open(linkTo(verify, "/api/auth/idp/authorize"));
    const agentsBack = await enterUsername(visitor, provider, "eve", { stopAt: "/api/auth/idp/callback" });
    const [forReader, forAgent] = [new URL(back), new URL(agentsBack.url)];
    const swap = (one: URL, state: string) => {
      const swapped = new URL(one);
      swapped.searchParams.set("state", state);
      return swapped;
    };

    for (const swapped of [
      swap(forReader, start.code),
      swap(forAgent, forReader.searchParams.get("state") ?? ""),
    ]) {
      const { response } = await visitor.request(swapped);
      expectErrorPage(response, 400);
      expect(response.setCookies).toEqual([]);
    }
  });

  test("as another person replaces the session and ends its access", async () => {
    const visitor = new Visitor();
    await visitor.open(await backFromProvider(visitor, "eve"));
    const before = visitor.cookiesFor(baseUrl());
    const again = `${signInPath(`/p/${drop.slug}`)}&account=other`;

    const landed = await enterUsername(visitor, await visitor.open(again), "mallory");

    expect(landed.response.status).toBe(200);
    expect((await visitor.open("/login/read")).response.text).toContain("mallory");
    expect(await statusWith(before, `${baseUrl()}/p/${drop.slug}`)).toBe(404);
  });
});

test("a signed-in reader opens a link to a guarded drop without a click, and without a redirect loop", async () => {
  const { visitor } = grace;

  const opened = await visitor.open(`${owner}/d/${other.slug}?v=1`);
  expect([opened.response.status, opened.url.href]).toEqual([200, `${baseUrl()}/d/${other.slug}?v=1`]);
  const nothing = await visitor.open(`${owner}/p/0000000`);
  expect([nothing.response.status, nothing.url.href]).toEqual([404, `${baseUrl()}/p/0000000`]);

  await visitor.submit(await visitor.open("/login/read"), {});
  // A signed-out visitor is not sent to the identity provider without a click.
  const after = await visitor.open(`${owner}/p/1111111`);
  expect([after.response.status, after.url.href]).toEqual([404, `${baseUrl()}/p/1111111`]);
  expect(linkTo(after, "/login/read").searchParams.get("to")).toBe("/p/1111111");
});

test("a missing and a restricted slug get the same responses, in every byte but the URL", async () => {
  await setVisibility(other, { kind: "people", readers: [] });
  const stranger = new Visitor();
  const paths = ["", "?v=1", "/raw", "/compare", "/feedback", "/answers?form=vote", "/context", "/pdf"];

  for (const visitor of [stranger, grace.visitor]) {
    for (const path of paths) {
      for (const accept of ["text/html", "application/json"]) {
        const [restricted, missing] = await Promise.all(
          [other.slug, "0000000"].map(async (slug) => {
            const { response } = await visitor.request(`${baseUrl()}/p/${slug}${path}`, {
              headers: { accept },
            });
            const { status, text, headers } = response;
            const told = [
              "content-type",
              "content-length",
              "cache-control",
              "content-security-policy",
              "cross-origin-opener-policy",
              "location",
            ].map((name) => headers[name]);
            return withoutNonces(JSON.stringify([status, told, text]).replaceAll(slug, "SLUG"));
          }),
        );
        expect(restricted).toBe(missing);
      }
    }
  }
  await setVisibility(other, { kind: "members" });
});

test("a drop with passcode and readers requires the sign-in, then the passcode", async () => {
  const [both] = await givenDrops(person, 1);
  if (!both) throw new Error("A drop was given.");
  await person.api.succeed("set-passcode", {
    params: { slug: both.slug },
    body: { passcode: "open sesame" },
  });
  await setVisibility(both, { kind: "people", readers: [{ kind: "username", username: "grace" }] });
  const eve = await givenReader({ username: "eve" });
  const address = `${baseUrl()}/p/${both.slug}`;
  const unlock = (visitor: Visitor) =>
    visitor.request(`${address}/unlock`, posted({}, "passcode=open+sesame"));

  expect((await eve.visitor.open(address)).response.status).toBe(404);
  expect((await unlock(eve.visitor)).response.status).toBe(404);
  const gate = await grace.visitor.open(address);
  expect([gate.response.status, gate.response.text.includes("Given")]).toEqual([200, false]);
  expect((await unlock(grace.visitor)).response.status).toBe(303);
  expect((await grace.visitor.open(address)).response.text).toContain("Given");
  await grace.visitor.submit(await grace.visitor.open("/login/read"), {});
  expect((await grace.visitor.open(address)).response.status).toBe(404);
});

/** Returns the status of a path on the base host, with the reader's original session cookie. */
function statusFor({ sessionId }: GivenReader, path: string): Promise<number> {
  return statusWith(`__Host-dl_reader=${sessionId}`, baseUrl() + path);
}

async function statusWith(cookie: string, address: string): Promise<number> {
  return (await fetchPage(address, { headers: { cookie, accept: "text/html" } })).status;
}

/** Signs in at the provider and returns the callback URL, without opening it. */
async function backFromProvider(visitor: Visitor, username: string): Promise<URL> {
  const provider: Visit = await visitor.open(signInPath(`/p/${drop.slug}`));
  const back = await enterUsername(visitor, provider, username, { stopAt: "/api/auth/idp/callback" });
  return back.url;
}

function posted(headers: Record<string, string>, body = ""): SendOptions {
  return {
    method: "POST",
    body,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", ...headers },
  };
}
