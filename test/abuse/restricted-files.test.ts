import { beforeAll, describe, expect, test, vi } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import { keys } from "../../functions/platform/keys.ts";
import { updateItem } from "../../functions/platform/table-writes.ts";
import type { VisibilityKind } from "../../functions/platform/visibility.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { shortTest } from "../support/forms.ts";
import { baseUrl, fetchPage, type ReceivedResponse, type SendOptions } from "../support/http.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { divided } from "../support/thorough.ts";
import { linkTo, Visitor } from "../support/visitor.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";
import { givenReader } from "./given-reader.ts";

// Reader × visibility × way in × what the edge has seen, for files. Every cell is either the file's bytes, or what there is
// where no file ever was.

const visibilities = {
  members: { visibility: "members" },
  "an address": { visibility: "people", readers: ["grace@example.com"] },
  "a domain": { visibility: "people", readers: ["@example.com"] },
  "a user name": { visibility: "people", readers: ["grace"] },
} as const satisfies Record<string, { visibility: VisibilityKind; readers?: readonly string[] }>;

type Kept = keyof typeof visibilities;

const everything = Object.keys(visibilities) as Kept[];

/** Who comes, and what they may read. Everybody is a member here whom the operator has not removed. */
const readers: readonly (readonly [
  who: string,
  facts: Parameters<typeof givenReader>[0],
  may: readonly Kept[],
])[] = [
  [
    "who is named in each way",
    { username: "Grace", emails: ["grace@mail.example", "grace@example.com"] },
    everything,
  ],
  ["a colleague by domain", { username: "hope", emails: ["hope@example.com"] }, ["members", "a domain"]],
  [
    "a namesake",
    { username: "GRACE", emails: ["grace@example.com.evil.example"] },
    ["members", "a user name"],
  ],
  ["a member", { username: "ida", emails: [] }, ["members"]],
  ["who was removed", { username: "removed", emails: ["grace@example.com"] }, []],
];

/** At the file's own address there is nothing for anybody, whoever they are. */
const waysToNothing: readonly (readonly [way: string, options: SendOptions])[] = [
  ["a window", asks("document")],
  ["a frame", asks("iframe")],
  ["an image", asks("image")],
  ["a script", asks("empty")],
  ["a program", {}],
  ["HEAD", { ...asks("document"), method: "HEAD" }],
  ["a range", { headers: { range: "bytes=0-3" } }],
  ["who has it already", { headers: { "if-none-match": "*" } }],
];

let person: GivenPerson;
let owner: string;
/** Files that were public, and that the edge has kept; and files that never were. */
let files: Record<"once public" | "never public", Record<Kept, BlobResponse>>;
let missing: string;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("files");
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
  // Promise 11: within 5 s it holds everywhere.
  for (const kept of everything) await expectGone(files["once public"][kept].url);
});

describe.each(["once public", "never public"] as const)("of a file that was %s", (history) => {
  // In a short run of what the edge has never seen one, who may read it.
  const readersOfIt = divided(readers, ([, , may]) => history === "once public" || may === everything);

  test.each(readersOfIt)("%s reads what they may, and nothing else", async (_who, facts, may) => {
    const { visitor } = await givenReader(facts);
    for (const kept of everything) {
      const { response } = await visitor.open(signIn(files[history][kept]), asks("document"));

      if (may.includes(kept)) expect([kept, response.status, response.text]).toEqual([kept, 200, bytes]);
      else expectErrorPage(response, 404);
      // Nothing of it stays where the next may come upon it.
      const others = await new Visitor().request(files[history][kept].url, asks("image"));
      expect(others.response.status).toBe(404);
    }
  });

  shortTest.each(waysToNothing)(
    "its address alone gives %s what there is where no file ever was",
    async (_, options) => {
      const { visitor } = await givenReader({ username: "grace", emails: ["grace@example.com"] });
      const { response: nothing } = await visitor.request(missing, options);
      for (const kept of everything) {
        const { response } = await visitor.request(files[history][kept].url, options);
        expect(plain(response, files[history][kept].id)).toEqual(plain(nothing, "0000000"));
      }
    },
  );
});

shortTest("the owner reads their own, signed in", async () => {
  const { visitor } = await givenReader(
    { provider: "https://id.example.com", id: person.namespace, username: person.namespace },
    person.userId,
  );
  for (const kept of everything) {
    const { response } = await visitor.open(signIn(files["never public"][kept]), asks("document"));
    expect([kept, response.text]).toEqual([kept, bytes]);
  }
});

shortTest(
  "a window where there seems to be nothing offers the way in, which ends at the file or at nothing",
  async () => {
    const file = files["never public"].members;
    const { visitor } = await givenReader();

    for (const [address, status] of [
      [file.url, 200],
      [missing, 404],
    ] as const) {
      const offer = await visitor.open(address, asks("document"));
      const landed = await visitor.open(linkTo(offer, "/login/read"), asks("document"));
      expect(landed.response.status).toBe(status);
    }
    const framed = await visitor.open(file.url, asks("iframe"));
    expect(framed.response.text).not.toContain("/login/read");
  },
);

shortTest("the answer for somebody who may read it is for them, and says nothing on the way", async () => {
  const { visitor } = await givenReader();

  const { response } = await visitor.request(signIn(files["never public"].members), asks("document"));

  expect([response.status, response.text]).toEqual([302, ""]);
  expect(response.headers).toMatchObject({
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
  });
  const bucket = await fetch(response.headers.location ?? "");
  expect(Object.fromEntries(bucket.headers)).toMatchObject({
    "cache-control": "private, no-store",
    "content-type": "text/plain",
    "content-disposition": 'attachment; filename="given.txt"',
  });
  const elsewhere = new URL(response.headers.location ?? "");
  elsewhere.pathname = elsewhere.pathname.replace(files["never public"].members.id, "0000000");
  expect((await fetch(elsewhere)).status).toBe(403);
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

function signIn({ id }: BlobResponse): string {
  return `${baseUrl()}/login/read?file=${id}&of=${person.namespace}`;
}

function asks(destination: string): SendOptions {
  const accept = destination === "document" || destination === "iframe" ? "text/html" : "*/*";
  return { headers: { "sec-fetch-dest": destination, accept } };
}

/** What can be seen of a response, without what is another's each time. */
function plain({ status, text, headers }: ReceivedResponse, id: string) {
  const others = Object.entries(headers).filter(([name]) => !/^(date|x-.*id|content-length)$/.test(name));
  const seen = text.replaceAll(id, "<id>").replace(/nonce="[^"]*"/g, "");
  const withoutNonces = others.map(([name, value]) => [name, String(value).replace(/nonce-[^']*/g, "")]);
  return { status, seen, headers: Object.fromEntries(withoutNonces) };
}
