import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type {
  DropResponse,
  FolderStartResponse,
  PublicationStartResponse,
} from "../../functions/drops/schemas.ts";
import { sha256Of } from "../../functions/folders/pack-folder.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import type { OperationId } from "../../functions/routes.ts";
import { updateIndex } from "../../functions/search/index-writer.ts";
import { latestSnapshot } from "../../functions/search/snapshot.ts";
import { callOperation, type OperationResponse } from "../support/operation-caller.ts";
import { nameReader } from "./account-page-recipes.ts";
import { givenDrop, givenFiles, givenFolder, type World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";

const html = "<p>Published</p>";
const markdown = "# Published\n";
const asHtml = { "content-type": "text/html" };
const asMarkdown = { "content-type": "text/markdown" };
const asZip = { "content-type": "application/zip" };
const folderFiles = Object.fromEntries(
  givenFiles.map(({ path, bytes }) => [path, { sha256: sha256Of(bytes), bytes: bytes.byteLength }]),
);

/** Recipes of operations on drops and versions. */
export const dropRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "search-drops": [
    {
      prepare: async (world) => {
        const { slug, ownerId } = await givenDrop(world);
        await updateIndex([{ ownerId, slug }], Date.now());
        // Opens the new segment, whose fetching all searches of this process share.
        await latestSnapshot();
        return { call: { token: world.token, query: { q: "given" } } };
      },
    },
  ],
  "list-library": [
    { prepare: async ({ token }) => ({ call: { token } }) },
    {
      variant: "with words",
      prepare: async (world) => {
        const drop = await givenDrop(world);
        await nameReader(drop, world.namespace);
        const { slug, ownerId } = drop;
        await updateIndex([{ ownerId, slug }], Date.now());
        // Opens the new segment, whose fetching all searches of this process share.
        await latestSnapshot();
        return {
          call: { token: world.token, query: { q: "given" } },
          expectVisible: async ({ text }) => expect(text).toContain(slug),
        };
      },
    },
  ],
  "publish-drop": [
    {
      mayRepeat: true,
      prepare: async ({ token }) => ({
        call: { token, body: { html, title: "Published", context: "Why." } },
        expectVisible: expectPublished,
      }),
    },
    {
      variant: "of Markdown",
      mayRepeat: true,
      prepare: async ({ token }) => ({
        call: { token, headers: asMarkdown, body: markdown },
        expectVisible: async (response) => {
          const { slug } = JSON.parse(response.text) as DropResponse;
          const { text } = await callOperation("read-source", { token, params: { slug } });
          expect(text).toBe(markdown);
          const raw = await callOperation("read-raw-page", { params: { slug } });
          expect(raw.text).toContain('<h1 id="published">');
        },
      }),
    },
    {
      variant: "of a folder",
      mayRepeat: true,
      prepare: async ({ token }) => ({
        call: { token, headers: asZip, body: writeArchive(givenFiles) },
        expectVisible: async ({ text }) => {
          const { slug } = JSON.parse(text) as DropResponse;
          expect((await callOperation("read-html", { token, params: { slug } })).text).toContain("Given");
        },
      }),
    },
    {
      variant: "with a key",
      prepare: async ({ token }) => ({
        call: {
          token,
          headers: { "idempotency-key": randomUUID() },
          body: { html, title: "Published", context: "Why." },
        },
        expectVisible: expectPublished,
      }),
    },
  ],
  "start-publish": [
    {
      mayRepeat: true,
      prepare: async ({ token }) => ({ call: { token, body: { title: "Published" } } }),
    },
  ],
  "send-page": [
    {
      prepare: async ({ token }) => ({
        call: { query: { key: await addressKey(token) }, headers: asHtml, body: html },
        expectVisible: expectPublished,
      }),
    },
  ],
  "list-files": [{ prepare: async (world) => ({ call: await folderOf(world) }) }],
  "start-folder": [
    {
      mayRepeat: true,
      prepare: async (world) => ({ call: { ...(await dropOf(world)), body: { files: folderFiles } } }),
    },
    {
      variant: "of a folder",
      mayRepeat: true,
      prepare: async (world) => ({ call: { ...(await folderOf(world)), body: { files: folderFiles } } }),
    },
  ],
  "publish-folder": [
    {
      prepare: async (world) => {
        const drop = await folderOf(world);
        const started = await callOperation("start-folder", { ...drop, body: { files: folderFiles } });
        const { publication_id } = JSON.parse(started.text) as FolderStartResponse;
        return {
          call: { ...drop, params: { ...drop.params, publication: publication_id } },
          expectVisible: async () => expect((await readDrop(drop)).latest_version).toBe(2),
        };
      },
    },
  ],
  "upsert-drop": [
    {
      mayRepeat: true,
      prepare: async ({ token }) => ({
        call: {
          token,
          query: { "metadata.page": "one" },
          body: { html, title: "Published", context: "Why." },
        },
        expectVisible: expectPublished,
      }),
    },
  ],
  "publish-version": [
    {
      mayRepeat: true,
      prepare: async (world) => ({
        call: { ...(await dropOf(world)), body: { html, context: "Why." } },
        expectVisible: expectPublished,
      }),
    },
    {
      variant: "with If-Match",
      statusOnceDone: 412,
      prepare: async (world) => {
        const drop = await dropOf(world);
        const { headers } = await callOperation("get-drop", drop);
        return {
          call: { ...drop, headers: { "if-match": headers.etag ?? "" }, body: { html, context: "Why." } },
          expectVisible: expectPublished,
        };
      },
    },
  ],
  "edit-drop": [
    {
      isDoneAnew: true,
      prepare: async (world) => {
        const drop = await dropOf(world);
        return {
          call: { ...drop, body: { title: "Edited" } },
          expectVisible: async () => expect((await readDrop(drop)).title).toBe("Edited"),
        };
      },
    },
  ],
  "set-passcode": [
    {
      variant: "open",
      isDoneAnew: true,
      prepare: async (world) => {
        const drop = await dropOf(world, { isLocked: true });
        return {
          call: { ...drop, body: { passcode: "" } },
          expectVisible: async () => expect((await readDrop(drop)).locked).toBe(false),
        };
      },
    },
  ],
  "delete-drop": [
    {
      statusOnceDone: 404,
      prepare: async (world) => {
        const drop = await dropOf(world);
        return {
          call: drop,
          expectVisible: async () => {
            await callOperation("get-drop", { ...drop, expectedStatus: 404 });
            await callOperation("read-raw-page", { params: drop.params, expectedStatus: 404 });
          },
        };
      },
    },
  ],
  "list-trash": [
    {
      prepare: async (world) => {
        const { token, params } = await trashedDropOf(world);
        return { call: { token }, expectVisible: async ({ text }) => expect(text).toContain(params.slug) };
      },
    },
  ],
  "undelete-drop": [
    {
      isDoneAnew: true,
      prepare: async (world) => {
        const drop = await trashedDropOf(world);
        return {
          call: drop,
          expectVisible: async () => {
            expect((await readDrop(drop)).title).toBe("Given");
            await callOperation("read-raw-page", { params: drop.params });
          },
        };
      },
    },
  ],
  "purge-drop": [
    {
      statusOnceDone: 404,
      prepare: async (world) => {
        const drop = await trashedDropOf(world);
        return {
          call: drop,
          expectVisible: async () => {
            await callOperation("undelete-drop", { ...drop, expectedStatus: 404 });
          },
        };
      },
    },
  ],
  "delete-version": [
    {
      statusOnceDone: 404,
      prepare: async (world) => {
        const drop = await dropOf(world, { versions: 2 });
        return {
          call: { ...drop, params: { ...drop.params, n: "2" } },
          expectVisible: async () => expect((await readDrop(drop)).latest_version).toBe(1),
        };
      },
    },
  ],
  "restore-version": [
    {
      variant: "of a folder",
      mayRepeat: true,
      prepare: async (world) => {
        const drop = await folderOf(world);
        return {
          call: { ...drop, body: { version: 1 } },
          expectVisible: async () => expect((await readDrop(drop)).latest_version).toBeGreaterThan(1),
        };
      },
    },
    {
      mayRepeat: true,
      prepare: async (world) => {
        const drop = await dropOf(world, { versions: 2 });
        return {
          call: { ...drop, body: { version: 1 } },
          expectVisible: async () => {
            const latest = await callOperation("read-html", drop);
            const first = await callOperation("read-html", { ...drop, query: { v: "1" } });
            expect((await readDrop(drop)).latest_version).toBeGreaterThan(2);
            expect(latest.text).toBe(first.text);
          },
        };
      },
    },
  ],
  "read-source": [
    {
      prepare: async ({ token }) => {
        const published = await callOperation("publish-drop", { token, headers: asMarkdown, body: markdown });
        const { slug } = JSON.parse(published.text) as DropResponse;
        return { call: { token, params: { slug } } };
      },
    },
  ],
  "compare-versions": [{ prepare: async (world) => ({ call: await dropOf(world, { versions: 2 }) }) }],
  "list-drops": [{ prepare: async (world) => ({ call: { token: (await dropOf(world)).token } }) }],
};

async function addressKey(token: string): Promise<string> {
  const { text } = await callOperation("start-publish", {
    token,
    body: { title: "Published", context: "Why." },
  });
  const { url } = JSON.parse(text) as PublicationStartResponse;
  return new URL(url).searchParams.get("key") ?? "";
}

async function folderOf(world: World) {
  return { token: world.token, params: { slug: await givenFolder(world) } };
}

async function dropOf(world: World, options: Parameters<typeof givenDrop>[1] = {}) {
  const { slug } = await givenDrop(world, options);
  return { token: world.token, params: { slug } };
}

async function trashedDropOf(world: World) {
  const drop = await dropOf(world);
  await callOperation("delete-drop", drop);
  return drop;
}

async function readDrop(drop: Awaited<ReturnType<typeof dropOf>>): Promise<DropResponse> {
  return JSON.parse((await callOperation("get-drop", drop)).text) as DropResponse;
}

async function expectPublished({ text }: OperationResponse): Promise<void> {
  const { slug } = JSON.parse(text) as DropResponse;
  expect((await callOperation("read-raw-page", { params: { slug } })).text).toContain(html);
  expect((await callOperation("read-context", { params: { slug } })).text).toBe("Why.");
}
