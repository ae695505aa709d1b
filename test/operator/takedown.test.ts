import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ListObjectVersionsCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { s3 } from "../../functions/drops/page-objects.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { renders } from "../../functions/renders/store.ts";
import { takedownCommand } from "../../scripts/operator/takedown.ts";
import { givenComment } from "../support/given-feedback.ts";
import { oneSpellingOfEachKind } from "../support/spellings.ts";
import { givenRender } from "./given-render.ts";
import { newOwner, openGivenService, runCommand, scratchFolder, statusesOf } from "./given-service.ts";

const given = await openGivenService();
const owner = await newOwner(given.service, "ada");
const { namespace } = owner;
const scratchDirectory = scratchFolder();

const folder = (name: string) => join(scratchDirectory, name);
const take = (target: string, options: Record<string, string | boolean> = {}, typed = "") =>
  runCommand(takedownCommand, given, [target], { yes: true, "no-copy": true, ...options }, typed);

/** Returns the object versions that S3 keeps, without delete markers, which the janitor may add. */
async function versionsBelow(Bucket: string, Prefix: string): Promise<unknown[]> {
  return (await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix }))).Versions ?? [];
}

describe("a page taken down", () => {
  test("is missing for readers, also at the edge, and in its owner's API", async () => {
    const { baseUrl } = given.service;
    const slug = await owner.publish("<!doctype html><p>one</p>");
    await owner.json("PUT", `/api/drops/${slug}`, { html: "<!doctype html><p>two</p>" });
    const ownHost = `http://${namespace}.${new URL(baseUrl).host}`;
    const addresses = [
      `${baseUrl}/p/${slug}`,
      `${baseUrl}/p/${slug}/raw`,
      `${baseUrl}/p/${slug}/raw?v=1`,
      `${ownHost}/d/${slug}`,
      `${ownHost}/p/${slug}/raw?v=2`,
    ];
    // This request caches the pinned versions at the edge.
    expect(await statusesOf(addresses)).toEqual([200, 200, 200, 200, 200]);

    const { isWell } = await take(`${ownHost}/d/${slug}?v=1`);

    expect(isWell).toBe(true);
    expect(await statusesOf(addresses)).toEqual([404, 404, 404, 404, 404]);
    const response = await owner.call("GET", `/api/drops/${slug}`);
    expect([response.status, JSON.parse(response.body.toString()).error.code]).toEqual([404, "not_found"]);
    expect((await owner.json("GET", "/api/me/usage")).drops.used).toBe(0);
  });

  test("is found by another spelling of its URL, for which readers always get 404", {
    tags: "slow",
  }, async () => {
    const slug = await owner.publish("<!doctype html><p>evidence</p>");
    const home = new URL(given.service.baseUrl);
    // Spellings that HTTP clients send unchanged.
    const spellings = oneSpellingOfEachKind(`/p/${slug}/raw`).filter(
      (path) => !/\\|\/\.|%2e|\/(x|api)\//i.test(path),
    );
    const reported = spellings.map((path) => `${home.origin}${path}?v=1`);
    for (const status of await statusesOf(reported)) expect(status).toBe(404);

    const { isWell, lines } = await take(`${home.origin.toUpperCase()}${spellings[0]}?v=1#top`);

    expect(lines[0]).toMatch(new RegExp(`is the page ${slug}\\.$`));
    expect(isWell).toBe(true);
    expect(await statusesOf([`${home.origin}/p/${slug}/raw?v=1`, ...reported])).toEqual(
      [slug, ...reported].map(() => 404),
    );
  });

  test("leaves no version and no object", { tags: "slow" }, async () => {
    const slug = await owner.publish("<!doctype html><p>one</p>", { context: "why it was made" });

    await take(slug);

    expect(await versionsBelow(given.service.pagesBucket, `${slug}/`)).toEqual([]);
    expect(await publicDrops.listVersions(slug)).toEqual([]);
  });

  test("leaves no picture and no search text", { tags: "slow" }, async () => {
    const slug = await owner.publish("<!doctype html><p>seen</p>");
    const { pagesBucket } = given.service;
    await givenRender(pagesBucket, slug);
    await givenComment(owner.userId, slug, { quote: "seen" });
    await owner.json("GET", "/api/feedback");
    expect(await versionsBelow(pagesBucket, `_words/${slug}/`)).toHaveLength(1);

    await take(slug);

    for (const folder of ["cards", "_reports", "_words"]) {
      expect(await versionsBelow(pagesBucket, `${folder}/${slug}/`)).toEqual([]);
    }
    expect(await renders.find(slug, 1)).toBeUndefined();
    expect(await renders.find(slug, 1, "pdf")).toBeUndefined();
  });

  test("leaves no versions that its owner had deleted, which S3 would keep for weeks", {
    tags: "slow",
  }, async () => {
    const slug = await owner.publish("<!doctype html><p>a secret</p>");
    await owner.deleteForGood(slug);
    const { pagesBucket } = given.service;
    await expect.poll(() => publicDrops.listVersions(slug)).toEqual([]);
    expect(await versionsBelow(pagesBucket, `${slug}/`)).toHaveLength(1);

    const { isWell } = await take(slug);

    expect(isWell).toBe(true);
    expect(await versionsBelow(pagesBucket, `${slug}/`)).toEqual([]);
    expect((await take(slug)).lines.at(-1)).toContain("It may be deleted already");
  });

  test("is first copied to a file that only the operator can read", { tags: "slow" }, async () => {
    const slug = await owner.publish("<!doctype html><p>evidence</p>", { context: "a context" });
    const copy = folder("copy");

    await take(slug, { "no-copy": false, copy });

    const page = join(copy, "drops", slug, "v000001.html");
    expect(readFileSync(page, "utf8")).toBe("<!doctype html><p>evidence</p>");
    expect(readFileSync(join(copy, "drops", slug, "v000001.context.txt"), "utf8")).toBe("a context");
    expect(JSON.parse(readFileSync(join(copy, "drops", slug, "drop.json"), "utf8"))).toMatchObject({
      slug,
      title: "A page",
      versions: [{ version: 1, page: "v000001.html" }],
    });
    expect(statSync(page).mode & 0o077).toBe(0);
    expect(statSync(copy).mode & 0o077).toBe(0);
  });

  test("can be in the trash", { tags: "slow" }, async () => {
    const slug = await owner.publish("<!doctype html><p>in the trash</p>");
    await owner.json("DELETE", `/api/drops/${slug}`);

    const { isWell } = await take(slug);

    expect(isWell).toBe(true);
    expect((await owner.call("POST", `/api/drops/${slug}/undelete`)).status).toBe(404);
    expect(await versionsBelow(given.service.pagesBucket, `${slug}/`)).toEqual([]);
  });

  test("can be one that its owner has just deleted", async () => {
    const slug = await owner.publish("<!doctype html><p>one</p>");
    await owner.deleteForGood(slug);

    const { isWell, lines } = await take(slug);

    // The takedown finds the remaining parts, or nothing if the janitor was faster.
    expect(isWell || lines.at(-1)?.includes("It may be deleted already")).toBe(true);
    expect(await publicDrops.listVersions(slug)).toEqual([]);
  });
});

test("a file taken down is missing for everyone, and its bytes no longer count against the quota", {
  tags: "slow",
}, async () => {
  const id = await owner.upload("a note");
  const address = `http://${namespace}.${new URL(given.service.baseUrl).host}/b/${id}`;
  expect(await statusesOf([address])).toEqual([200]);

  const { isWell } = await take(address, { "no-copy": false, copy: folder("file") });

  expect(isWell).toBe(true);
  expect(await statusesOf([address])).toEqual([404]);
  expect((await owner.json("GET", "/api/me/usage")).blobs).toMatchObject({ used: 0, bytes_used: 0 });
  expect(readFileSync(join(folder("file"), "files", `${id}-note.txt`), "utf8")).toBe("a note");
  expect(await versionsBelow(given.service.blobsBucket, `${namespace}/${id}`)).toEqual([]);
});

test("a file that its owner had deleted is permanently deleted", async () => {
  const { blobsBucket } = given.service;
  const id = await owner.upload("a secret");
  await owner.json("DELETE", `/api/blobs/${id}`);
  expect(await versionsBelow(blobsBucket, `${namespace}/${id}`)).toHaveLength(1);

  const { isWell, lines } = await take(`http://${namespace}.${new URL(given.service.baseUrl).host}/b/${id}`);

  expect(lines.at(-1)).toBe(`${id} is gone: 1 addresses respond 404.`);
  expect(isWell).toBe(true);
  expect(await versionsBelow(blobsBucket, `${namespace}/${id}`)).toEqual([]);
});

describe("a takedown is refused", () => {
  test("until the name is typed", async () => {
    const slug = await owner.publish("<!doctype html><p>stays</p>");

    const refused = take(slug, { yes: false }, "yes");

    await expect(refused).rejects.toThrow(`"yes" is not ${slug}. Nothing was changed.`);
    expect((await owner.call("GET", `/api/drops/${slug}`)).status).toBe(200);
  });

  test("if the page does not exist", async () => {
    const { isWell, lines } = await take("Zzzzzz9");

    expect(isWell).toBe(false);
    expect(lines).toEqual([
      "Zzzzzz9 is the page Zzzzzz9.",
      "Nothing exists at Zzzzzz9. It may be deleted already.",
    ]);
  });

  test("if the folder for the copy is not empty", async () => {
    const slug = await owner.publish("<!doctype html><p>stays</p>");

    const refused = take(slug, { "no-copy": false, copy: given.dataDirectory });

    await expect(refused).rejects.toThrow(
      `The folder ${given.dataDirectory} is not empty. Choose another folder.`,
    );
    expect((await owner.call("GET", `/api/drops/${slug}`)).status).toBe(200);
  });
});
