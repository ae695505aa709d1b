import { beforeAll, describe, expect, test, vi } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { hasOwnOrigin, onBaseHost, ownerAddress } from "../support/owner-address.ts";
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
/** The cookie that unlocks the drop. */
let cookie: string;

beforeAll(async () => {
  account = await newAccount("gate");
  const fields = { html: pageOf(words), title: words, description: words, context: words };
  drop = await publish(account.api, { ...fields, passcode });
  cookie = cookieOf(await unlock(gateOf(drop), passcode));
});

describe("the passcode form", () => {
  test("accepts the right passcode, sets a cookie for seven days, and returns to the page", async () => {
    for (const to of [
      undefined,
      `/d/${drop.slug}`,
      `/p/${drop.slug}?v=1`,
      `/p/${drop.slug}/raw?v=1`,
      `/p/${drop.slug}/compare?from=1&to=2`,
    ]) {
      const response = await unlock(gateOf(drop, to), passcode);

      const back = baseUrl() + (to ?? `/p/${drop.slug}`);
      expect([response.status, response.headers.location]).toEqual([303, back]);
      // The second cookie identifies the browser that tries passcodes.
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

  test("returns to the page with its whole query, also after a wrong passcode", {
    tags: "slow",
  }, async () => {
    const sent = "from=raw&a=1;b&a=%20+x&empty=&bare&to=t&query=q&%2e%2e//elsewhere.example";
    for (const asked of [
      `${drop.url}?v=1&${sent}`,
      // The edge passes on only the parameters of a raw page that select its content.
      `${drop.raw_url}?v=1`,
    ]) {
      const led = await fetchPage(asked);
      const address = led.headers.location ?? "";
      const [first] = elementsOf(await fetchPage(address), "form");
      const wrong = await unlock(new URL(first?.attribs.action ?? "", address).href, "close sesame");
      const [second] = elementsOf(wrong, "form");
      const right = await unlock(new URL(second?.attribs.action ?? "", address).href, passcode);

      expect([led.status, address]).toEqual([303, onBaseHost(asked)]);
      expect([wrong.status, right.status, right.headers.location]).toEqual([403, 303, address]);
    }
  });

  test.each([
    ["/d/<slug>?//elsewhere.example/", "/d/<slug>?//elsewhere.example/"],
    ["/p/<slug>?x=%0d%0aSet-Cookie:stolen", "/p/<slug>?x=%0d%0aSet-Cookie:stolen"],
    ["//elsewhere.example/p/<slug>", undefined],
    ["https://elsewhere.example/p/<slug>", undefined],
    [".elsewhere.example/p/<slug>", undefined],
    ["/p/0000000", undefined],
    ["/account", undefined],
    ["/p/<slug>/../../account", undefined],
    ["/p/<slug>?x=1\r\nSet-Cookie: stolen=1", undefined],
    ["/p/<slug>?x=".padEnd(5_000, "1"), undefined],
  ])("returns only to the page, whatever destination is given: %j", async (to, back) => {
    const of = (text: string) => text.replace("<slug>", drop.slug);
    const location = baseUrl() + of(back ?? "/p/<slug>");

    const opened = await unlock(gateOf(drop, of(to)), passcode);
    const closed = await fetchPage(gateOf(drop, of(to), "lock"), { method: "POST", body: "" });
    const returned = await fetchPage(gateOf(drop, of(to)));

    expect([opened.status, closed.status, returned.status]).toEqual([303, 303, 302]);
    for (const { headers, setCookies } of [opened, closed, returned]) {
      expect(headers.location).toBe(location);
      expect(setCookies.filter((line) => !line.startsWith("__Host-dl_"))).toEqual([]);
    }
  });

  test("of a restricted drop looks to a stranger like the page of a missing drop", async () => {
    const restricted = await publish(account.api, { passcode, visibility: "members" });
    const refused = async ({ slug }: Pick<DropResponse, "slug">) => {
      const response = await unlock(gateOf({ slug }), passcode);
      expectErrorPage(response, 404);
      expect(response.setCookies).toEqual([]);
      return response.text.replaceAll(slug, "").replaceAll(/nonce="[^"]+"/g, "");
    };

    expect(await refused(restricted)).toBe(await refused({ slug: "0000000" }));
  });

  test("is on the service's own host only", async () => {
    for (const method of ["GET", "POST"]) {
      for (const action of ["unlock", "lock"]) {
        const address = `${ownerAddress(drop.url)}/p/${drop.slug}/${action}`;
        const body = method === "POST" ? { body: `passcode=${encodeURIComponent(passcode)}` } : {};
        const response = await fetchPage(address, { method, headers: { accept: "text/html" }, ...body });

        expect([response.status, response.setCookies]).toEqual([404, []]);
      }
    }
  });

  test("refuses a wrong passcode with the form, and sets no cookie", async () => {
    const response = await unlock(gateOf(drop), "close sesame");

    expect([response.status, response.setCookies]).toEqual([403, []]);
    expect(elementsOf(response, "form").map(({ attribs }) => attribs.action)).toEqual([
      `/p/${drop.slug}/unlock`,
    ]);
  });

  test("runs one script, which cannot reach the network", async () => {
    const gate = await fetchPage(onBaseHost(drop.url));

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

  test("counts wrong passcodes per browser, so that other browsers at the same address can still unlock", {
    tags: "nightly",
  }, async () => {
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
    expect(opened.url.href).toBe(onBaseHost(other.url));
    const [time] = elementsOf(waiting.response, "time");
    const waitMs = Date.parse(time?.attribs.datetime ?? "") - Date.now();
    const seconds = Number(waiting.response.headers["retry-after"]);
    expect(Math.abs(waitMs - seconds * 1000)).toBeLessThan(61_000);
  });

  test("is required again in this browser after the viewer's lock button, but not in others", {
    tags: "slow",
  }, async () => {
    const [mine, others] = [new Visitor(), new Visitor()];
    const address = onBaseHost(`${drop.url}?v=1&x=1`);
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
    for (const place of [open.url, onBaseHost(open.url)])
      expect((await fetchPage(place)).text).not.toContain(`/p/${open.slug}/lock`);
  });

  test("cannot be forced to appear by another site's form or by a link", async () => {
    const address = gateOf(drop, undefined, "lock");

    for (const origin of foreignOrigins()) {
      const posted = await fetchPage(address, { method: "POST", body: "", headers: { origin } });
      expectErrorPage(posted, 403);
      expect(posted.setCookies).toEqual([]);
    }
    const opened = await fetchPage(address, { headers: { accept: "text/html" } });

    expectErrorPage(opened, 404);
    expect(opened.setCookies).toEqual([]);
  });

  test("redirects a GET of its action's URL to the page, also for a missing drop", async () => {
    for (const slug of [drop.slug, "0000000"]) {
      for (const to of [undefined, `/d/${slug}?v=2&x=1&y`]) {
        for (const method of ["GET", "HEAD"]) {
          const there = await fetchPage(gateOf({ slug }, to), { method });
          expect([there.status, there.headers.location]).toEqual([302, baseUrl() + (to ?? `/p/${slug}`)]);
        }
      }
    }
  });

  test("accepts no passcode from another site's form or a published page's form", async () => {
    for (const origin of foreignOrigins()) {
      const response = await unlock(gateOf(drop), passcode, { origin });

      expectErrorPage(response, 403);
      expect(response.setCookies).toEqual([]);
    }
  });

  test("sets a cookie that unlocks on the service's own host only", {
    tags: "slow",
  }, async () => {
    const paths = [`/d/${drop.slug}`, ...["", "/raw", "/context"].map((path) => `/p/${drop.slug}${path}`)];

    for (const path of paths) {
      const base = await fetchPage(baseUrl() + path, { headers: { cookie } });
      expect([base.status, base.text.includes(words)]).toEqual([200, true]);
      expect(base.headers["cache-control"]).toContain("no-store");
      for (const asked of askers) {
        const own = await fetchPage(ownerAddress(drop.url) + path, { headers: { cookie, ...asked } });
        expect(own.text).not.toContain(words);
        expect(own.headers["cache-control"]).toContain("no-store");
      }
    }
  });

  test("cannot be bypassed by saving the page, even if the edge has cached it before", {
    tags: "slow",
  }, async () => {
    const { slug, raw_url: address } = await publish(account.api, { html: pageOf(words) });
    const saving = `${address}?download=1&v=1`;
    const ask = (headers: Record<string, string | readonly string[]> = {}, at = onBaseHost(saving)) =>
      fetchPage(at, { headers: { "sec-fetch-dest": "document", ...headers } });
    for (let times = 0; times < 2; times += 1)
      for (const at of [saving, onBaseHost(saving)]) expect((await ask({}, at)).text).toBe(pageOf(words));

    await account.api.succeed("set-passcode", { params: { slug }, body: { passcode } });

    for (const at of [saving, onBaseHost(saving)])
      await vi.waitFor(async () => expect((await ask({}, at)).text).not.toContain(words), within(5));
    // A browser without Sec-Fetch-Dest is redirected to the passcode form, too.
    for (const told of [["document"], []]) {
      const { status, headers } = await ask({ "sec-fetch-dest": told, "user-agent": mozilla }, saving);
      expect([status, headers.location]).toEqual([303, onBaseHost(saving)]);
    }
    const gate = await ask();
    expect(gate.headers).not.toHaveProperty("content-disposition");
    expect(elementsOf(gate, "form").map(({ attribs }) => attribs.action)).toEqual([
      `/p/${slug}/unlock?to=${encodeURIComponent(`/p/${slug}?v=1`)}`,
    ]);
    const opened = cookieOf(await unlock(gateOf({ slug }), passcode));
    const saved = await ask({ cookie: opened });
    expect([saved.text, saved.headers["cache-control"]]).toEqual([pageOf(words), "private, no-store"]);
    expect(saved.headers["content-disposition"]).toMatch(/^attachment;/);
    // "Save link as" saves an error instead of the passcode form.
    for (const at of [saving, onBaseHost(saving)]) {
      const link = await ask({ cookie: opened, "sec-fetch-dest": "empty" }, at);
      expectErrorPage(link, 404);
      expect(link.text).toContain("This page is locked");
    }
  });

  test("is required again when the passcode changes", { tags: "slow" }, async () => {
    const other = await publish(account.api, { html: pageOf(words), passcode });
    const opened = cookieOf(await unlock(gateOf(other), passcode));
    const shows = async () =>
      (await fetchPage(onBaseHost(other.raw_url), { headers: { cookie: opened } })).text.includes(words);
    expect(await shows()).toBe(true);

    await account.api.succeed("set-passcode", {
      params: { slug: other.slug },
      body: { passcode: "another" },
    });

    expect(await shows()).toBe(false);
  });
});

describe("a locked page on the service's own host", () => {
  test.each([
    ...["empty", "script", "style", "image", "worker", "serviceworker", "report", "nonsense"],
    ...["iframe", "frame", "embed", "object"],
  ])("is not served for another host's request as %s, even with the cookie", async (destination) => {
    for (const site of ["same-site", "cross-site", undefined]) {
      const headers = { cookie, "sec-fetch-dest": destination, ...(site && { "sec-fetch-site": site }) };
      const [viewer, raw, context] = (await Promise.all(
        [drop.url, drop.raw_url, contextAddress()].map((address) =>
          fetchPage(onBaseHost(address), { headers }),
        ),
      )) as [ReceivedResponse, ReceivedResponse, ReceivedResponse];

      for (const { status, text } of [viewer, raw]) {
        expect(status).toBe(200);
        expect(text).not.toContain(words);
      }
      expect(elementsOf(viewer, "form").map(({ attribs }) => attribs.id)).not.toContain("lock");
      expectError(context, "forbidden");
    }
  });

  test("returns its context to its own viewer, but to no other page", async () => {
    const viewer = await fetchPage(onBaseHost(drop.url), {
      headers: { cookie, "sec-fetch-dest": "document" },
    });
    const toggle = elementsOf(viewer, "a").find(({ attribs }) => attribs.id === "context-toggle");
    const link = new URL(toggle?.attribs.href ?? "", baseUrl());
    const context = (given: Readonly<Record<string, string>>, address: URL | string = link) =>
      fetchPage(address, { headers: { "sec-fetch-dest": "empty", accept: "application/json", ...given } });
    const own = { "sec-fetch-site": "same-origin" };

    expect(contentSecurityPolicyOf(viewer)["frame-ancestors"]).toBe("'self'");
    expect((await context({ cookie, ...own })).text).toBe(words);
    expectError(await context(own), "forbidden");
    expectError(await context({ cookie, "sec-fetch-site": "same-site" }), "forbidden");
    expectError(await context({ cookie, ...own }, contextAddress()), "forbidden");
  });

  test("has an opaque origin, so that no other page can read its window or its frame", async () => {
    for (const destination of ["document", "iframe"]) {
      const headers = { cookie, "sec-fetch-dest": destination, "sec-fetch-site": "same-origin" };
      const raw = await fetchPage(onBaseHost(drop.raw_url), { headers });

      expect(raw.text).toContain(words);
      expect(contentSecurityPolicyOf(raw).sandbox).toBe(sandbox);
      expect(raw.headers["cross-origin-opener-policy"]).toBe("same-origin");
    }
    const context = await fetchPage(onBaseHost(contextAddress()), {
      headers: { cookie, "sec-fetch-dest": "document" },
    });
    expect(context.text).toBe(words);
    expect(contentSecurityPolicyOf(context)).toHaveProperty("sandbox");
  });
});

describe("a locked page on its owner's host", () => {
  test("redirects windows and programs to the passcode form", { tags: "slow" }, async () => {
    const opened = [{ "sec-fetch-dest": "document" }, { "user-agent": mozilla }, { "user-agent": "curl/8" }];

    for (const headers of [...opened, {}]) {
      for (const address of [
        ...["", "?v=1", "?v=1&x", "?x=1;2"].map((query) => drop.url + query),
        drop.raw_url,
        `${drop.raw_url}?v=1`,
        `${contextAddress()}?v=1`,
      ]) {
        const response = await fetchPage(address, { headers: { cookie, ...headers } });
        expect([response.status, response.headers.location]).toEqual([303, onBaseHost(address)]);
        expect(response.headers["cache-control"]).toContain("no-store");
        expect(response.setCookies).toEqual([]);
      }
    }
  });

  test("is replaced without a redirect in a frame or for a subresource, even with the cookie", {
    tags: "slow",
  }, async () => {
    const ask = (address: string, destination: string) =>
      fetchPage(address, {
        headers: { cookie, "sec-fetch-dest": destination, "sec-fetch-site": "same-origin" },
      });

    for (const destination of ["iframe", "frame", "embed", "object"]) {
      const framed = await ask(`${drop.raw_url}?v=1&framed=1`, destination);
      expect(framed.status).toBe(200);
      expect(framed.text).not.toContain(words);
      expect(elementsOf(framed, "form")).toEqual([]);
    }
    for (const destination of ["empty", "script", "style", "image", "worker", "nonsense"]) {
      for (const address of [drop.url, drop.raw_url]) {
        const { status, text, setCookies } = await ask(address, destination);
        expect([status, text.includes(words), setCookies]).toEqual([200, false, []]);
      }
      expectError(await ask(contextAddress(), destination), "forbidden");
    }
  });
});

/** Headers of requests by browsers and programs. */
const askers: readonly Readonly<Record<string, string>>[] = [
  {},
  { "user-agent": mozilla },
  { "sec-fetch-dest": "document", "sec-fetch-site": "none" },
  { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" },
  { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" },
];

function contextAddress(): string {
  return `${ownerAddress(drop.url)}/p/${drop.slug}/context`;
}

/** Returns the URL of a passcode form's action, with a path to return to. */
function gateOf({ slug }: Pick<DropResponse, "slug">, to?: string, action = "unlock"): string {
  const query = to === undefined ? "" : `?to=${encodeURIComponent(to)}`;
  return `${baseUrl()}/p/${slug}/${action}${query}`;
}

/** Origins whose forms are refused, including the owner's host, which is same-site. */
function foreignOrigins(): string[] {
  const owners = hasOwnOrigin(drop.url) ? [new URL(drop.url).origin] : [];
  return ["https://elsewhere.example", "null", ...owners];
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
