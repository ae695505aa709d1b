// @module-tag nightly

import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Drop } from "../../functions/drops/drop.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { baseUrl, type ReceivedResponse, type SendOptions } from "../support/http.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { longMs } from "../support/patience.ts";
import { within } from "../support/promised-time.ts";
import { elementsOf, Visitor } from "../support/visitor.ts";
import { type GivenPerson, givenDrops, givenPerson, openStores } from "./given-person.ts";
import { expire, givenReader, setVisibility } from "./given-reader.ts";

// Reader × visibility × path, after the edge has cached the drop: each visibility with a reader who may read the drop and one who
// may not. test/policies/access.test.ts covers all readers and visibilities. Every response is either the drop or that of an
// unused slug.

const visibilities = {
  members: { kind: "members" },
  "an address": { kind: "people", readers: [{ kind: "email", email: "grace@example.com" }] },
  "a domain": { kind: "people", readers: [{ kind: "domain", domain: "example.com" }] },
  "a user name": { kind: "people", readers: [{ kind: "username", username: "grace" }] },
  nobody: { kind: "people", readers: [] },
  // Anyone could read it before it expired.
  expired: { kind: "public" },
} as const satisfies Record<string, Visibility>;

type Kept = keyof typeof visibilities;

const everything: readonly Kept[] = [
  ...(["members", "an address", "a domain", "a user name", "nobody", "expired"] as const),
];
/** Readers, with drops that they may and may not read. Everyone is a member unless the operator removed them. */
const readers: readonly (readonly [
  who: string,
  facts: Parameters<typeof givenReader>[0],
  seen: Partial<Record<Kept, boolean>>,
])[] = [
  [
    "a reader named by address",
    { username: "Grace", emails: ["grace@mail.example", "grace@example.com"] },
    { "an address": true, nobody: false, expired: false },
  ],
  [
    "a reader named by domain",
    { username: "hope", emails: ["hope@example.com"] },
    { "a domain": true, "an address": false },
  ],
  [
    "a reader named by user name",
    { username: "GRACE", emails: ["grace@example.com.evil.example"] },
    { "a user name": true, "a domain": false },
  ],
  ["a member who is not named", { username: "ida", emails: [] }, { members: true, "a user name": false }],
  ["a removed member", { username: "removed", emails: ["grace@example.com"] }, { members: false }],
];

/** A request without a browser's headers. */
const asProgram: SendOptions = { headers: { "sec-fetch-dest": [] } };

/** Requests to the base host as browsers send them, with the response to a reader with access. */
const ways: readonly (readonly [
  way: string,
  pathOf: (slug: string) => string,
  options: SendOptions,
  gets: "drop" | "nothing",
])[] = [
  ["a window on the viewer", (slug) => `/p/${slug}`, asks("document", "none"), "drop"],
  [
    "a window on the viewer with its permanent link",
    (slug) => `/d/${slug}`,
    asks("document", "same-site"),
    "drop",
  ],
  ["a window on a version", (slug) => `/p/${slug}?v=1`, asks("document", "cross-site"), "drop"],
  ["a window on the page", (slug) => `/p/${slug}/raw`, asks("document", "none"), "drop"],
  ["a program on the viewer", (slug) => `/p/${slug}`, asProgram, "drop"],
  ["HEAD", (slug) => `/p/${slug}`, { ...asks("document", "none"), method: "HEAD" }, "drop"],
  ["the viewer's frame on the page", (slug) => `/p/${slug}/raw`, asks("iframe", "same-origin"), "drop"],
  [
    "the viewer's frame on a version's page",
    (slug) => `/p/${slug}/raw?v=1`,
    asks("iframe", "same-origin"),
    "drop",
  ],
  ["a neighbour's frame on the page", (slug) => `/p/${slug}/raw`, asks("iframe", "same-site"), "nothing"],
  ["a neighbour's frame on the viewer", (slug) => `/p/${slug}`, asks("iframe", "same-site"), "nothing"],
  ["a stranger's frame on the viewer", (slug) => `/d/${slug}`, asks("iframe", "cross-site"), "nothing"],
  [
    "a program that requests oEmbed of the viewer",
    (slug) => `/oembed?${new URLSearchParams({ url: `${baseUrl()}/p/${slug}` })}`,
    asProgram,
    "nothing",
  ],
  ["a neighbour's script on the viewer", (slug) => `/p/${slug}`, asks("empty", "same-site"), "nothing"],
  ["a neighbour's script on the page", (slug) => `/p/${slug}/raw`, asks("empty", "same-site"), "nothing"],
  [
    "a stranger's script on a version's page",
    (slug) => `/p/${slug}/raw?v=1`,
    asks("empty", "cross-site"),
    "nothing",
  ],
  ["a neighbour's image of the page", (slug) => `/p/${slug}/raw`, asks("image", "same-site"), "nothing"],
  [
    "a neighbour's script on the context",
    (slug) => `/p/${slug}/context`,
    asks("empty", "same-site"),
    "nothing",
  ],
  ["a neighbour's image of the PDF", (slug) => `/p/${slug}/pdf`, asks("image", "same-site"), "nothing"],
  ["a missing version", (slug) => `/p/${slug}?v=9`, asks("document", "none"), "nothing"],
];

let person: GivenPerson;
let owner: string;
let drops: Record<Kept, Drop>;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("matrix");
  owner = await addressOfOwner(person.namespace);
  const given = await givenDrops(person, everything.length);
  drops = Object.fromEntries(everything.map((kept, index) => [kept, given[index]])) as Record<Kept, Drop>;
  // All paths are requested through the edge while the drops are public.
  const warm = new Visitor();
  for (const kept of everything) {
    for (const [, pathOf, options] of ways) {
      for (const host of [owner, baseUrl()]) await warm.request(host + pathOf(drops[kept].slug), options);
    }
    if (kept === "expired") await expire(drops[kept]);
    else await setVisibility(drops[kept], visibilities[kept]);
  }
  await updateItem({
    key: keys.member("username", "removed"),
    update: "SET deniedAtMs = :now",
    condition: "attribute_not_exists(deniedAtMs) OR deniedAtMs < :now",
    values: { ":now": Date.now() },
  });
  // Promise 11: a change takes effect everywhere within 5 s.
  const nobody = new Visitor();
  for (const kept of everything) {
    const { slug } = drops[kept];
    await vi.waitFor(async () => {
      for (const host of [owner, baseUrl()])
        expect((await nobody.request(`${host}/p/${slug}/raw?v=1`, asProgram)).response.status).toBe(404);
    }, within(5));
  }
}, longMs);

describe.each(readers)("%s", (_, facts, seen) => {
  test.each(Object.entries(seen) as [Kept, boolean][])(
    "can read a drop for %s on the reader's paths, and strangers cannot afterwards: %s",
    async (kept, mayRead) => {
      const { slug } = drops[kept];
      const { visitor } = await givenReader(facts);

      for (const [way, pathOf, options, gets] of ways) {
        const { response } = await visitor.request(baseUrl() + pathOf(slug), options);
        expectSeen(response, way, mayRead && gets === "drop");
        // The reader's response is not cached for the next visitor.
        const { response: others } = await new Visitor().request(baseUrl() + pathOf(slug), options);
        expectSeen(others, `a stranger afterwards, with ${way}`, false);
      }
    },
  );
});

test("on the owner's host a restricted or expired drop behaves like a missing slug: windows are redirected", async () => {
  const { visitor } = await givenReader({ username: "Grace", emails: ["grace@example.com"] });

  for (const [way, pathOf, options] of ways) {
    for (const slug of [drops["a user name"].slug, drops.nobody.slug, drops.expired.slug, "0000000"]) {
      const { response } = await visitor.request(owner + pathOf(slug), options);

      const isWindow = options.headers?.["sec-fetch-dest"] === "document";
      expect([way, response.status, response.headers.location]).toEqual(
        isWindow ? [way, 303, baseUrl() + pathOf(slug)] : [way, 404, undefined],
      );
      expect(response.headers["cache-control"]).toContain("no-store");
      expect(response.text).not.toContain("Given");
    }
  }
});

test("a drop's owner can read it with any visibility until it expires", async () => {
  const { visitor } = await givenReader(
    { provider: "https://id.example.com", id: person.namespace, username: person.namespace },
    person.userId,
  );

  for (const kept of everything) {
    const { slug } = drops[kept];
    const entered = await visitor.open(`${owner}/d/${slug}?v=1`);
    const status = kept === "expired" ? 404 : 200;
    expect([entered.response.status, entered.url.href]).toEqual([status, `${baseUrl()}/d/${slug}?v=1`]);
  }
});

test("the page can be framed by the viewer on the base host only", async () => {
  const { slug } = drops.members;
  const { visitor } = await givenReader();

  const viewer = await visitor.open(`${owner}/p/${slug}`);

  expect(viewer.response.headers).toMatchObject({
    "content-security-policy": expect.stringContaining("frame-ancestors 'self'"),
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
  });
  const [frame] = elementsOf(viewer.response, "iframe");
  const raw = await visitor.request(
    new URL(frame?.attribs.src ?? "", viewer.url),
    asks("iframe", "same-origin"),
  );
  expect(raw.response.headers).toMatchObject({
    "content-security-policy": expect.stringMatching(/^frame-ancestors 'self'.*sandbox allow-scripts/),
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "private, no-store",
  });
});

test("an open tab shows the drop's state to its reader, and nothing after the reader's removal", async () => {
  const { slug } = drops.members;
  const username = `leaves-${Date.now()}`;
  const { visitor } = await givenReader({ username });
  const viewer = await visitor.open(`${owner}/p/${slug}`);
  const [news] = elementsOf(viewer.response, "p").filter(({ attribs }) => attribs.id === "news");
  const asked = new URL(news?.attribs["data-url"] ?? "none", viewer.url);
  const told = async (by: Visitor) => {
    const { response } = await by.request(asked, asks("empty", "same-origin"));
    return { status: response.status, kept: response.headers["cache-control"], ...JSON.parse(response.text) };
  };

  expect(await told(visitor)).toEqual({ status: 200, kept: "no-store", state: "open", latest_version: 1 });
  expect(await told(new Visitor())).toEqual({ status: 200, kept: "no-store", state: "gone" });
  await updateItem({
    key: keys.member("username", username),
    update: "SET deniedAtMs = :now",
    condition: "attribute_not_exists(deniedAtMs)",
    values: { ":now": Date.now() },
  });

  expect(await told(visitor)).toEqual({ status: 200, kept: "no-store", state: "gone" });
});

test("a browser without Sec-Fetch headers is redirected like a window", async () => {
  const headers = {
    "user-agent": "Mozilla/5.0 (Macintosh) Version/16.3 Safari/605.1.15",
    "sec-fetch-dest": [],
  };

  for (const slug of [drops.members.slug, "0000000"]) {
    const sent = await new Visitor().request(`${owner}/p/${slug}`, { headers });
    expect([sent.response.status, sent.response.headers.location]).toEqual([303, `${baseUrl()}/p/${slug}`]);
  }
});

function asks(destination: string, site: string): SendOptions {
  const accept = destination === "document" || destination === "iframe" ? "text/html" : "*/*";
  return { headers: { "sec-fetch-dest": destination, "sec-fetch-site": site, accept } };
}
function expectSeen(response: ReceivedResponse, way: string, isShown: boolean): void {
  const { status, text, headers } = response;
  expect([way, status]).toEqual([way, isShown ? 200 : 404]);
  expect(headers["cache-control"]).toContain("no-store");
  if (!isShown) expect(text).not.toContain("Given");
}
