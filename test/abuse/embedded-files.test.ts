import { setTimeout } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sealFileKeys } from "../../functions/blobs/embedded-files.ts";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { cookieKeys } from "../../functions/table/cookie-keys.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import type { ApiClient } from "../support/client.ts";
import { baseUrl, fetchPage, type ReceivedResponse, type SendOptions } from "../support/http.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { Visitor } from "../support/visitor.ts";
import { clientOf, type GivenPerson, givenPerson, openStores } from "./given-person.ts";
import { type GivenReader, givenReader } from "./given-reader.ts";

// A restricted file that a page embeds is shown to the page's readers only.

let person: GivenPerson;
let stranger: GivenPerson;
let owner: string;
/** Restricted to a person who reads none of the pages. */
let file: BlobResponse;
let open: BlobResponse;
let others: BlobResponse;
let grace: GivenReader;

beforeAll(async () => {
  await openStores();
  [person, stranger] = await Promise.all([givenPerson("embeds", 4), givenPerson("stranger")]);
  owner = await addressOfOwner(person.namespace);
  [file, open, others] = await Promise.all([
    upload(person, { visibility: "people", readers: "nobody-we-know" }),
    upload(person, {}),
    upload(stranger, { visibility: "members" }),
  ]);
});

beforeEach(async () => {
  grace = await givenReader({ username: "grace" });
});

describe("a restricted page", () => {
  test("shows its readers an embedded file wherever the page mentions its URL, as a full URL or a path", async () => {
    const { path, url } = addressOf(file);
    const ways: readonly (readonly [address: string, around: string])[] = [
      [path, '<img src="@">'],
      [path, "<img src=@>"],
      [path, "<img src='@'>"],
      [url, '<img src="@">'],
      [url.replace(/^https?:/, ""), '<img src="@">'],
      [path, '<img srcset="/no 1x,@ 2x, /neither 3x">'],
      [path, "<style>p{background:url(@)}</style>"],
      [url, `<p style="background:url('@')">`],
      [path, '<script>fetch("@?x=1#y")</script>'],
      [path, "<script>fetch(`@`)</script>"],
      [url, '<script type="application/json">{"src":"@"}</script>'],
      [path, '<p data-json="{&quot;src&quot;:&quot;@&quot;}">'],
    ];
    const html = ways.map(([address, around]) => `${around.replace("@", address)} é 漢`);
    const drop = await publish(person, html.join("\n"), { visibility: "members" });

    const { text } = await read(drop);

    const [address = ""] = text.match(keyed) ?? [];
    expect(address).not.toBe("");
    for (const [written, around] of ways) {
      // The base host has no files: a path leads to the owner's.
      const whole = written.startsWith("/b/") ? file.url : written;
      expect(text).toContain(`${around.replace("@", whole + keyOf(address))} é 漢`);
    }
    expect((await show(new URL(address, `${owner}/p/${drop.slug}/raw`))).text).toBe(bytes);
  });

  test("is served byte for byte, except for the URLs of its files", async () => {
    const { path, url } = addressOf(file);
    const others = [
      `${path}x`,
      `${path}/more`,
      `/elsewhere${path}`,
      `https://example.com${path}`,
      path.replace("/b/", "/%62/"),
      url.replace(/.{7}$/, "0000000"),
    ];
    const html = `<p>${others.map((address) => `<img src="${address}">`).join("")}`;
    const drop = await publish(person, html, { visibility: "members" });

    expect((await read(drop)).text).toContain(html);
  });

  test("contains no key for a public file or another owner's file", async () => {
    const addresses = [
      open.url,
      `${owner}${new URL(others.url).pathname.replace(/^.*(?=\/b\/)/, "")}`,
      others.url,
    ];
    const html = `<p>${addresses.map((address) => `<img src="${address}">`).join("")}`;
    const drop = await publish(person, html, { visibility: "members" });

    expect((await read(drop)).text).toContain(html);
  });

  test("shows public files by their URL on the owner's host, and so does a locked page", {
    tags: "slow",
  }, async () => {
    const restricted = await publish(person, image(open), { visibility: "members" });
    const locked = await publish(person, image(open), { passcode: "open sesame" });
    const visitor = new Visitor();
    await unlock(visitor, locked);

    const pages = [
      await read(restricted),
      (await visitor.open(`${baseUrl()}/p/${locked.slug}/raw`)).response,
    ];

    for (const { text } of pages) expect(text).toContain(`<img src="${open.url}">`);
  });

  test("shows its files to its owner and to its named readers", async () => {
    const drop = await publish(person, image(file), { visibility: "people", readers: ["grace"] });
    const identity = { provider: "https://id.example.com", id: person.namespace, username: person.namespace };

    for (const reader of [grace, await givenReader(identity, person.userId)])
      expect((await show(await keyIn(drop, reader))).text).toBe(bytes);
  });

  test("shows its files to the next reader after its HTML was read by one reader and published again", async () => {
    const first = await publish(person, image(file), { visibility: "members" });
    const { text } = await read(first);
    const again = await publish(person, text, { visibility: "members" });
    const hope = await givenReader({ username: "hope" });

    const address = await keyIn(again, hope);

    expect(address.pathname).not.toBe((text.match(keyed) ?? [])[0]);
    expect((await show(address)).text).toBe(bytes);
  });
});

test.each(["public", "unlisted"] as const)(
  "a page that is %s does not show the restricted files it embeds",
  async (visibility) => {
    const drop = await publish(person, image(file), { visibility });

    const { text } = await fetchPage(`${owner}/p/${drop.slug}/raw`);

    expect(text).toContain(image(file));
    expect((await show(new URL(file.url))).status).toBe(404);
  },
);

test("a page with only a passcode does not show restricted files, because its reader is unknown", {
  tags: "slow",
}, async () => {
  const drop = await publish(person, image(file), { passcode: "open sesame" });
  const visitor = new Visitor();
  await unlock(visitor, drop);

  const { response } = await visitor.open(`${baseUrl()}/p/${drop.slug}/raw`);

  expect(response.text).toContain(`<img src="${file.url}">`);
});

describe("a file key", () => {
  let drop: DropResponse;
  let address: URL;

  beforeEach(async () => {
    drop = await publish(person, image(file), { visibility: "people", readers: ["grace"] });
    address = await keyIn(drop, grace);
    expect((await show(address)).text).toBe(bytes);
  });

  test("does not open the file in a window or a program, which are redirected to the file's own URL", async () => {
    for (const options of [asks("document"), {}]) {
      const { status, headers } = await fetchPage(address, options);
      expect([status, headers.location]).toEqual([302, file.url]);
    }
    expect((await show(address, "iframe")).text).toBe(bytes);
  });

  test("leads to the bytes on the service's own host, under the content security policy of files", {
    tags: "slow",
  }, async () => {
    const { response } = await new Visitor().request(address, asks("image"));
    const location = response.headers.location ?? "";

    expect(location.startsWith(`${baseUrl()}/_restricted/${person.namespace}/${file.id}/`)).toBe(true);
    expect((await fetchPage(location, asks("image"))).headers).toMatchObject({
      "content-security-policy": expect.stringMatching(/; sandbox$/),
      "cross-origin-resource-policy": "cross-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });

  test("replaces an expired signed URL while its reader has access", {
    tags: "nightly",
  }, async () => {
    const { response } = await new Visitor().request(address, asks("video"));
    const signed = new URL(response.headers.location ?? "");
    await setTimeout(9_000);

    const renewed = await follow(signed, asks("video"));
    const byProgram = await follow(signed, {});
    await clientOf(person, next()).succeed("edit-drop", {
      params: { slug: drop.slug },
      body: { readers: ["hope"] },
    });
    const ended = await follow(signed, asks("video"));

    expect([renewed.status, renewed.text]).toEqual([200, bytes]);
    expect(byProgram.status).toBe(404);
    expect(ended.status).toBe(404);
  });

  test("does not reveal its reader", async () => {
    const other = await keyIn(drop, grace);

    expect(other.pathname).not.toBe(address.pathname);
    for (const secret of [grace.reference, drop.slug])
      expect(
        Buffer.from(keyOf(address.pathname).slice("/k".length), "base64url").toString("latin1"),
      ).not.toContain(secret);
  });

  test("is valid for one file, on its owner's host only", { tags: "slow" }, async () => {
    const second = await upload(person, { visibility: "members" });
    const key = keyOf(address.pathname);
    const strangers = await addressOfOwner(stranger.namespace);

    for (const moved of [`${second.url}${key}`, `${others.url}${key}`, `${strangers}/b/${file.id}${key}`])
      expect((await show(new URL(moved))).status).toBe(404);
  });

  test("opens no file of another owner than the page's, even if forged", async () => {
    const theirs = await publish(stranger, "<p>", { visibility: "members" });
    const facts = { slug: theirs.slug, session: grace.reference, expiresAtMs: Date.now() + 60_000 };
    const [key] = await sealFileKeys(facts, [{ namespace: person.namespace, id: file.id }]);

    expect((await show(new URL(`${file.url}/${key}`))).status).toBe(404);
  });

  test("is valid for 15 minutes and only with the service's own secret", { tags: "slow" }, async () => {
    const facts = { slug: drop.slug, session: grace.reference };
    const at = { namespace: person.namespace, id: file.id };
    const [good, late] = await Promise.all(
      [60_000, -1_000].map((ms) => sealFileKeys({ ...facts, expiresAtMs: Date.now() + ms }, [at])),
    );
    const signing = vi.spyOn(cookieKeys, "signing").mockResolvedValue("another secret");
    const forged = await sealFileKeys({ ...facts, expiresAtMs: Date.now() + 60_000 }, [at]);
    signing.mockRestore();

    expect((await show(new URL(`${file.url}/${good}`))).text).toBe(bytes);
    for (const key of [late, forged]) expect((await show(new URL(`${file.url}/${key}`))).status).toBe(404);
  });

  for (const { cases, options } of quickAndSlow(
    [
      [
        "the reader has signed out",
        async (): Promise<void> => {
          await grace.visitor.submit(await grace.visitor.open("/login/read"), {});
        },
      ],
      ["the page is for another reader", () => change(drop, { visibility: "people", readers: ["hope"] })],
      ["the page is public", () => change(drop, { visibility: "public" })],
      [
        "the page is deleted",
        (): Promise<unknown> => api().call("delete-drop", { params: { slug: drop.slug } }),
      ],
      [
        "the reader is banned",
        (): Promise<unknown> =>
          updateItem({
            key: keys.identity(grace.identity.provider, grace.identity.id),
            update: "SET bannedAtMs = :now",
            condition: "attribute_exists(pk) OR attribute_not_exists(pk)",
            values: { ":now": Date.now() },
          }),
      ],
    ] as const,
    ([what]) => !/public|deleted/.test(what),
  ))
    test.each(cases)("stops working as soon as %s", options, async (_, end) => {
      await end();

      expect((await show(address)).status).toBe(404);
    });

  test("opens no deleted file, and no file of a suspended owner", async () => {
    const short = await upload(person, { visibility: "members" });
    const page = await publish(person, image(short), { visibility: "members" });
    const at = await keyIn(page, grace);
    expect((await show(at)).text).toBe(bytes);
    const account = { key: keys.account(person.userId), condition: "attribute_exists(pk)" };

    await updateItem({ ...account, update: "SET suspendedAtMs = :now", values: { ":now": 1 } });
    expect((await show(at)).status).toBe(404);
    await updateItem({ ...account, update: "REMOVE suspendedAtMs" });
    expect((await show(at)).text).toBe(bytes);
    await api().call("delete-blob", { params: { id: short.id } });

    expect((await show(at)).status).toBe(404);
  });
});

const moves = ["members", "unlisted", "people", "public"] as const;
const readableBy = {
  members: "members of this service",
  unlisted: "anyone with the link",
  people: "the user hope",
  public: "anyone",
};

describe("a file", () => {
  test("keeps its URL when its visibility changes", {
    tags: "nightly",
  }, async () => {
    const moving = await upload(person, {});
    const drop = await publish(person, image(moving), { visibility: "members" });
    for (const visibility of moves) {
      const readers = visibility === "people" ? { readers: ["hope"] } : {};
      const body = { visibility, ...readers };
      const edited = await api().succeed("edit-blob", { params: { id: moving.id }, body });
      expect(edited).toEqual({ ...moving, ...body, readable_by: readableBy[visibility] });
      const isOpen = visibility === "public" || visibility === "unlisted";

      await vi.waitFor(async () => {
        expect((await fetchPage(moving.url)).status).toBe(isOpen ? 200 : 404);
        const { text } = await read(drop);
        expect(text.includes(`"${moving.url}"`)).toBe(isOpen);
        const [address = addressOf(moving).path] = text.match(keyed) ?? [];
        expect((await show(new URL(address, moving.url))).text).toBe(bytes);
      }, within(5));
    }
  });

  test("that is changed concurrently stays readable, with the visibility that was stored last", {
    tags: "slow",
  }, async () => {
    const raced = await upload(person, {});
    const wishes = ["members", "public", "members", "unlisted", "members", "public"] as const;
    const responses = await Promise.all(
      wishes.map((visibility) => api().call("edit-blob", { params: { id: raced.id }, body: { visibility } })),
    );
    expect(responses.map(({ status }) => status)).toEqual(wishes.map(() => 200));
    const same = await api().succeed("edit-blob", { params: { id: raced.id }, body: {} });
    const isOpen = same.visibility !== "members";

    await expect.poll(async () => (await fetchPage(raced.url)).status, within(5)).toBe(isOpen ? 200 : 404);
    const drop = await publish(person, image(raced), { visibility: "members" });
    const [address = addressOf(raced).path] = (await read(drop)).text.match(keyed) ?? [];
    expect((await show(new URL(address, raced.url))).text).toBe(bytes);
  });

  test("that is deleted while it becomes public stays deleted", {
    tags: "nightly",
  }, async () => {
    const [gone, later] = [
      await upload(person, { visibility: "members" }),
      await upload(person, { visibility: "members" }),
    ];
    await api().succeed("edit-blob", { params: { id: gone.id }, body: { visibility: "public" } });
    await api().call("delete-blob", { params: { id: gone.id } });

    // Changes are processed in order.
    await api().succeed("edit-blob", { params: { id: later.id }, body: { visibility: "public" } });
    await expect.poll(async () => (await fetchPage(later.url)).status, within(5)).toBe(200);

    expect((await fetchPage(gone.url)).status).toBe(404);
  });
});

const bytes = "the bytes of an embedded file";

let calls = 0;
function next(): number {
  calls += 1;
  return calls;
}

/** Uses another token each time, because write limits are per token. */
function api(): ApiClient {
  return clientOf(person, next());
}

/** Matches a file's URL that contains a key. */
const keyed = /(?:https?:\/\/[^"'\s]*)?(?:\/@[a-z0-9-]+)?\/b\/[A-Za-z0-9]{7}\/k[A-Za-z0-9_-]+/;

function addressOf({ url }: BlobResponse): { readonly url: string; readonly path: string } {
  return { url, path: new URL(url).pathname };
}

function image(one: BlobResponse): string {
  return `<img src="${addressOf(one).path}">`;
}

function keyOf(address: string): string {
  // An id may begin with k, too. A key contains no slash.
  return address.slice(address.lastIndexOf("/k"));
}

function upload(by: GivenPerson, query: Record<string, string>): Promise<BlobResponse> {
  const headers = { "content-type": "image/png" };
  return clientOf(by, next()).succeed("upload-blob", {
    query: { filename: "a.png", ...query },
    text: bytes,
    headers,
  });
}

function publish(by: GivenPerson, html: string, fields: object): Promise<DropResponse> {
  return clientOf(by, next()).succeed("publish-drop", { body: { title: "Embeds", html, ...fields } });
}

async function change({ slug }: DropResponse, body: object): Promise<void> {
  await api().succeed("edit-drop", { params: { slug }, body });
}

async function unlock(visitor: Visitor, { slug }: DropResponse): Promise<void> {
  const { response } = await visitor.request(`${baseUrl()}/p/${slug}/unlock`, {
    method: "POST",
    body: "passcode=open+sesame",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
  });
  expect(response.status).toBe(303);
}

/** Reads a drop as a reader's browser does in the viewer's frame. */
async function read({ slug }: DropResponse, { visitor } = grace): Promise<ReceivedResponse> {
  const { response } = await visitor.request(`${baseUrl()}/p/${slug}/raw`, asks("iframe"));
  expect(response.status).toBe(200);
  return response;
}

async function keyIn(drop: DropResponse, reader: GivenReader): Promise<URL> {
  const [address = ""] = (await read(drop, reader)).text.match(keyed) ?? [];
  return new URL(address, `${owner}/p/${drop.slug}/raw`);
}

/** Requests a file like a page in a sandbox: without cookies, following redirects. */
async function show(address: URL, destination = "image"): Promise<ReceivedResponse> {
  const { response } = await new Visitor().open(address, asks(destination));
  return response;
}

/** Fetches a URL and follows redirects. */
async function follow(address: URL, options: SendOptions): Promise<ReceivedResponse> {
  const response = await fetchPage(address, options);
  const { location } = response.headers;
  return location === undefined ? response : follow(new URL(location, address), options);
}

function asks(destination: string): SendOptions {
  const accept = destination === "document" || destination === "iframe" ? "text/html" : "*/*";
  return { headers: { "sec-fetch-dest": destination, "sec-fetch-site": "same-origin", accept } };
}
