// @module-tag slow

import pLimit from "p-limit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { dropTag, fileTag } from "../../functions/http/response.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, useService } from "../support/http.ts";
import { onBaseHost, ownerAddress, ownerName } from "../support/owner-address.ts";
import { signInToRead } from "../support/reader.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";
import { oneSpellingOfEachKind } from "../support/spellings.ts";
import { listenToInvalidations, type ToldEdge, tagsAbout } from "../support/told-edge.ts";
import { elementsOf, linkTo, textOf, Visitor } from "../support/visitor.ts";

const sandbox = "allow-scripts allow-forms allow-modals allow-downloads";
const html = { accept: "text/html,*/*;q=0.8" };

let service: RunningService;
let told: ToldEdge;
let owner: Account;
/** The owner's base URL: `<base URL>/@<namespace>`. */
let home: string;
let othersHome: string;
let drop: DropResponse;
let image: BlobResponse;

beforeAll(async () => {
  service = await startService({ settings: { ingest: "webfunction" }, environmentsPerFunction: 1 });
  told = listenToInvalidations(service);
  useService(service);
  const [first, other] = [await newAccount("ada"), await newAccount("grace")];
  owner = first;
  drop = await publish(owner.api, { title: "On the shelf", context: "why", html: pageOf("first") });
  await owner.api.succeed("publish-version", {
    params: { slug: drop.slug },
    body: { html: pageOf("second") },
  });
  image = await owner.api.succeed("upload-blob", { query: { filename: "a.png" }, text: "0123456789" });
  home = ownerAddress(drop.url);
  othersHome = ownerAddress((await publish(other.api)).url);
});

afterAll(() => service.stop());

describe("without a domain, URLs", () => {
  test("are on the distribution's own host, with owners below /@", () => {
    const name = ownerName(drop.url);

    expect(baseUrl()).toBe(`https://${service.cloud.template.outputs.DistributionDomainName}`);
    expect(home).toBe(`${baseUrl()}/@${name}`);
    expect(drop).toMatchObject({
      url: `${baseUrl()}/@${name}/d/${drop.slug}`,
      raw_url: `${baseUrl()}/@${name}/p/${drop.slug}/raw`,
    });
    expect(image.url).toBe(`${baseUrl()}/@${name}/b/${image.id}`);
    expect(service.cloud.template.outputs.CallbackUrl).toBe(`${baseUrl()}/api/auth/idp/callback`);
  });

  test("are in the documents for agents", async () => {
    const onboarding = JSON.parse((await fetchPage("/api/onboard")).text);
    const api = JSON.parse((await fetchPage("/openapi.json")).text);

    expect(onboarding.owner_url).toBe(`${baseUrl()}/@{namespace}`);
    expect(api.paths["/b/{id}"].get.servers[0].url).toBe(`${baseUrl()}/@{namespace}`);
  });

  test("have one spelling, to which other spellings of the owner redirect", async () => {
    const name = ownerName(drop.url);
    for (const [path, location] of [
      [`/@${name}`, `/@${name}/`],
      [`/@${name}?page=1`, `/@${name}/?page=1`],
      [`/@${name.toUpperCase()}/d/${drop.slug}?v=1`, `/@${name}/d/${drop.slug}?v=1`],
      [`/%40${name}/`, `/@${name}/`],
    ]) {
      const { status, headers } = await fetchPage(baseUrl() + path);

      expect([status, headers.location]).toEqual([308, location]);
    }
  });
});

describe("without a domain, the viewer", () => {
  test("frames and links to paths below its owner only", async () => {
    const viewer = await new Visitor().open(drop.url);

    expect(viewer.response.status).toBe(200);
    expectCommonHeaders(viewer.response);
    expect(elementsOf(viewer.response, "iframe")[0]?.attribs).toMatchObject({
      src: `${new URL(home).pathname}/p/${drop.slug}/raw?v=2&framed=1`,
      sandbox,
    });
    const canonical = elementsOf(viewer.response, "link").find(({ attribs }) => attribs.rel === "canonical");
    expect(canonical?.attribs.href).toBe(drop.url);
    const links = elementsOf(viewer.response, "a").map(
      ({ attribs }) => new URL(attribs.href ?? "", viewer.url),
    );
    expect(links.length).toBeGreaterThan(4);
    // The owner's Share link leads to a page of the service itself.
    const own = `${baseUrl()}/account/drops/${drop.slug}`;
    for (const { href } of links)
      if (href.split("?", 1)[0] !== own) expect(href).toMatch(new RegExp(`^${home}/`));
  });

  test("shows older versions in its frame, and the context", async () => {
    const visitor = new Visitor();
    const older = await visitor.open(`${drop.url}?v=1`);

    const frame = await visitor.open(
      new URL(elementsOf(older.response, "iframe")[0]?.attribs.src ?? "", older.url),
    );
    const context = await fetchPage(`${home}/p/${drop.slug}/context?v=1`);

    expect(frame.response.text).toContain("<p>first</p>");
    expect(context.text).toBe("why");
  });

  test("is also on the base host, but not below other owners", async () => {
    expect((await fetchPage(`/p/${drop.slug}`)).status).toBe(200);
    for (const path of [`/d/${drop.slug}`, `/p/${drop.slug}`, `/p/${drop.slug}/raw?v=1`, `/b/${image.id}`]) {
      expectErrorPage(await fetchPage(othersHome + path, { headers: html }), 404);
    }
  });
});

describe("without a domain, uploaded content", () => {
  test("is sandboxed in a page, because the sign-in has the same origin", async () => {
    for (const query of ["", "?v=1"]) {
      const response = await fetchPage(drop.raw_url + query);

      expect(response.status).toBe(200);
      expect(contentSecurityPolicyOf(response).sandbox).toBe(sandbox);
      expect(response.headers).not.toHaveProperty("origin-agent-cluster");
    }
  });

  test("is cached by the edge only for its owner's URL", async () => {
    const raw = `${drop.raw_url}?v=1`;
    const before = await fetchPage(raw);
    const after = await fetchPage(raw);

    expect(after.headers["x-cache"]).toContain("Hit");
    expect(after.text).toBe(before.text);
    expectErrorPage(await fetchPage(raw.replace(home, othersHome)), 404);
  });

  test("is served in a sandbox as a file, whole and in ranges", async () => {
    const whole = await fetchPage(image.url);
    const part = await fetchPage(image.url, { headers: { range: "bytes=2-4" } });
    const head = await fetchPage(image.url, { method: "HEAD" });

    expect([whole.status, whole.text, head.status, head.text]).toEqual([200, "0123456789", 200, ""]);
    expect([part.status, part.text]).toEqual([206, "234"]);
    expect(contentSecurityPolicyOf(whole)).toHaveProperty("sandbox");
  });

  test("that is restricted is shown after a sign-in, outside /@ and only at its signed path", async () => {
    const file = await owner.api.succeed("upload-blob", {
      query: { filename: "b.png", visibility: "members" },
      text: "for some",
    });
    const visitor = new Visitor();
    const opened = { headers: { ...html, "sec-fetch-dest": "document" } };

    const refused = await visitor.open(file.url, opened);
    const provider = await visitor.open(linkTo(refused, "/login/read"));
    const shown = await visitor.submit(provider, { username: "grace" });

    expect([refused.response.status, refused.url.href]).toEqual([
      404,
      `${baseUrl()}/files/${ownerName(file.url)}/${file.id}`,
    ]);
    expect([shown.response.status, shown.response.text]).toEqual([200, "for some"]);
    expect(shown.url.pathname).toMatch(/^\/_restricted\//);
    expect(contentSecurityPolicyOf(shown.response)).toHaveProperty("sandbox");
    const elsewhere = `${home}${shown.url.pathname}${shown.url.search}`;
    expectErrorPage(await fetchPage(elsewhere, { headers: html }), 404);
  });

  test("is linked from its owner's page", async () => {
    const page = await new Visitor().open(`${home}/`);

    expect(page.response.status).toBe(200);
    const links = elementsOf(page.response, "a");
    expect(links.map(({ attribs }) => attribs.href)).toEqual(expect.arrayContaining([drop.url, image.url]));
    expect(links.map(textOf)).toContain("On the shelf");
    expectErrorPage(await fetchPage("/@nobody-has-this/", { headers: html }), 404);
  });
});

describe("without a domain, the passcode form", () => {
  const passcode = "open sesame";

  test("is on the base host only, and entering it once unlocks all of the drop's URLs there", async () => {
    const locked = await publish(owner.api, { html: pageOf("behind the gate"), passcode });
    const visitor = new Visitor();
    const gate = await visitor.open(`${locked.url}?v=1`);

    const opened = await visitor.submit(gate, { passcode });

    for (const { url } of [gate, opened]) expect(url.href).toBe(onBaseHost(`${locked.url}?v=1`));
    const others = [`/p/${locked.slug}/raw`, `/p/${locked.slug}`, `/d/${locked.slug}`];
    const seen = await Promise.all(others.map((path) => visitor.request(baseUrl() + path)));
    const forms = seen.flatMap(({ response }) => elementsOf(response, "form"));
    expect(forms.filter(({ attribs }) => attribs.action?.includes("/unlock"))).toEqual([]);
    expect(seen[0]?.response.text).toContain("behind the gate");
    expect(contentSecurityPolicyOf(seen[0]?.response as never).sandbox).toBe(sandbox);
    for (const path of others) {
      const { response } = await visitor.request(home + path);
      expect([response.status, response.headers.location]).toEqual([303, baseUrl() + path]);
    }
    expect((await fetchPage(onBaseHost(locked.raw_url))).text).not.toContain("behind the gate");
  });

  test("also protects pages that the edge has cached", async () => {
    const { slug, raw_url: raw } = await publish(owner.api, { html: pageOf("soon locked") });
    const addresses = [raw, `${raw}?v=1`, `${baseUrl()}/p/${slug}/raw?v=1`];
    const shown = () =>
      Promise.all(addresses.map(async (one) => (await fetchPage(one)).text.includes("soon locked")));
    expect(await shown()).toEqual([true, true, true]);

    await owner.api.succeed("set-passcode", { params: { slug }, body: { passcode } });

    await expect.poll(shown).toEqual([false, false, false]);
  });
});

describe("without a domain, another spelling", () => {
  const ask = (prefix: string, path: string) =>
    fetchPage(baseUrl(), { asWritten: `${prefix}${path}?v=1`, headers: html });

  test("of a page's path never returns the page, before or after it is locked", async () => {
    const { slug, raw_url: raw } = await publish(owner.api, { html: pageOf("soon locked") });
    const prefixes = ["", new URL(home).pathname];
    const spellings = oneSpellingOfEachKind(`/p/${slug}/raw`);
    const places = prefixes.flatMap((prefix) => spellings.map((path) => ({ prefix, path })));
    const seen = async () =>
      (await pLimit(4).map(places, ({ prefix, path }) => ask(prefix, path))).filter(
        ({ text, headers }) => text.includes("soon locked") || /Hit/.test(headers["x-cache"] ?? ""),
      );
    expect((await fetchPage(`${raw}?v=1`)).text).toContain("soon locked");
    expect(await seen()).toEqual([]);

    await owner.api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } });

    const isShown = async () => (await fetchPage(`${raw}?v=1`)).text.includes("soon locked");
    await expect.poll(isShown).toBe(false);
    expect(await seen()).toEqual([]);
  });

  test("of the owner redirects to the canonical URL, or returns 404 if the rest is invalid", async () => {
    const path = `/p/${drop.slug}/raw`;
    const others = [`/@${ownerName(drop.url).toUpperCase()}`, `/%40${ownerName(drop.url)}`];
    for (const other of others) {
      const { status, headers } = await ask(other, path);
      expect([status, headers.location]).toEqual([308, `${new URL(home).pathname}${path}?v=1`]);
      // Some spellings can be paths of a folder's page. They first redirect to the owner's canonical spelling.
      for (const spelling of oneSpellingOfEachKind(path)) {
        const asked = await ask(other, spelling);
        const last =
          asked.status === 308 ? await fetchPage(asked.headers.location ?? "", { headers: html }) : asked;
        expectErrorPage(last, 404);
      }
    }
    for (const other of [
      `//@${ownerName(drop.url)}`,
      `/./@${ownerName(drop.url)}`,
      `/%2540${ownerName(drop.url)}`,
    ])
      expectErrorPage(await ask(other, path), 404);
  });
});

describe("without a domain, a drop for members", () => {
  test("can be read only on the base host, by members who are signed in there", async () => {
    const { slug, url } = await publish(owner.api, { html: pageOf("for members"), visibility: "members" });
    const reader = new Visitor();

    const shown = await signInToRead(`${url}?v=1`, "grace", reader);

    expect([shown.response.status, shown.url.href]).toEqual([200, onBaseHost(`${url}?v=1`)]);
    const raw = await reader.request(`${baseUrl()}/p/${slug}/raw`);
    expect(raw.response.text).toContain("for members");
    expect(contentSecurityPolicyOf(raw.response).sandbox).toBe(sandbox);
    for (const path of [`/p/${slug}`, `/d/${slug}`, `/p/${slug}/raw`, `/p/${slug}/raw?v=1`]) {
      for (const place of [home, othersHome]) {
        expectErrorPage(await fetchPage(place + path, { headers: html }), 404);
        const { response } = await reader.request(place + path);
        expect([response.status, response.headers.location]).toEqual([303, baseUrl() + path]);
        const frame = { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" };
        expectErrorPage((await reader.request(place + path, { headers: frame })).response, 404);
      }
      expectErrorPage(await fetchPage(baseUrl() + path, { headers: html }), 404);
    }
  });
});

describe("without a domain, deleted content", () => {
  test("is removed from the edge's cache, each page and file by its own tag", async () => {
    const { slug, raw_url: raw } = await publish(owner.api);
    const file = await owner.api.succeed("upload-blob", { query: { filename: "b.png" }, text: "x" });
    const addresses = [`${raw}?v=1`, file.url];
    const statuses = () => Promise.all(addresses.map(async (one) => (await fetchPage(one)).status));
    expect(await statuses()).toEqual([200, 200]);

    await owner.api.succeed("delete-drop", { params: { slug } });
    await owner.api.succeed("delete-blob", { params: { id: file.id } });

    await expect.poll(statuses).toEqual([404, 404]);
    const name = ownerName(drop.url);
    const tags = [dropTag(slug), fileTag({ namespace: name, id: file.id })];
    expect(new Set(tagsAbout(told, ...tags))).toEqual(new Set(tags));
  });
});

describe("without a domain, a path below /@", () => {
  test.each(["/login", "/verify?code=BBBB-BBBB", "/docs", "/@grace/"])(
    "does not serve the service's page %s",
    async (path) => {
      expectErrorPage(await fetchPage(home + path, { headers: html }), 404);
    },
  );

  test.each([
    ["GET", "/llms.txt"],
    ["GET", "/api/me"],
    ["GET", "/api/drops"],
    ["POST", "/api/auth/start"],
    ["GET", "/nowhere"],
  ])("does not serve the API, and returns an error of the contract: %s %s", async (method, path) => {
    const headers = { accept: "application/json", authorization: `Bearer ${owner.api.token}` };

    expectError(await fetchPage(home + path, { method, headers }), "not_found");
  });

  test.each([
    "/@",
    "/@/",
    "/@ada_b/",
    "/@a.b/",
    "/@ada/b/short",
    "/@/b/aB3dE5f",
    `/@${"a".repeat(64)}/`,
    `/@${"a".repeat(2_100)}/`,
  ])("returns 404 for the missing or invalid owner in %s", async (path) => {
    expectErrorPage(await fetchPage(path, { headers: html }), 404);
  });

  test("cannot be replaced by a host with the owner's name", async () => {
    const host = `${ownerName(drop.url)}.${new URL(baseUrl()).host}`;

    expectErrorPage(await fetchPage(`/p/${drop.slug}`, { headers: { ...html, host } }), 404);
  });
});

test("without a domain, a large file is accepted by the ingest server, and can be read", async () => {
  const bytes = Buffer.alloc(3_200_000, 7);
  const file = await fetchPage("/api/blobs?filename=large.png", {
    method: "POST",
    headers: { authorization: `Bearer ${owner.api.token}`, "content-type": "image/png" },
    body: bytes,
  });

  expect(file.status).toBe(201);
  const { url } = JSON.parse(file.text) as BlobResponse;
  expect(url).toMatch(new RegExp(`^${home}/b/[A-Za-z0-9]{7}$`));
  expect((await fetchPage(url)).bytes.equals(bytes)).toBe(true);
});
