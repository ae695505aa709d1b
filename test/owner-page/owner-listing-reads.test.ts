import { randomInt } from "node:crypto";
import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDrop } from "../../functions/drops/drop.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { createBlobId, createSlug } from "../../functions/table/identifiers.ts";
import { type RunningEndpoint, runEndpoint } from "../../packages/local-cloud/test/aws/running-endpoint.ts";
import { stackOf, TABLE } from "../../packages/local-cloud/test/aws/stack.ts";
import { givenAct } from "../support/given-act.ts";

type Owner = { readonly userId: string; readonly namespace: string };
type ReceivedResponse = { readonly Items?: readonly object[] };

const dropCount = 20;
const fileCount = 40;
const unlistedFileCount = 3;
const lockedTitle = "The secret plan";
const notListed: readonly Visibility[] = [
  { kind: "unlisted" },
  { kind: "members" },
  { kind: "people", readers: [{ kind: "username", username: "grace" }] },
];

let running: RunningEndpoint;
let owner: Owner;
let stores: Awaited<ReturnType<typeof importStores>>;

beforeAll(async () => {
  running = await runEndpoint(stackOf());
  const { accessKeyId, secretAccessKey } = running.endpoint.administrator;
  vi.stubEnv("AWS_ENDPOINT_URL", running.endpoint.url);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
  vi.stubEnv("TABLE_NAME", TABLE);
  stores = await importStores();
  owner = await givenOwner();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await running.remove();
});

test("a listing reads only the attributes that the page shows, and has only public drops and files", async () => {
  const { listing, responses } = await watch(() =>
    stores.findOwnerListingPage(owner.namespace, 1, Date.now()),
  );

  const { drops, files, ...counts } = listing as Extract<typeof listing, object>;
  const listedCount = dropCount - notListed.length;
  expect(counts).toEqual({ dropCount: listedCount, fileCount: files.length, pageCount: 1 });
  expect(files).toHaveLength(fileCount - unlistedFileCount);
  expect(drops).toHaveLength(listedCount);
  expect(drops.filter(({ title }) => title === null)).toHaveLength(1);
  expect(files[0]).toEqual({
    id: expect.stringMatching(/^\w{7}$/),
    namespace: owner.namespace,
    filename: "photo 39.jpg",
    contentType: "image/jpeg",
    sizeBytes: 1,
    createdAtMs: 1_039,
  });
  const sent = responses.flatMap(({ Items = [] }) => Items);
  // The items that count views are not read.
  expect(sent).toHaveLength(dropCount + fileCount);
  const attributes = new Set(sent.flatMap(Object.keys));
  expect([...attributes].sort()).toEqual(
    [
      "contentType",
      "createdAtMs",
      "filename",
      "latestVersion",
      "namespace",
      "passcodeHash",
      "sizeBytes",
      "sk",
    ].concat(["slug", "title", "updatedAtMs", "visibility"]),
  );
  // A drop's metadata alone has 2.5 KB.
  expect(JSON.stringify(sent).length / sent.length).toBeLessThan(250);
});

test("a page number that the account's counters exclude is refused without reading the list", async () => {
  const { listing, responses } = await watch(() =>
    stores.findOwnerListingPage(owner.namespace, 4, Date.now()),
  );

  expect(listing).toBe("past-the-last");
  expect(responses).toEqual([]);
});

test("a page number possible only with longer names is refused like an impossible one", async () => {
  const listing = await stores.findOwnerListingPage(owner.namespace, 3, Date.now());

  expect(listing).toBe("past-the-last");
});

/** Reads a listing, and returns it with the table's responses to the queries. */
async function watch<Result>(
  read: () => Promise<Result>,
): Promise<{ listing: Result; responses: ReceivedResponse[] }> {
  const send = vi.spyOn(stores.dynamodb, "send");
  const listing = await read();
  const queries = send.mock.calls.flatMap(([command], index) =>
    (command as object) instanceof QueryCommand ? [index] : [],
  );
  const results = queries.map(
    (index) => send.mock.results[index]?.value as unknown as Promise<ReceivedResponse>,
  );
  send.mockRestore();
  return { listing, responses: await Promise.all(results) };
}

/** Imports the stores after the environment is set, because they read the table's name when they are loaded. */
async function importStores() {
  const [{ accounts }, { blobs }, { drops }, { findOwnerListingPage }, { dynamodb }, { viewCounts }] =
    await Promise.all([
      import("../../functions/people/accounts.ts"),
      import("../../functions/blobs/store.ts"),
      import("../../functions/drops/store.ts"),
      import("../../functions/owner-page/owner-listing.ts"),
      import("../../functions/table/table.ts"),
      import("../../functions/drops/view-counts.ts"),
    ]);
  return { accounts, blobs, drops, findOwnerListingPage, dynamodb, viewCounts };
}

/** Creates an owner whose drops have all fields filled. */
async function givenOwner(): Promise<Owner> {
  const identity = { provider: "https://id.example.com", id: "1", username: "ada" };
  const { userId, namespace } = await stores.accounts.findOrCreate(identity, randomInt, givenAct(0));
  const metadata = new Map(Array.from({ length: 10 }, (_, index) => [`key${index}`, "v".repeat(250)]));
  for (let index = 0; index < dropCount; index += 1) {
    const slug = createSlug(randomInt);
    const { drop, version } = createDrop(
      { userId, namespace },
      { title: index === 0 ? lockedTitle : `Page ${index}`, description: "d".repeat(500), metadata },
      toStoredPage(slug, "object", { html: "<!doctype html>" }),
      { slug, passcodeHash: index === 0 ? "a hash" : undefined, nowMs: index },
    );
    const visibility = notListed[index - 1] ?? drop.visibility;
    await stores.drops.insert({ ...drop, visibility }, version, givenAct());
    await stores.viewCounts.add(userId, slug, 1);
  }
  for (let index = 0; index < fileCount; index += 1) {
    const id = createBlobId(randomInt);
    const file = { filename: `photo ${index}.jpg`, contentType: "image/jpeg", sizeBytes: 1 };
    const visibility = { kind: index < unlistedFileCount ? "unlisted" : "public" } as const;
    const rest = { visibility, objectKey: `${namespace}/${id}`, createdAtMs: 1_000 + index } as const;
    await stores.blobs.insert({ id, ownerId: userId, namespace, ...file, ...rest }, givenAct());
  }
  return { userId, namespace };
}
