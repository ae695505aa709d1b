import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Drop } from "../../functions/drops/drop.ts";
import { cookieKeys } from "../../functions/platform/cookie-keys.ts";
import { keys } from "../../functions/platform/keys.ts";
import { updateItem } from "../../functions/platform/table-writes.ts";
import { bindOf } from "../../functions/readers/bind.ts";
import { signTicket } from "../../functions/readers/ticket.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type SendOptions } from "../support/http.ts";
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

describe("a ticket", () => {
  test("opens once: who comes upon it later has nothing", async () => {
    const ticket = await ticketOf(grace.visitor);

    expect((await grace.visitor.request(ticket)).response.setCookies).toHaveLength(3);

    for (const visitor of [grace.visitor, new Visitor()])
      expect((await visitor.request(ticket)).response.setCookies).toEqual([]);
  });

  test("of two at once, one", async () => {
    const ticket = await ticketOf(grace.visitor);

    const both = await Promise.all([grace.visitor.request(ticket), grace.visitor.request(ticket)]);

    expect(both.map(({ response }) => response.setCookies.length).toSorted()).toEqual([0, 3]);
  });

  test("opens nothing in another browser, and nothing any more in its own then", async () => {
    const ticket = await ticketOf(grace.visitor);
    const thief = new Visitor();
    await thief.request(`${owner}/p/${drop.slug}/read`);

    const stolen = await thief.open(ticket);

    expect([stolen.response.status, stolen.url.search]).toEqual([404, ""]);
    expect((await grace.visitor.open(ticket)).response.status).toBe(404);
  });

  test("of somebody else does not make a browser theirs that is on its own way", async () => {
    const attacker = await givenReader({ username: "eve" });
    const theirs = await ticketOf(attacker.visitor);
    const mine = await ticketOf(grace.visitor);

    expect((await grace.visitor.request(theirs)).response.setCookies).toEqual([]);

    expect((await grace.visitor.open(mine)).response.status).toBe(200);
  });

  test("that a stranger has bound to their own browser opens it for nobody", async () => {
    const attacker = new Visitor();
    const out = await attacker.request(`${owner}/p/${drop.slug}/read`);
    const request = out.response.headers.location ?? "";
    // The victim is sent there, and their browser brings the ticket in, of which a page of the host might see the address.
    const sent = await grace.visitor.request(request);
    const ticket = sent.response.headers.location ?? "";
    const arrived = await grace.visitor.request(ticket);

    expect(arrived.response.setCookies).toEqual([]);
    expect((await attacker.open(ticket)).response.status).toBe(404);
  });

  test("is good for its own drop and host alone", async () => {
    for (const move of [
      (ticket: URL) => ticket.href.replace(drop.slug, other.slug),
      (ticket: URL) => ticket.href.replace(owner, baseUrl()),
    ]) {
      const ticket = await ticketOf(grace.visitor);
      await grace.visitor.request(`${owner}/p/${other.slug}/read`);
      await grace.visitor.request(`${baseUrl()}/p/${drop.slug}/read`);
      if (move(ticket) === ticket.href) throw new Error("The ticket was not moved.");

      const moved = await grace.visitor.request(move(ticket));

      // Without hosts of their own, owners share one: then it is the same drop at the same host.
      if (hasOwnOrigin(owner) || move(ticket).includes(other.slug))
        expect(moved.response.setCookies).toEqual([]);
    }
  });

  test("is good for a minute, and by the service's own key", async () => {
    const key = await cookieKeys.signing();
    for (const [signedBy, atMs, cookies] of [
      [key, Date.now(), 3],
      [key, Date.now() - 61_000, 0],
      ["another key", Date.now(), 0],
    ] as const) {
      const out = await grace.visitor.request(`${owner}/p/${drop.slug}/read`);
      const bind = new URL(out.response.headers.location ?? "").searchParams.get("bind") ?? "";
      const facts = { host: new URL(owner).host, slug: drop.slug, bind, session: grace.reference };
      const address = `${owner}/p/${drop.slug}/read?ticket=${signTicket(signedBy, facts, atMs)}`;

      expect((await grace.visitor.request(address)).response.setCookies).toHaveLength(cookies);
    }
  });

  test.each([
    ["a frame", { "sec-fetch-dest": "iframe" }],
    ["a script", { "sec-fetch-dest": "empty" }],
    ["a prefetch", { "sec-fetch-dest": "document", "sec-purpose": "prefetch;prerender" }],
  ])("is neither made nor used up by %s", async (_, headers) => {
    const ticket = await ticketOf(grace.visitor);

    for (const address of [ticket, `${owner}/p/${drop.slug}/read`]) {
      const { response } = await grace.visitor.request(address, {
        headers: { ...headers, accept: "text/html" },
      });
      expectErrorPage(response, 404);
      expect(response.setCookies).toEqual([]);
    }

    expect((await grace.visitor.open(ticket)).response.status).toBe(200);
  });
});

describe("a pass", () => {
  test("is good for its own drop and host alone", async () => {
    const pass = await passOf(grace.visitor);
    const renamed = pass.replace(drop.slug, other.slug);

    expect(await statusWith(pass, `${owner}/p/${drop.slug}`)).toBe(200);
    expect(await statusWith(renamed, `${owner}/p/${other.slug}`)).toBe(404);
    expect(await statusWith(pass, `${baseUrl()}/p/${drop.slug}`)).toBe(hasOwnOrigin(owner) ? 404 : 200);
  });

  test("closes with the sign-out, wherever it is", async () => {
    const passes = [await passOf(grace.visitor), await passOf(grace.visitor, owner, other.slug)];
    const standing = await grace.visitor.open("/login/read");

    await grace.visitor.submit(standing, {});

    expect(await statusWith(passes[0], `${owner}/p/${drop.slug}`)).toBe(404);
    expect(await statusWith(passes[1], `${owner}/p/${other.slug}`)).toBe(404);
    expect(await statusWith(`__Host-dl_reader=${grace.sessionId}`, `${baseUrl()}/login/read`)).toBe(200);
  });

  test("closes when the session is over", async () => {
    const pass = await passOf(grace.visitor);

    await updateItem({
      key: keys.readerSession(grace.reference),
      update: "SET expiresAtMs = :now",
      condition: "attribute_exists(pk)",
      values: { ":now": Date.now() },
    });

    expect(await statusWith(pass, `${owner}/p/${drop.slug}`)).toBe(404);
  });

  test("closes at the moment at which its reader is removed, banned or not named any more", async () => {
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
      const pass = await passOf(reader.visitor);
      expect(await statusWith(pass, `${owner}/p/${drop.slug}/raw?v=1`)).toBe(200);

      await bar();

      for (const path of ["", "/raw", "/raw?v=1"])
        expect(await statusWith(pass, `${owner}/p/${drop.slug}${path}`)).toBe(404);
    }
    await setVisibility(drop, { kind: "members" });
  });

  test("shows nothing that began after its reader was removed, however many ask meanwhile", async () => {
    const pass = await passOf(grace.visitor);
    const seen: { readonly startedAtMs: number; readonly status: number }[] = [];
    let isOver = false;
    const read = async () => {
      while (!isOver) {
        const startedAtMs = performance.now();
        seen.push({ startedAtMs, status: await statusWith(pass, `${owner}/p/${drop.slug}/raw?v=1`) });
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

describe("a session", () => {
  test("is not its name: what the table and passes say of it signs nobody in", async () => {
    const standing = await fetchPage("/login/read", {
      headers: { cookie: `__Host-dl_reader=${grace.reference}` },
    });

    expect(standing.text).not.toContain("grace");
  });

  test("is signed out by the service's own form alone", async () => {
    const origins = ["https://elsewhere.example", "null", ...(hasOwnOrigin(owner) ? [owner] : [])];
    for (const origin of origins) {
      const { response } = await grace.visitor.request("/login/sign-out", posted({ origin }));
      expectErrorPage(response, 403);
    }

    expect((await grace.visitor.open("/login/read")).response.text).toContain("grace");
  });

  test("leads from the sign-in to a drop's own addresses alone", async () => {
    const bind = bindOf("a secret");
    for (const query of [
      `slug=//elsewhere.example&at=owner&from=p&bind=${bind}`,
      `slug=${drop.slug}&at=https://elsewhere.example&from=p&bind=${bind}`,
      `slug=${drop.slug}&at=owner&from=//elsewhere.example&bind=${bind}`,
      `slug=${drop.slug}&at=owner&from=p&v=1%26next=//elsewhere.example&bind=${bind}`,
      `slug=${drop.slug}&at=owner&from=p&bind=x`,
      `slug=${drop.slug}&slug=${other.slug}&at=owner&from=p&bind=${bind}`,
    ]) {
      const { response } = await grace.visitor.request(`/login/read?${query}`);
      expectErrorPage(response, 400);
    }
    for (const query of ["next=//elsewhere.example", "from=//elsewhere.example", "v=//elsewhere.example"]) {
      const out = await grace.visitor.request(`${owner}/p/${drop.slug}/read?${query}`);
      expect(out.response.headers.location).not.toContain("elsewhere");
    }
  });

  test.each([
    ["a frame of a page", { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-site" }],
    ["a script of a page", { "sec-fetch-dest": "empty", "sec-fetch-site": "same-site" }],
    [
      "a prefetch",
      { "sec-fetch-dest": "document", "sec-fetch-site": "same-site", "sec-purpose": "prefetch" },
    ],
  ])("gives no ticket to %s", async (_, headers) => {
    const out = await grace.visitor.request(`${owner}/p/${drop.slug}/read`);

    const { response } = await grace.visitor.request(out.response.headers.location ?? "", {
      headers: { ...headers, accept: "text/html" },
    });

    expectErrorPage(response, 403);
    expect(response.headers.location).toBeUndefined();
  });
});

describe("a sign-in", () => {
  test("ends in the browser that began it: nobody is signed in as somebody else", async () => {
    const attacker = new Visitor();
    const back = await backFromProvider(attacker, "eve");
    const victim = new Visitor();
    await victim.open(`${owner}/p/${drop.slug}/read`);

    const { response } = await victim.request(back);

    expectErrorPage(response, 400);
    expect(response.setCookies).toEqual([]);
  });

  test("ends once", async () => {
    const visitor = new Visitor();
    const back = await backFromProvider(visitor, "eve");
    const landed = await visitor.open(back);
    expect(landed.response.status).toBe(200);

    const { response } = await visitor.request(back);

    expectErrorPage(response, 400);
    expect(response.setCookies).toEqual([]);
  });

  test("of a reader verifies no device code, and an agent's signs nobody in to read", async () => {
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

  test("begins anew as somebody else, and ends what was opened before", async () => {
    const visitor = new Visitor();
    await visitor.open(await backFromProvider(visitor, "eve"));
    const pass = await passOf(visitor);
    const out = await visitor.request(`${owner}/p/${drop.slug}/read`);
    const again = new URL(out.response.headers.location ?? "");
    again.searchParams.set("account", "other");

    const landed = await enterUsername(visitor, await visitor.open(again), "mallory");

    expect(landed.response.status).toBe(200);
    expect((await visitor.open("/login/read")).response.text).toContain("mallory");
    expect(await statusWith(pass, `${owner}/p/${drop.slug}`)).toBe(404);
  });
});

test("who has come in once on a host is led in by themselves to all that is for them there, and nobody is led in circles", async () => {
  const { visitor } = grace;
  const window = { headers: { "sec-fetch-dest": "document" } };
  await visitor.open(await ticketOf(visitor));

  const second = await visitor.open(`${owner}/d/${other.slug}?v=1`, window);
  expect([second.response.status, second.url.href]).toEqual([200, `${owner}/d/${other.slug}?v=1`]);
  const nothing = await visitor.open(`${owner}/p/0000000`, window);
  expect([nothing.response.status, nothing.url.pathname]).toEqual([404, "/login/read"]);
  expect((await visitor.request(`${owner}/p/0000000`, window)).response.status).toBe(404);

  await visitor.submit(await visitor.open("/login/read"), {});
  // Signed out: nobody is sent to the identity provider who did not ask.
  const after = await visitor.open(`${owner}/p/1111111`, window);
  expect([after.response.status, after.url.pathname]).toEqual([404, "/login/read"]);
  expect(linkTo(after, "/login/read").searchParams.get("slug")).toBe("1111111");
});

test("a passcode and readers hold both: first who it is, then the gate", async () => {
  const [both] = await givenDrops(person, 1);
  if (!both) throw new Error("A drop was given.");
  await person.api.succeed("set-passcode", {
    params: { slug: both.slug },
    body: { passcode: "open sesame" },
  });
  await setVisibility(both, { kind: "people", readers: [{ kind: "username", username: "grace" }] });
  const eve = await givenReader({ username: "eve" });
  const address = `${owner}/p/${both.slug}`;
  const unlock = (visitor: Visitor) =>
    visitor.request(`${address}/unlock`, posted({}, "passcode=open+sesame"));

  expect((await eve.visitor.open(`${address}/read`)).response.status).toBe(404);
  expect((await unlock(eve.visitor)).response.status).toBe(404);
  const gate = await grace.visitor.open(`${address}/read`);
  expect([gate.response.status, gate.response.text.includes("Given")]).toEqual([200, false]);
  expect((await unlock(grace.visitor)).response.status).toBe(303);
  expect((await grace.visitor.open(address)).response.text).toContain("Given");
  await grace.visitor.submit(await grace.visitor.open("/login/read"), {});
  expect((await grace.visitor.open(address)).response.status).toBe(404);
});

/** The address with which a signed-in reader comes back to a drop's host, not yet opened. */
async function ticketOf(visitor: Visitor, host = owner, slug = drop.slug): Promise<URL> {
  const out = await visitor.request(`${host}/p/${slug}/read`);
  const admitted = await visitor.request(out.response.headers.location ?? "");
  const { status, headers } = admitted.response;
  if (status !== 302) throw new Error(`There was no ticket, but ${status}.`);
  return new URL(headers.location ?? "");
}

/** The cookie that a ticket is exchanged for. */
async function passOf(visitor: Visitor, host = owner, slug = drop.slug): Promise<string> {
  const { response } = await visitor.request(await ticketOf(visitor, host, slug));
  const [pass = ""] = response.setCookies;
  return pass.split(";")[0] ?? "";
}

async function statusWith(cookie: string | undefined, address: string): Promise<number> {
  return (await fetchPage(address, { headers: { cookie: cookie ?? "", accept: "text/html" } })).status;
}

/** The way back from the provider, not yet gone. */
async function backFromProvider(visitor: Visitor, username: string): Promise<URL> {
  const provider: Visit = await visitor.open(`${owner}/p/${drop.slug}/read`);
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
