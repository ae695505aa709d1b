// @module-tag slow

import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Drop } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { pageOf } from "../support/accounts.ts";
import { comparable } from "../support/comparable-response.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { publishFolder } from "../support/folders.ts";
import { givenRender } from "../support/given-render.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { type GivenPerson, givenDrops, givenPerson, openStores } from "./given-person.ts";
import { expire, setVisibility } from "./given-reader.ts";

let person: GivenPerson;
let owner: string;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("restricted");
  owner = await addressOfOwner(person.namespace);
});

const ways = [
  ["the viewer", (slug: string) => `/p/${slug}`],
  ["the viewer by its permanent link", (slug: string) => `/d/${slug}`],
  ["a pinned viewer", (slug: string) => `/p/${slug}?v=1`],
  ["the page", (slug: string) => `/p/${slug}/raw`],
  ["a pinned page", (slug: string) => `/p/${slug}/raw?v=1`],
  ["its card", (slug: string) => `/p/${slug}/raw?drawn=card`],
  ["a pinned card", (slug: string) => `/p/${slug}/raw?drawn=card&v=1`],
  ["a pinned thumbnail", (slug: string) => `/p/${slug}/raw?drawn=thumbnail&v=1`],
  ["the context", (slug: string) => `/p/${slug}/context`],
  ["the PDF", (slug: string) => `/p/${slug}/pdf`],
] as const;

/** Paths that exist for an open drop: this one has no context, and the service renders no PDF here. */
const shownWays = ways.slice(0, -2);

const folderWays = [
  ["its pages", (slug: string) => `/p/${slug}/raw/`],
  ["a file", (slug: string) => `/p/${slug}/raw/words.txt`],
  ["a pinned file", (slug: string) => `/p/${slug}/raw/@1/words.txt`],
  ["a framed page", (slug: string) => `/p/${slug}/raw/@1-framed/`],
] as const;

const kinds = [
  { kind: "a page", given: givenDrop, opened: shownWays, tried: ways },
  { kind: "a folder", given: givenFolder, opened: folderWays, tried: folderWays },
];

const restricted: readonly Visibility[] = [
  { kind: "members" },
  { kind: "people", readers: [{ kind: "username", username: "grace" }] },
];

const closings: readonly (readonly [which: string, close: (drop: Drop) => Promise<void>])[] = [
  ...restricted.map(
    (visibility) => [`for ${visibility.kind}`, (drop: Drop) => setVisibility(drop, visibility)] as const,
  ),
  ["that has expired", expire],
  ["in the trash", async ({ slug }) => void (await person.api.succeed("delete-drop", { params: { slug } }))],
];

describe.each(closings)("a drop %s", (_, close) => {
  test.each(kinds)(
    "that is $kind looks to a stranger like a missing one, even after it was cached at the edge",
    async ({ given, opened, tried }) => {
      const drop = await given();
      // A folder redirects to its own host.
      for (const [, pathOf] of opened)
        expect([200, 302]).toContain((await fetchPage(owner + pathOf(drop.slug))).status);

      await close(drop);

      for (const [, pathOf] of tried) {
        for (const host of [owner, baseUrl()]) {
          const unknown = await fetchPage(host + pathOf("0000000"));
          const known = await vi.waitFor(async () => {
            const response = await fetchPage(host + pathOf(drop.slug));
            expect(response.status).toBe(404);
            return response;
          }, within(5));
          expect(comparable(known, drop.slug)).toEqual(comparable(unknown, "0000000"));
        }
      }
      const [[, first]] = tried;
      const [unknown, known] = await Promise.all(
        ["0000000", drop.slug].map((slug) => fetchPage(owner + first(slug), { method: "HEAD" })),
      );
      expect(known && comparable(known, drop.slug)).toEqual(unknown && comparable(unknown, "0000000"));
    },
  );

  test("is reported as gone to a stranger's open tab, like a missing one", async () => {
    const drop = await givenDrop();
    const state = (slug: string, host: string) => fetchPage(`${host}/p/${slug}/state`);
    await close(drop);

    for (const host of [owner, baseUrl()]) {
      await expect.poll(async () => (await state(drop.slug, host)).text, within(5)).toBe('{"state":"gone"}');
      const unknown = await state("0000000", host);
      expect(comparable(await state(drop.slug, host), drop.slug)).toEqual(comparable(unknown, "0000000"));
    }
  });

  test("accepts no passcode attempts", async () => {
    const drop = await givenDrop();
    await close(drop);

    const form = { "content-type": "application/x-www-form-urlencoded" };
    const body = "passcode=open+sesame";
    for (const host of [owner, baseUrl()]) {
      const address = `${host}/p/${drop.slug}/unlock`;
      expectErrorPage(await fetchPage(address, { method: "POST", headers: form, body }), 404);
    }
  });
});

test.each(restricted)("a drop for $kind is accessible to its owner over the API", async (visibility) => {
  const drop = await givenDrop();
  await setVisibility(drop, visibility);

  expect(await person.api.succeed("get-drop", { params: { slug: drop.slug } })).toMatchObject({
    title: "Given",
  });
});

test.each(["unlisted", "members"] as const)(
  "an owner's page does not list a drop that is %s",
  async (kind) => {
    const other = await givenPerson("shelf");
    const address = `${await addressOfOwner(other.namespace)}/`;
    const [kept, hidden] = await givenDrops(other, 2);
    if (!kept || !hidden) throw new Error("Two drops were given.");

    await setVisibility(hidden, { kind });

    await expect
      .poll(async () => (await fetchPage(address)).text.includes(hidden.slug), within(5))
      .toBe(false);
    const { text } = await fetchPage(address);
    expect(text).toContain(kept.slug);
    expect(text).toContain("1 page");
  },
);

test("an unlisted drop is open to anyone with its link", async () => {
  const drop = await givenDrop();
  await setVisibility(drop, { kind: "unlisted" });

  for (const [, pathOf] of shownWays) expect((await fetchPage(owner + pathOf(drop.slug))).status).toBe(200);
  const raw = await fetchPage(`${owner}/p/${drop.slug}/raw?v=1`);
  expect(raw.headers["cache-control"]).toContain("public");
});

async function givenDrop(): Promise<Drop> {
  const [drop] = await givenDrops(person, 1);
  if (!drop) throw new Error("A drop was given.");
  await givenRender(drop);
  return drop;
}

async function givenFolder(): Promise<Drop> {
  const files = { "index.html": pageOf("Given"), "words.txt": "Given" };
  const { slug } = await publishFolder(person.api, files);
  const drop = await publicDrops.findBySlug(slug);
  if (!drop) throw new Error("A folder was given.");
  return drop;
}
