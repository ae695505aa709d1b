// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256Of } from "../../functions/folders/pack-folder.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { type CacheTag, dropTag, fileTag } from "../../functions/http/response.ts";
import { race } from "../support/race.ts";
import { tagsAbout } from "../support/told-edge.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "./service-with-storage.ts";

/** Longer than the time between a publication's object and its item, even on a busy machine. */
const delaySeconds = 4;
let service: ServiceWithStorage;

beforeAll(async () => {
  service = await startServiceWithStorage(delaySeconds);
});
afterAll(() => service.stop());

/** Publishes a drop with this number of versions, each with a context, and returns its slug. */
async function publish(versions = 1): Promise<string> {
  const content = (text: string) => ({ html: `<p>${text}</p>`, context: `why ${text}` });
  const published = await service.call("POST", "/api/drops", { title: "A page", ...content("1") });
  expect(published.status).toBe(201);
  const { slug } = published.json;
  for (let version = 2; version <= versions; version += 1) {
    const response = await service.call("PUT", `/api/drops/${slug}`, content(String(version)));
    expect(response.status).toBe(200);
  }
  return slug;
}

/** Publishes a folder of these files as a new drop, or as a version of a drop, and returns the slug. */
async function publishFolder(files: Readonly<Record<string, string>>, slug?: string): Promise<string> {
  const archive = writeArchive(
    Object.entries(files).map(([path, content]) => ({ path, bytes: Buffer.from(content) })),
  );
  const [method, path] = slug === undefined ? ["POST", "/api/drops"] : ["PUT", `/api/drops/${slug}`];
  const headers = { "content-type": "application/zip" };
  const response = await service.call(method as string, path as string, Buffer.from(archive), headers);
  expect(response.status, response.text).toBeLessThan(300);
  return response.json.slug;
}

/** Sends a request that must succeed. */
async function succeed(method: string, path: string, body?: object): Promise<void> {
  const response = await service.call(method, path, body);
  expect([path, response.status < 300]).toEqual([path, true]);
}

const told = (tag: CacheTag) => tagsAbout(service.told, tag);
const twice = (...tags: CacheTag[]) => [...tags, ...tags].sort();
const rawStatus = async (slug: string) => (await service.call("GET", `/p/${slug}/raw?v=1`)).status;

// The tests mostly wait, so they run concurrently.
describe.concurrent("on a service that cleans up", () => {
  describe("deleting a drop", () => {
    test("removes its versions, pages and contexts when it is purged, and keeps the slug reserved", {
      tags: "nightly",
    }, async ({ expect }) => {
      const slug = await publish(3);
      const other = await publish();
      expect(await rawStatus(slug)).toBe(200);

      await service.call("DELETE", `/api/drops/${slug}`);
      await expect.poll(() => rawStatus(slug)).toBe(404);
      // The trash keeps the objects of the drop's versions.
      expect(await service.objectKeys("Pages", `${slug}/`)).toHaveLength(6);
      await service.call("DELETE", `/api/trash/${slug}`);

      await expect.poll(() => service.objectKeys("Pages", `${slug}/`)).toEqual([]);
      await expect.poll(() => service.sortKeys(`SLUG#${slug}`)).toEqual(["SLUG"]);
      expect(await service.objectKeys("Pages", `${other}/`)).toHaveLength(2);
    });

    test("removes its pages from the edge within seconds", async ({ expect }) => {
      const slug = await publish();
      expect(await rawStatus(slug)).toBe(200);

      await service.call("DELETE", `/api/drops/${slug}`);

      await expect.poll(() => rawStatus(slug)).toBe(404);
    });
  });

  describe("a folder", () => {
    const files = { "index.html": "<title>Deck</title>", "a.css": "a{}", "b.css": "b{}" };
    const foldersOf = (slug: string) => service.objectKeys("Pages", `_files/${slug}/`);
    const packsOf = async (slug: string) => (await foldersOf(slug)).filter((key) => key.endsWith(".pack"));

    test("keeps packs while a version uses them, and loses them with the last such version", {
      tags: "nightly",
    }, async ({ expect }) => {
      const slug = await publishFolder(files);
      const [first] = await packsOf(slug);
      await publishFolder({ ...files, "b.css": "b{color:red}" }, slug);
      await publishFolder({ "index.html": "<title>Other</title>", "b.css": "b{color:red}" }, slug);
      expect(await packsOf(slug)).toHaveLength(3);

      await succeed("DELETE", `/api/drops/${slug}/v/1`);
      await expect.poll(() => foldersOf(slug)).toHaveLength(5);
      expect(await packsOf(slug)).toContain(first);
      await succeed("DELETE", `/api/drops/${slug}/v/2`);

      // The third version shares the second pack only.
      await expect.poll(() => packsOf(slug)).toHaveLength(2);
      expect(await packsOf(slug)).not.toContain(first);
      await succeed("DELETE", `/api/drops/${slug}`);
      await succeed("DELETE", `/api/trash/${slug}`);
      await expect.poll(() => foldersOf(slug)).toEqual([]);
    });

    test("that was restored keeps its contents when the earlier version is deleted", async ({ expect }) => {
      const slug = await publishFolder(files);
      const packs = await packsOf(slug);
      await succeed("PUT", `/api/drops/${slug}`, { html: "<p>A page" });
      await succeed("POST", `/api/drops/${slug}/restore`, { version: 1 });

      await succeed("DELETE", `/api/drops/${slug}/v/1`);

      await expect.poll(() => foldersOf(slug)).toHaveLength(2);
      expect(await packsOf(slug)).toEqual(packs);
    });

    test("counts against the quota with the bytes of all its files in each version", async ({ expect }) => {
      const slug = await publishFolder(files);
      await publishFolder(files, slug);

      await succeed("DELETE", `/api/drops/${slug}`);

      const { drops } = (await service.call("GET", "/api/trash?pageSize=200")).json;
      const bytes = 2 * Object.values(files).join("").length;
      expect(drops).toContainEqual(expect.objectContaining({ slug, bytes }));
    });

    test("that is never published leaves no pack, manifest or uploaded file", { tags: "nightly" }, async ({
      expect,
    }) => {
      const slug = await publish();
      const stray = ["0.pack", "json", "zip"].map((end) => `_files/${slug}/${"A".repeat(16)}.${end}`);
      for (const key of stray) await service.putObject("Pages", key);
      const bytes = Buffer.from("<title>Never published</title>");
      const declared = { sha256: sha256Of(bytes), bytes: bytes.byteLength };
      const started = await service.call("POST", `/api/drops/${slug}/files`, {
        files: { "index.html": declared, "never-sent.css": { ...declared, sha256: "0".repeat(64) } },
      });
      const { upload_url: url, headers } = started.json.missing[0];
      expect((await fetch(url, { method: "PUT", headers, body: bytes })).status).toBe(200);

      await expect.poll(() => foldersOf(slug)).toEqual([]);
      await expect.poll(() => service.objectKeys("Pages", "staging/")).toEqual([]);
      const publication = await service.call(
        "POST",
        `/api/drops/${slug}/files/${started.json.publication_id}`,
        {},
      );
      expect([publication.status, publication.json.error.code]).toEqual([404, "not_found"]);
    });
  });

  test("a response cached after the invalidation is soon removed, even without further changes", {
    tags: "nightly",
  }, async ({ expect }) => {
    const slug = await publish(2);
    const path = `/p/${slug}/raw?v=1`;
    await service.edgeResult(path);
    expect(await service.edgeResult(path)).toBe("Hit");

    await service.call("DELETE", `/api/drops/${slug}/v/2`);
    await expect.poll(() => service.edgeResult(path)).toBe("Miss");

    // The edge caches a response again, like one that was in progress during the first invalidation.
    expect(await service.edgeResult(path)).toBe("Hit");
    await expect.poll(() => service.edgeResult(path)).toBe("Miss");
  });

  test("nothing of a locked drop is cached, even for readers with the passcode", async ({ expect }) => {
    const slug = await publish();
    await service.call("POST", `/api/drops/${slug}/passcode`, { passcode: "open sesame" });
    const cookie = await service.unlock(slug, "open sesame");
    const read = () =>
      service.read(`/p/${slug}/raw?v=1`, {
        cookie,
        "sec-fetch-dest": "iframe",
        "sec-fetch-site": "same-origin",
      });

    const responses = [await read(), await read()];

    for (const { text, headers } of responses) {
      expect(text).toContain("<p>1</p>");
      expect(headers.get("x-cache")).toBe("Miss from cloudfront");
      expect(headers.get("cache-control")).toBe("private, no-store");
    }
    await service.call("POST", `/api/drops/${slug}/passcode`, { passcode: "another passcode" });
    expect((await read()).text).not.toContain("<p>1</p>");
  });

  test("deleting a version removes its page and context, and no other version's", {
    tags: "nightly",
  }, async ({ expect }) => {
    const slug = await publish(2);
    const before = await service.objectKeys("Pages", `${slug}/`);
    expect(await rawStatus(slug)).toBe(200);

    await service.call("DELETE", `/api/drops/${slug}/v/1`);

    await expect.poll(() => service.objectKeys("Pages", `${slug}/`)).toHaveLength(2);
    await expect.poll(() => rawStatus(slug)).toBe(404);
    expect(before).toEqual(expect.arrayContaining(await service.objectKeys("Pages", `${slug}/`)));
    expect((await service.call("GET", `/p/${slug}/raw?v=2`)).text).toContain("<p>2</p>");
  });

  test("locking a drop removes its pages from the edge within seconds, and unlocking undoes it", async ({
    expect,
  }) => {
    const slug = await publish();
    const page = async () => (await service.call("GET", `/p/${slug}/raw?v=1`)).text.includes("<p>1</p>");
    expect([await page(), await page()]).toEqual([true, true]);

    await service.call("POST", `/api/drops/${slug}/passcode`, { passcode: "open sesame" });
    await expect.poll(page).toBe(false);

    await service.call("POST", `/api/drops/${slug}/passcode`, { passcode: "" });
    await expect.poll(page).toBe(true);
  });

  test("deleting a file removes its object", async ({ expect }) => {
    const uploaded = await service.call("POST", "/api/blobs?filename=a.txt", Buffer.from("text"));
    expect(uploaded.status).toBe(201);
    const prefix = `${service.namespace}/${uploaded.json.id}`;
    expect(await service.objectKeys("Blobs", prefix)).toEqual([prefix]);

    await service.call("DELETE", `/api/blobs/${uploaded.json.id}`);

    await expect.poll(() => service.objectKeys("Blobs", prefix)).toEqual([]);
  });

  test("requests for the viewer are counted as views within seconds, and HEAD and raw requests are not", async ({
    expect,
  }) => {
    const slug = await publish();
    const viewCount = async () => (await service.call("GET", `/api/drops/${slug}`)).json.view_count;

    await race(10, () => service.call("GET", `/p/${slug}`));
    await service.call("HEAD", `/p/${slug}`);
    await service.call("GET", `/p/${slug}/raw`);

    await expect.poll(viewCount).toBe(10);
  });

  describe("the orphan check", () => {
    test("removes unreferenced objects, and nothing else", { tags: "nightly" }, async ({ expect }) => {
      const slug = await publish(2);
      const uploaded = await service.call("POST", "/api/blobs?filename=a.txt", Buffer.from("text"));
      const blob = `${service.namespace}/${uploaded.json.id}`;
      const referenced = await service.objectKeys("Pages", `${slug}/`);
      for (const name of ["0000000000000001.html", "0000000000000001.context.txt"]) {
        await service.putObject("Pages", `${slug}/${name}`);
        await service.putObject("Pages", `Unknown/${name}`);
      }
      await service.putObject("Pages", "robots.txt");
      await service.putObject("Blobs", `${service.namespace}/0000001`);
      await service.putObject("Blobs", "staging/someone/upload");

      await expect.poll(() => service.objectKeys("Pages", `${slug}/`)).toEqual(referenced);
      await expect.poll(() => service.objectKeys("Pages", "Unknown/")).toEqual([]);
      await expect.poll(() => service.objectKeys("Blobs", `${service.namespace}/0`)).toEqual([]);
      await expect.poll(() => service.objectKeys("Blobs", "staging/")).toEqual([]);
      expect(await service.objectKeys("Pages", "robots.txt")).toEqual(["robots.txt"]);
      expect(await service.objectKeys("Blobs", blob)).toEqual([blob]);
    });

    test("keeps an object until its delay is over", { tags: "nightly" }, async ({ expect }) => {
      const putAtMs = Date.now();
      await service.putObject("Pages", "Waiting/0000000000000001.html");

      await expect.poll(() => service.objectKeys("Pages", "Waiting/")).toEqual([]);

      expect(Date.now() - putAtMs).toBeGreaterThanOrEqual(delaySeconds * 1000);
    });
  });

  describe("an invalidation", () => {
    const lock = (slug: string, passcode: string) =>
      succeed("POST", `/api/drops/${slug}/passcode`, { passcode });

    test("is sent twice per lock or deletion, and not at all for a locked drop", {
      tags: "nightly",
    }, async ({ expect }) => {
      const [locked, deleted, older, opened, last] = [
        await publish(),
        await publish(3),
        await publish(2),
        await publish(),
        await publish(),
      ];
      const uploaded = await service.call("POST", "/api/blobs?filename=a.txt", Buffer.from("text"));
      const { id } = uploaded.json;
      await lock(opened, "open sesame");
      await expect.poll(() => told(dropTag(opened))).toEqual(twice(dropTag(opened)));

      await lock(locked, "open sesame");
      await succeed("DELETE", `/api/drops/${deleted}`);
      await succeed("DELETE", `/api/drops/${older}/v/1`);
      await succeed("DELETE", `/api/blobs/${id}`);
      await lock(opened, "another passcode");
      await lock(opened, "");

      for (const slug of [locked, deleted, older])
        await expect.poll(() => told(dropTag(slug))).toEqual(twice(dropTag(slug)));
      const file = fileTag({ namespace: service.namespace, id });
      await expect.poll(() => told(file)).toEqual(twice(file));
      // Invalidations of earlier changes were sent before those of this deletion.
      await succeed("DELETE", `/api/drops/${last}`);
      await expect.poll(() => told(dropTag(last))).toEqual(twice(dropTag(last)));
      for (const slug of [locked, deleted, older, opened])
        expect(told(dropTag(slug))).toEqual(twice(dropTag(slug)));
    });
  });
});

test("twenty drops deleted concurrently are invalidated by their tags, in a few invalidations", {
  tags: "nightly",
}, async () => {
  await service.useAccount("twenty");
  const slugs = await race(20, () => publish());
  const start = service.told.length;

  await Promise.all(slugs.map((slug) => succeed("DELETE", `/api/drops/${slug}`)));

  const tags = slugs.map(dropTag);
  const isOfThem = (tag: string) => tags.some((one) => one === tag);
  const since = () => service.told.slice(start).filter((told) => told.some(isOfThem));
  const ofThem = () => since().flat().filter(isOfThem).sort();
  await expect.poll(ofThem).toEqual(twice(...tags));
  expect(since().length).toBeLessThan(20);
});
