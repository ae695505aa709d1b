import { beforeAll, expect, test } from "vitest";
import { listOwnDrops } from "../../functions/account/own-drops.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import { pageOf } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { type GivenPerson, givenDrops, givenPerson, openStores } from "./given-person.ts";
import { expire } from "./given-reader.ts";

// readers-matrix.test.ts and restricted-drops.test.ts cover all paths of readers.

let person: GivenPerson;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("expired");
});

async function givenExpired(): Promise<Drop> {
  const [drop] = await givenDrops(person, 1);
  if (drop === undefined) throw new Error("A drop was given.");
  await expire(drop);
  return drop;
}

test("an owner's calls for an expired drop get 404, with advice on how to bring it back", {
  tags: "nightly",
}, async () => {
  const { slug } = await givenExpired();
  const params = { slug };
  const html = pageOf("next");
  const calls = [
    ["get-drop", { params }],
    ["edit-drop", { params, body: { title: "T" } }],
    ["publish-version", { params, body: { html } }],
    ["set-passcode", { params, body: { passcode: "open sesame" } }],
    ["restore-version", { params, body: { version: 1 } }],
    ["delete-version", { params: { ...params, n: 1 } }],
    ["list-versions", { params }],
    ["get-version", { params: { ...params, n: 1 } }],
    ["read-html", { params }],
    ["compare-versions", { params }],
    ["list-reads", { params }],
    ["list-feedback", { query: { slug } }],
    ["list-answers", { params }],
    ["export-answers", { params }],
    ["delete-answers", { params }],
    ["resolve-feedback", { params: { ...params, thread: 1 }, body: { state: "resolved" } }],
  ] as const;

  const responses = [];
  // Sequential, because concurrent calls of one token conflict.
  for (const [call, options] of calls) responses.push(await person.api.call(call, options));

  for (const response of responses) expectError(response, "not_found");
  expect(JSON.parse(responses[0]?.text ?? "").error).toMatchObject({
    message: expect.stringMatching(/expired at .*PATCH .*"expires_in_days".*DELETE/),
  });
  const list = await person.api.succeed("list-drops");
  expect(list.drops.map((drop) => drop.slug)).not.toContain(slug);
});

test("an expired drop is marked in its owner's list", async () => {
  const { slug } = await givenExpired();

  const found = (await listOwnDrops(person.userId, Date.now())).find((drop) => drop.slug === slug);

  expect(found?.isExpired).toBe(true);
});

test.each([
  ["an edit", "edit-drop", { expires_at: null }],
  ["a version", "publish-version", { html: pageOf("back"), expires_in_days: 2 }],
] as const)(
  "%s that sets a later expiry brings the drop back immediately, at the same URL",
  async (_, call, body) => {
    const { slug } = await givenExpired();

    const { url } = await person.api.succeed(call, { params: { slug }, body });

    expect((await fetchPage(url)).status).toBe(200);
    expect((await person.api.succeed("get-drop", { params: { slug } })).title).toBe("Given");
  },
);

test("an expired drop counts against the quota until it is deleted", async () => {
  const { slug } = await givenExpired();
  const used = async () => (await person.api.succeed("get-usage")).drops.used;
  const before = await used();

  await person.api.succeed("delete-drop", { params: { slug } });

  expect(await used()).toBe(before - 1);
  expectError(
    await person.api.call("edit-drop", { params: { slug }, body: { expires_at: null } }),
    "not_found",
  );
});

test("an upsert ignores an expired drop with the same tags, and is refused once two drops match", async () => {
  const query = { "metadata.kind": "nightly" };
  const upsert = () => person.api.call("upsert-drop", { query, body: { html: pageOf("n"), title: "N" } });
  const first = JSON.parse((await upsert()).text) as { readonly slug: string };
  const found = await drops.find(person.userId, first.slug);
  if (found === undefined) throw new Error("The drop was published.");
  await expire(found);

  const second = await upsert();
  await person.api.succeed("edit-drop", { params: { slug: first.slug }, body: { expires_at: null } });

  expect(second.status).toBe(201);
  expectError(await upsert(), "several_match");
});

test("a drop's new, earlier expiry limits how long the edge caches it", {
  tags: "slow",
}, async () => {
  const [drop] = await givenDrops(person, 1);
  if (drop === undefined) throw new Error("A drop was given.");
  const pinned = `${await addressOfOwner(person.namespace)}/p/${drop.slug}/raw?v=1`;
  expect((await fetchPage(pinned)).headers["cache-control"]).toContain("s-maxage=14400");

  await person.api.succeed("edit-drop", {
    params: { slug: drop.slug },
    body: { expires_at: Date.now() + 90_000 },
  });

  await expect
    .poll(
      async () =>
        Number(/s-maxage=(\d+)/.exec((await fetchPage(pinned)).headers["cache-control"] ?? "")?.[1]),
      within(5),
    )
    .toBeLessThanOrEqual(90);
});
