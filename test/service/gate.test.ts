import { beforeAll, describe, expect, test, vi } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { limits } from "../../functions/platform/limits.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { hasOwnOrigin, ownerAddress } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { contentSecurityPolicyOf } from "../support/security-headers.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

const passcode = "open sesame";
const words = "words behind the gate";
const sandbox = "allow-scripts allow-forms allow-modals allow-downloads";
const mozilla =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/16.3 Safari/605.1.15";

let account: Account;
let drop: DropResponse;
/** The cookie of the gate on the owner's host. */
let cookie: string;

beforeAll(async () => {
  account = await newAccount("gate");
  const fields = { html: pageOf(words), title: words, description: words, context: words };
  drop = await publish(account.api, { ...fields, passcode });
  cookie = cookieOf(await unlock(ownAddress("unlock"), passcode));
});

describe("the gate", () => {
  test("takes the right passcode, sets a cookie for seven days, and leads back to where it stood", async () => {
    for (const [address, back] of [
      [ownAddress("unlock"), seenPath(`/p/${drop.slug}`)],
      [`${ownAddress("unlock")}?from=d`, seenPath(`/d/${drop.slug}`)],
      [`${ownAddress("unlock")}?from=raw&v=1`, seenPath(`/p/${drop.slug}/raw?v=1`)],
      [`${baseUrl()}/p/${drop.slug}/unlock?v=1`, `/p/${drop.slug}?v=1`],
    ] as const) {
      const response = await unlock(address, passcode);

      expect([response.status, response.headers.location]).toEqual([303, back]);
      // The second is what the gate knows the browser by.
      expect(response.setCookies.map((line) => line.replace(/=.*$/, ""))).toEqual([
        `__Host-dl_${drop.slug}`,
        `__Host-dl_tries_${drop.slug}`,
      ]);
      const [named = "", ...attributes] = (response.setCookies[0] ?? "").split("; ");
      expect(named).toMatch(new RegExp(`^__Host-dl_${drop.slug}=.`));
      expect(attributes.toSorted()).toEqual([
        "HttpOnly",
        "Max-Age=604800",
        "Path=/",
        "SameSite=Lax",
        "Secure",
      ]);
    }
  });

  test("leads back with all that the page was asked with, after wrong passcodes as well", async () => {
    const sent = "from=raw&a=1;b&a=%20+x&empty=&bare&ticket=t&query=q&%2e%2e//elsewhere.example";
    for (const [address, back] of [
      [`${drop.url}?v=1&${sent}`, seenPath(`/d/${drop.slug}?v=1&${sent}`)],
      [`${drop.url}?${sent}&framed=1`, seenPath(`/d/${drop.slug}?${sent}`)],
      [`${baseUrl()}/p/${drop.slug}?${sent}`, `/p/${drop.slug}?${sent}`],
    ] as const) {
      const [first] = elementsOf(await fetchPage(address), "form");
      const wrong = await unlock(new URL(first?.attribs.action ?? "", address).href, "close sesame");
      const [second] = elementsOf(wrong, "form");
      const right = await unlock(new URL(second?.attribs.action ?? "", address).href, passcode);

      expect([wrong.status, right.status, right.headers.location]).toEqual([403, 303, back]);
    }
  });

  test.each([
    ["//elsewhere.example/", "?//elsewhere.example/"],
    ["https://elsewhere.example/", "?https://elsewhere.example/"],
    ["x=1\r\nSet-Cookie: stolen=1", ""],
    ["x=%0d%0aSet-Cookie:stolen", "?x=%0d%0aSet-Cookie:stolen"],
    ["x=1#there", ""],
    ["v=1&v=2&framed=1", ""],
    ["x=\u00e9", ""],
    ["x=".padEnd(5_000, "1"), ""],
  ])(
    "leads nowhere but to the page, whoever has written what it is to be asked with: %j",
    async (given, query) => {
      const carried = Buffer.from(given).toString("base64url");

      const response = await unlock(`${ownAddress("unlock")}?from=d&query=${carried}`, passcode);

      expect([response.status, response.headers.location]).toEqual([
        303,
        seenPath(`/d/${drop.slug}${query}`),
      ]);
      expect(response.setCookies.filter((line) => !line.startsWith("__Host-dl_"))).toEqual([]);
    },
  );

  test("refuses a wrong passcode with the form, and sets no cookie", async () => {
    const response = await unlock(ownAddress("unlock"), "close sesame");

    expect([response.status, response.setCookies]).toEqual([403, []]);
    expect(elementsOf(response, "form").map(({ attribs }) => attribs.action)).toEqual([
      seenPath(`/p/${drop.slug}/unlock`),
    ]);
  });

  test("runs one script, which reaches nothing", async () => {
    const gate = await fetchPage(drop.url);

    const policy = contentSecurityPolicyOf(gate);
    const nonce = /^'nonce-([^' ]+)'$/.exec(policy["script-src"] ?? "")?.[1];
    expect(elementsOf(gate, "script").map(({ attribs }) => attribs)).toEqual([{ nonce }]);
    expect(policy).toMatchObject({
      "default-src": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
    });
    expect(Object.keys(policy)).not.toContain("connect-src");
  });

  test("counts each browser's wrong passcodes for itself, so that nobody else behind its address has to wait", async () => {
    const other = await publish(account.api, { passcode });
    const [hasty, colleague] = [new Visitor(), new Visitor()];
    const gates = await Promise.all([hasty.open(other.url), colleague.open(other.url)]);
    const statuses: number[] = [];
    for (let tries = 0; tries <= limits.wrongPasscodesPerQuarterHourPerVisitor; tries += 1) {
      const { response } = await hasty.submit(gates[0] as Visit, { passcode: `wrong ${tries}` });
      statuses.push(response.status);
    }

    const waiting = await hasty.submit(gates[0] as Visit, { passcode });
    const opened = await colleague.submit(gates[1] as Visit, { passcode });

    expect(statuses).toEqual([...Array(limits.wrongPasscodesPerQuarterHourPerVisitor).fill(403), 429]);
    expect([waiting.response.status, opened.response.status]).toEqual([429, 200]);
    expect(opened.url.href).toBe(other.url);
    const [time] = elementsOf(waiting.response, "time");
    const waitMs = Date.parse(time?.attribs.datetime ?? "") - Date.now();
    const seconds = Number(waiting.response.headers["retry-after"]);
    expect(Math.abs(waitMs - seconds * 1000)).toBeLessThan(61_000);
  });

  test("is shut again in this browser by the viewer, which says that the page is locked, and in no other", async () => {
    const [mine, others] = [new Visitor(), new Visitor()];
    const address = `${drop.url}?v=1&x=1`;
    for (const visitor of [mine, others]) await visitor.submit(await visitor.open(address), { passcode });
    const viewer = await mine.open(address);

    const form = elementsOf(viewer.response, "form").find(({ attribs }) => attribs.id === "lock");
    const locked = await mine.open(new URL(form?.attribs.action ?? "", address), {
      method: "POST",
      body: "",
    });
    const gate = await mine.open(drop.raw_url);

    expect(elementsOf(viewer.response, "p").map(textOf)).toContain("Locked: opens with a passcode");
    expect(locked.url.href).toBe(address);
    for (const { response } of [locked, gate]) {
      expect([response.status, response.text.includes(words)]).toEqual([200, false]);
    }
    expect((await others.open(address)).response.text).toContain(words);
    const open = await publish(account.api);
    expect((await fetchPage(open.url)).text).not.toContain(`/p/${open.slug}/lock`);
  });

  test("is shut by nobody else's page, and by no link", async () => {
    const address = `${ownerAddress(drop.url)}/p/${drop.slug}/lock`;

    const posted = await fetchPage(address, {
      method: "POST",
      body: "",
      headers: { origin: "https://elsewhere.example" },
    });
    const opened = await fetchPage(address, { headers: { accept: "text/html" } });

    expectErrorPage(posted, 403);
    expectErrorPage(opened, 404);
    expect([...posted.setCookies, ...opened.setCookies]).toEqual([]);
  });

  test("is found again from the address that its form has left in the address bar, as is what is not there", async () => {
    const query = `v=2&from=d&query=${Buffer.from("x=1&y").toString("base64url")}`;

    for (const slug of [drop.slug, "0000000"]) {
      for (const method of ["GET", "HEAD"]) {
        const there = await fetchPage(`${ownerAddress(drop.url)}/p/${slug}/unlock?${query}`, { method });
        expect([there.status, there.headers.location]).toEqual([302, seenPath(`/d/${slug}?v=2&x=1&y`)]);
        const onBase = await fetchPage(`${baseUrl()}/p/${slug}/unlock`, { method });
        expect([onBase.status, onBase.headers.location]).toEqual([302, `/p/${slug}`]);
      }
    }
  });

  test("takes no passcode from another site's form", async () => {
    const others = hasOwnOrigin(drop.url) ? [baseUrl()] : [];

    for (const origin of ["https://elsewhere.example", "null", ...others]) {
      const response = await unlock(ownAddress("unlock"), passcode, { origin });

      expectErrorPage(response, 403);
      expect(response.setCookies).toEqual([]);
    }
  });

  test("opens with its cookie on its own origin, and on no other", async () => {
    const addresses = ["", "/raw", "/context"].map((path) => `/p/${drop.slug}${path}`);

    for (const address of addresses) {
      const headers = { cookie };
      const own = await fetchPage(ownerAddress(drop.url) + address, { headers });
      expect([own.status, own.text.includes(words)]).toEqual([200, true]);
      expect(own.headers["cache-control"]).toContain("no-store");
      const base = await fetchPage(baseUrl() + address, { headers });
      expect(base.text.includes(words)).toBe(!hasOwnOrigin(drop.url));
    }
  });

  test("is not passed by who wants to save the page, also where the edge has it from before", async () => {
    const { slug, raw_url: address } = await publish(account.api, { html: pageOf(words) });
    const ask = (headers: Record<string, string | readonly string[]> = {}) =>
      fetchPage(`${address}?v=1&download=1`, { headers: { "sec-fetch-dest": "document", ...headers } });
    for (let times = 0; times < 2; times += 1) expect((await ask()).text).toBe(pageOf(words));

    await account.api.succeed("set-passcode", { params: { slug }, body: { passcode } });

    await vi.waitFor(async () => expect((await ask()).text).not.toContain(words), within(5));
    const gate = await ask();
    expect(gate.headers).not.toHaveProperty("content-disposition");
    expect(elementsOf(gate, "form").map(({ attribs }) => attribs.action)).toEqual([
      `${new URL(address).pathname.replace(/raw$/, "unlock")}?v=1`,
    ]);
    const opened = cookieOf(await unlock(`${ownerAddress(address)}/p/${slug}/unlock`, passcode));
    const saved = await ask({ cookie: opened });
    expect([saved.text, saved.headers["cache-control"]]).toEqual([pageOf(words), "private, no-store"]);
    expect(saved.headers["content-disposition"]).toMatch(/^attachment;/);
    // "Save link as": a gate is not saved in place of the page.
    const link = await ask({ cookie: opened, "sec-fetch-dest": "empty" });
    expectErrorPage(link, 404);
    expect(link.text).toContain("This page is locked");
    // A browser that does not tell is sent to where no page has an origin, and asks for the same there.
    const old = await ask({ cookie: opened, "sec-fetch-dest": [], "user-agent": mozilla });
    if (hasOwnOrigin(address)) expect(old.headers.location).toBe(`${baseUrl()}/p/${slug}/raw?v=1&download=1`);
  });

  test("is shut again for its cookie when the passcode changes", async () => {
    const other = await publish(account.api, { html: pageOf(words), passcode });
    const opened = cookieOf(await unlock(`${ownerAddress(other.url)}/p/${other.slug}/unlock`, passcode));
    const shows = async () =>
      (await fetchPage(other.raw_url, { headers: { cookie: opened } })).text.includes(words);
    expect(await shows()).toBe(true);

    await account.api.succeed("set-passcode", {
      params: { slug: other.slug },
      body: { passcode: "another" },
    });

    expect(await shows()).toBe(false);
  });
});

describe("a page behind the gate, on the host that it shares with its owner's other pages", () => {
  test.each(["empty", "script", "style", "image", "worker", "serviceworker", "report", "nonsense"])(
    "is not there for what a page asks for as %s, even with the cookie",
    async (destination) => {
      const headers = { cookie, "sec-fetch-dest": destination };
      const [viewer, raw, context] = await Promise.all(
        [drop.url, drop.raw_url, ownAddress("context")].map((address) => fetchPage(address, { headers })),
      );

      for (const response of [viewer, raw]) {
        expect(response?.status).toBe(200);
        expect(elementsOf(response as ReceivedResponse, "form")).toHaveLength(1);
        expect(response?.text).not.toContain(words);
      }
      expectError(context as ReceivedResponse, "forbidden");
    },
  );

  test("gives its context to its own viewer only, which no page may frame", async () => {
    const viewer = await fetchPage(drop.url, { headers: { cookie, "sec-fetch-dest": "document" } });
    const toggle = elementsOf(viewer, "a").find(({ attribs }) => attribs.id === "context-toggle");
    const link = new URL(toggle?.attribs.href ?? "", drop.url);
    const context = (address: URL, given = cookie) =>
      fetchPage(address, {
        headers: { cookie: given, "sec-fetch-dest": "empty", accept: "application/json" },
      });
    const forged = new URL(link);
    forged.searchParams.set(
      "proof",
      (link.searchParams.get("proof") ?? "").replace(/^./, (one) => (one === "A" ? "B" : "A")),
    );
    const otherCookie = cookieOf(await unlock(`${baseUrl()}/p/${drop.slug}/unlock`, passcode));

    expect(contentSecurityPolicyOf(viewer)["frame-ancestors"]).toBe("'none'");
    expect((await context(link)).text).toBe(words);
    expectError(await context(forged), "forbidden");
    const onBase = new URL(link.pathname + link.search, baseUrl());
    expectError(await context(onBase, otherCookie), "forbidden");
  });

  test("comes without an origin, so that no other page looks into its window or its frame", async () => {
    for (const destination of ["document", "iframe"]) {
      const headers = { cookie, "sec-fetch-dest": destination };
      const raw = await fetchPage(drop.raw_url, { headers });

      expect(raw.text).toContain(words);
      expect(contentSecurityPolicyOf(raw).sandbox).toBe(sandbox);
    }
    const context = await fetchPage(ownAddress("context"), {
      headers: { cookie, "sec-fetch-dest": "document" },
    });
    expect(context.text).toBe(words);
    expect(contentSecurityPolicyOf(context)).toHaveProperty("sandbox");
  });

  test("is on the base host for a browser that does not say what it asks for", async () => {
    const headers = { cookie, "user-agent": mozilla };
    const responses = await Promise.all(
      [`${drop.url}?x=1`, `${drop.url}?v=1&x`, drop.raw_url, `${drop.raw_url}?v=1`].map((address) =>
        fetchPage(address, { headers }),
      ),
    );

    const places = responses.map(({ status, headers: { location } }) => [status, location]);
    if (!hasOwnOrigin(drop.url)) {
      expect(places).toEqual(responses.map(() => [200, undefined]));
      return;
    }
    expect(places).toEqual(
      ["?x=1", "?v=1&x", "/raw", "/raw?v=1"].map((rest) => [302, `${baseUrl()}/p/${drop.slug}${rest}`]),
    );
    expectError(
      await fetchPage(ownAddress("context"), { headers: { ...headers, accept: "*/*" } }),
      "forbidden",
    );
  });
});

function ownAddress(what: "unlock" | "context"): string {
  return `${ownerAddress(drop.url)}/p/${drop.slug}/${what}`;
}

/** A path of the owner's as a browser sees it, which is below /@ where owners share a host. */
function seenPath(path: string): string {
  const { origin } = new URL(drop.url);
  return ownerAddress(drop.url).slice(origin.length) + path;
}

function unlock(
  address: string,
  given: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ReceivedResponse> {
  const body = new URLSearchParams({ passcode: given }).toString();
  return fetchPage(address, { method: "POST", body, headers });
}

function cookieOf({ setCookies }: ReceivedResponse): string {
  return (setCookies[0] ?? "").replace(/;.*$/, "");
}
