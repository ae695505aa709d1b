import { beforeAll, expect, test, vi } from "vitest";
import type { Drop } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { cookieKeys } from "../../functions/table/cookie-keys.ts";
import { sealFolderKey } from "../../functions/viewer/folder-keys.ts";
import { pageOf } from "../support/accounts.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";
import { expire, givenReader, setVisibility } from "./given-reader.ts";

// A key in the URL opens the files of a guarded folder to its reader's page only.

let person: GivenPerson;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("folders");
});

async function givenFolder(): Promise<Drop> {
  const files = { "index.html": pageOf("Given"), "words.txt": "words" };
  const { slug } = await publishFolder(person.api, files, { visibility: "members" });
  return (await publicDrops.findBySlug(slug)) as Drop;
}

/** Seals a key as the service would at `nowMs`. */
async function keyAt(drop: Drop, session: string, nowMs = Date.now(), version = 1): Promise<string> {
  const found = { kind: "version", ...drop.latest, version, drop, session, reader: undefined } as const;
  return sealFolderKey(found, { isFramed: false, isPinned: true }, nowMs);
}

/** Reads a file as a page in a sandbox does. */
async function statusAt({ slug }: Drop, key: string): Promise<number> {
  const headers = { "sec-fetch-dest": "image", "sec-fetch-site": "cross-site" };
  return (await fetchPage(`${baseUrl()}/p/${slug}/raw/@${key}/words.txt`, { headers })).status;
}

test("a key is valid for 15 minutes, for its version, and only with the service's own secret", {
  tags: "slow",
}, async () => {
  const drop = await givenFolder();
  const { reference } = await givenReader({ username: "grace" });
  const old = await keyAt(drop, reference, Date.now() - 901_000);
  const none = await keyAt(drop, reference, Date.now(), 2);
  const signing = vi.spyOn(cookieKeys, "signing").mockResolvedValue("another secret");
  const forged = await keyAt(drop, reference);
  signing.mockRestore();

  expect(await statusAt(drop, await keyAt(drop, reference, Date.now() - 600_000))).toBe(200);
  for (const key of [old, none, forged]) expect(await statusAt(drop, key)).toBe(404);
});

test("a key of another drop or of an unknown session opens nothing", async () => {
  const [drop, other] = [await givenFolder(), await givenFolder()];
  const { reference } = await givenReader({ username: "grace" });

  expect(await statusAt(drop, await keyAt(other, reference))).toBe(404);
  expect(await statusAt(drop, await keyAt(drop, "x".repeat(43)))).toBe(404);
});

test.each([
  [
    "the reader has signed out",
    async (_drop: Drop, { visitor }: Awaited<ReturnType<typeof givenReader>>) =>
      void (await visitor.submit(await visitor.open("/login/read"), {})),
  ],
  [
    "the drop is restricted to other readers",
    (drop: Drop) => setVisibility(drop, { kind: "people", readers: [] }),
  ],
  ["the drop has expired", expire],
  [
    "the drop was deleted",
    async ({ slug }: Drop) => void (await person.api.succeed("delete-drop", { params: { slug } })),
  ],
])("a key expires when %s", async (_, end) => {
  const drop = await givenFolder();
  const reader = await givenReader({ username: "grace" });
  const key = await keyAt(drop, reader.reference);
  expect(await statusAt(drop, key)).toBe(200);

  await end(drop, reader);

  expect(await statusAt(drop, key)).toBe(404);
});
