// @module-tag slow

import { beforeAll, describe, expect, test, vi } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import type { VisibilityKind } from "../../functions/policies/access.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse, type SendOptions } from "../support/http.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { linkTo, Visitor } from "../support/visitor.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";
import { givenReader } from "./given-reader.ts";

// Reader × visibility × path, for files that the edge has cached or not. Every response is either the file's bytes or that
// of a missing file.

const visibilities = {
  members: { visibility: "members" },
  "an address": { visibility: "people", readers: ["grace@example.com"] },
  "a domain": { visibility: "people", readers: ["@example.com"] },
  "a user name": { visibility: "people", readers: ["grace"] },
} as const satisfies Record<string, { visibility: VisibilityKind; readers?: readonly string[] }>;

type Kept = keyof typeof visibilities;

const everything = Object.keys(visibilities) as Kept[];

/** Readers and their access. Everyone is a member unless the operator removed them. */
const readers: readonly (readonly [
  who: string,
  facts: Parameters<typeof givenReader>[0],
  may: readonly Kept[],
])[] = [
  [
    "a reader named by address",
    { username: "Grace", emails: ["grace@mail.example", "grace@example.com"] },
    everything,
  ],
  ["a reader named by domain", { username: "hope", emails: ["hope@example.com"] }, ["members", "a domain"]],
  [
    "a reader named by user name",
    { username: "GRACE", emails: ["grace@example.com.evil.example"] },
    ["members", "a user name"],
  ],
  ["a member who is not named", { username: "ida", emails: [] }, ["members"]],
  ["a removed member", { username: "removed", emails: ["grace@example.com"] }, []],
];

/** Requests to the file's own URL, where readers are unknown, so all look like those of a missing file. Windows are redirected. */
const waysToNothing: readonly (readonly [way: string, options: SendOptions])[] = [
  ["a window", asks("document")],
  ["a frame", asks("iframe")],
  ["an image", asks("image")],
  ["a script", asks("empty")],
  ["a program", {}],
  ["HEAD", { ...asks("document"), method: "HEAD" }],
  ["a range", { headers: { range: "bytes=0-3" } }],
  ["a conditional request", { headers: { "if-none-match": "*" } }],
];

let person: GivenPerson;
let other: GivenPerson;
let owner: string;
/** Files that were public and cached at the edge, and files that never were public. */
let files: Record<"once public" | "never public", Record<Kept, BlobResponse>>;
let missing: string;

beforeAll(async () => {
  await openStores();
  [person, other] = await Promise.all([givenPerson("files"), givenPerson("others")]);
  owner = await addressOfOwner(person.namespace);
  missing = `${owner}/b/0000000`;
  const each = async (make: (kept: Kept) => Promise<BlobResponse>) =>
    Object.fromEntries(
      await Promise.all(everything.map(async (kept) => [kept, await make(kept)] as const)),
    ) as Record<Kept, BlobResponse>;
  files = {
    "once public": await each(async () => {
      const file = await upload(person, {});
      for (const [, options] of waysToNothing) await fetchPage(file.url, options);
      return file;
    }),
    "never public": await each((kept) => upload(person, visibilities[kept])),
  };
  for (const kept of everything) {
    const edited = await edit(person, files["once public"][kept], visibilities[kept]);
    expect(edited).toMatchObject(visibilities[kept]);
  }
  await updateItem({
    key: keys.member("username", "removed"),
    update: "SET deniedAtMs = :now",
    condition: "attribute_not_exists(deniedAtMs) OR deniedAtMs < :now",
    values: { ":now": Date.now() },
  });
  // Promise 11: a change takes effect everywhere within 5 s.
  for (const kept of everything) await expectGone(files["once public"][kept].url);
});

describe.each(["once public", "never public"] as const)("a file that was %s", (history) => {
  test.each(readers)("can be read by %s only if they have access", async (_who, facts, may) => {
    const { visitor } = await givenReader(facts);
    for (const kept of everything) {
      const { response } = await visitor.open(atBase(files[history][kept].id), asks("document"));

      if (may.includes(kept)) expect([kept, response.status, response.text]).toEqual([kept, 200, bytes]);
      else expectErrorPage(response, 404);
      // The reader's response is not cached for the next visitor.
      const others = await new Visitor().request(files[history][kept].url, asks("image"));
      expect(others.response.status).toBe(404);
    }
  });

  test.each(waysToNothing)("looks missing at its URL without a key, requested by %s", async (_, options) => {
    const { visitor } = await givenReader({ username: "grace", emails: ["grace@example.com"] });
    const { response: nothing } = await visitor.request(missing, options);
    for (const kept of everything) {
      const { response } = await visitor.request(files[history][kept].url, options);
      expect(plain(response, atBase(files[history][kept].id))).toEqual(plain(nothing, atBase("0000000")));
    }
  });
});

test("a file's owner can read it when signed in", async () => {
  const { visitor } = await givenReader(
    { provider: "https://id.example.com", id: person.namespace, username: person.namespace },
    person.userId,
  );
  for (const kept of everything) {
    const { response } = await visitor.open(atBase(files["never public"][kept].id), asks("document"));
    expect([kept, response.text]).toEqual([kept, bytes]);
  }
});

describe("a restricted file on the base host", () => {
  const strangers: readonly (readonly [who: string, visitor: () => Promise<Visitor>])[] = [
    ["a visitor who is not signed in", async () => new Visitor()],
    ["a signed-in reader without access", async () => (await givenReader({ username: "removed" })).visitor],
  ];

  test.each(strangers)("looks to %s exactly like a missing file", async (_, come) => {
    const visitor = await come();
    const { response: nothing } = await visitor.request(atBase("0000000"), asks("document"));
    expectErrorPage(nothing, 404);
    const kept = Object.values(files["never public"]).map(({ id }) => atBase(id));
    const elsewhere = files["never public"].members.id;
    for (const address of [...kept, atBase(elsewhere, other.namespace), atBase("0000000", "nobody-at-all")]) {
      const { response } = await visitor.request(address, asks("document"));
      expect(plain(response, address)).toEqual(plain(nothing, atBase("0000000")));
    }
  });

  test("is the page to which the sign-in returns, whether the file exists or not", async () => {
    for (const [id, status] of [
      [files["never public"].members.id, 200],
      ["0000000", 404],
    ] as const) {
      const { visitor } = await givenReader();
      const nobodys = await new Visitor().open(`${owner}/b/${id}`, asks("document"));
      const landed = await visitor.open(linkTo(nobodys, "/login/read"), {
        ...asks("document"),
        stopAt: new URL(atBase(id)).pathname,
      });
      expect(landed.url.href).toBe(atBase(id));
      expect((await visitor.open(atBase(id), asks("document"))).response.status).toBe(status);
    }
  });

  test("redirects its reader to a private download, without caching the redirect", async () => {
    const { visitor } = await givenReader();

    const { response } = await visitor.request(atBase(files["never public"].members.id), asks("document"));

    expect([response.status, response.text]).toEqual([303, ""]);
    expect(response.headers).toMatchObject({
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(response.headers.location?.startsWith(`${baseUrl()}/_restricted/`)).toBe(true);
    const landed = await fetchPage(response.headers.location ?? "");
    expect(landed.headers).toMatchObject({
      "cache-control": "private, no-store",
      "content-type": "text/plain",
      "content-disposition": 'attachment; filename="given.txt"',
    });
  });
});

const bytes = "the bytes of a file";

function upload(
  { api }: GivenPerson,
  query: { visibility?: VisibilityKind; readers?: readonly string[] },
): Promise<BlobResponse> {
  const { readers: named = [], visibility } = query;
  return api.succeed("upload-blob", {
    query: [
      ["filename", "given.txt"],
      ...(visibility === undefined ? [] : [["visibility", visibility] as const]),
      ...named.map((reader) => ["readers", reader] as const),
    ],
    text: bytes,
    headers: { "content-type": "text/plain" },
  });
}

function edit({ api }: GivenPerson, { id }: BlobResponse, body: object): Promise<BlobResponse> {
  return api.succeed("edit-blob", { params: { id }, body });
}

async function expectGone(url: string): Promise<void> {
  await vi.waitFor(async () => expect((await fetchPage(url)).status).toBe(404), within(5));
}

function atBase(id: string, namespace = person.namespace): string {
  return `${baseUrl()}/files/${namespace}/${id}`;
}

function asks(destination: string): SendOptions {
  const accept = destination === "document" || destination === "iframe" ? "text/html" : "*/*";
  return { headers: { "sec-fetch-dest": destination, accept } };
}

/** Returns the comparable parts of a response, without its URL and values that differ each time. */
function plain({ status, text, headers }: ReceivedResponse, address: string) {
  const [, namespace = "", id = ""] = /\/files\/([^/]+)\/([^/]+)$/.exec(address) ?? [];
  const others = Object.entries(headers).filter(([name]) => !/^(date|x-.*id|content-length)$/.test(name));
  const withoutAddress = (seen: string) => seen.replaceAll(id, "<id>").replaceAll(namespace, "<namespace>");
  const withoutNonces = others.map(([name, value]) => [name, String(value).replace(/nonce-[^']*/g, "")]);
  return {
    status,
    seen: withoutAddress(text.replace(/nonce="[^"]*"/g, "")),
    headers: Object.fromEntries(
      withoutNonces.map(([name = "", value = ""]) => [name, withoutAddress(value)]),
    ),
  };
}
