import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { pictureKey, type Render, reportKey } from "../../functions/renders/render.ts";
import { renderLeaseName } from "../../functions/renders/render-page.ts";
import type { RenderRequest } from "../../functions/renders/render-queue.ts";
import type { PageReport } from "../../functions/renders/report.ts";
import { toRender } from "../../functions/renders/store.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { renderRule } from "../../functions/table/rate-rules.ts";
import { suspendedAttribute } from "../../functions/table/suspension.ts";
import { patienceMs } from "../support/patience.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "../workers/service-with-storage.ts";
import { orders, standInCode, standInPictures } from "./stand-in.ts";

/** Longer than a page takes from its objects to its item on a busy machine. */
const delaySeconds = 6;
const soon = { interval: 200 };
const waiting = { interval: 200, timeout: patienceMs };
let service: ServiceWithStorage;

beforeAll(async () => {
  service = await startServiceWithStorage(delaySeconds, {
    fileSettings: { renders: true },
    unsafeDrawPageCode: standInCode,
  });
});
afterAll(() => service.stop());

async function publish(html: string, more: object = {}): Promise<string> {
  const { status, json } = await service.call("POST", "/api/drops", { title: "A page", html, ...more });
  expect(status).toBe(201);
  return json.slug;
}

async function publishVersion(slug: string, html: string): Promise<void> {
  expect((await service.call("PUT", `/api/drops/${slug}`, { html })).status).toBe(200);
}

/** Switches to another account for further publications, and returns its id. */
async function useAccount(namespace: string): Promise<string> {
  await service.useAccount(namespace);
  return String((await service.getItem(keys.namespace(namespace)))?.userId);
}

async function renderOf(slug: string, version = 1) {
  const item = await service.getItem(keys.render(slug, version));
  return item && toRender(item);
}

/** Waits until the rendering of a version has succeeded or failed. */
async function settled(slug: string, version = 1) {
  const found = await vi.waitFor(async () => {
    const render = await renderOf(slug, version);
    if (render === undefined || render.state === "asked") throw new Error(`${slug} is not rendered yet.`);
    return render;
  }, waiting);
  return found;
}

async function objectsOf(slug: string): Promise<string[]> {
  const prefixes = ["cards/", "_reports/"].map((prefix) => `${prefix}${slug}/`);
  return (await Promise.all(prefixes.map((prefix) => service.objectKeys("Pages", prefix)))).flat();
}

async function reportOf(folder: string | undefined): Promise<PageReport> {
  return JSON.parse(await service.readObject("Pages", reportKey(folder ?? "")));
}

/** Returns the request that the function with the browser received. */
async function askedOf({ folder = "", pictures }: Render) {
  const picture = pictures.find(({ name }) => name === "card");
  if (picture === undefined) throw new Error("There is no picture.");
  return JSON.parse(await service.readObject("Pages", pictureKey(folder, picture)));
}

function deadLetters(): number {
  const found = [...service.cloud.awsEndpoint.queues].find(([name]) => name.includes("DeadLetters"));
  if (found === undefined) throw new Error("There is no queue of dead letters.");
  return found[1].counts().visible;
}

/** Invokes the worker as the janitor does, and waits until it has ended. */
async function requestAgain(slug: string, version = 1): Promise<void> {
  const { url: endpoint, administrator: credentials } = service.cloud.awsEndpoint;
  const client = new LambdaClient({ endpoint, credentials, region: "us-east-1" });
  const renderPage = [...service.cloud.template.resources.values()].find(
    ({ properties }) => properties.Handler === "index.renderPage",
  );
  const request: RenderRequest = { atMs: Date.now(), versions: [{ slug, version, isAsked: false }] };
  const { FunctionError } = await client.send(
    new InvokeCommand({ FunctionName: renderPage?.physicalId, Payload: JSON.stringify(request) }),
  );
  expect(FunctionError).toBeUndefined();
}

/** Waits until no rendering is queued or running. */
const untilIdle = () =>
  vi.waitFor(async () => {
    const lease = await service.getItem(keys.lease(renderLeaseName));
    const waits = await service.sortKeys(ranges.waitingRenders().pk);
    if (waits.length > 0 || Number(lease?.untilMs ?? 0) > Date.now())
      throw new Error("Something is at work.");
  }, waiting);

const isAtWork = async (slug: string) => {
  const { pk } = ranges.waitingRenders();
  const sk = (await service.sortKeys(pk)).find((one) => one.includes(slug));
  return sk !== undefined && Number((await service.getItem({ pk, sk }))?.tries) > 0;
};

// The tests mostly wait, so they run concurrently.
describe.concurrent("a published version", () => {
  test("gets only a card and a thumbnail, which its render's item lists", { tags: "slow" }, async ({
    expect,
  }) => {
    const slug = await publish("<p>Rendered</p>");

    const render = await settled(slug);

    expect(render).toMatchObject({ state: "rendered", version: 1, milliseconds: 7 });
    expect(render.extent).toBe("pictures");
    expect(render.pictures.map(({ name }) => name)).toEqual(["card", "thumbnail"]);
    const { folder = "" } = render;
    expect(await objectsOf(slug)).toEqual([`cards/${folder}/card.png`, `cards/${folder}/thumbnail.webp`]);
    expect(await service.readObject("Pages", `cards/${folder}/thumbnail.webp`)).toMatch(/^thumbnail of /);
  });

  test("is shown to its owner's agent by the tool see_drop", { tags: "slow" }, async ({ expect }) => {
    const slug = await publish("<p>To be seen</p>");
    const params = { name: "see_drop", arguments: { slug, views: ["phone-light"] } };

    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const { structuredContent, content } = (await service.call("POST", "/mcp", call)).json.result;

    expect(structuredContent).toMatchObject({ slug, version: 1, state: "rendered", findings: [] });
    const [image] = content.filter(({ type }: { readonly type: string }) => type === "image");
    expect(Buffer.from(image.data, "base64").toString()).toMatch(/^phone-light of /);
  });

  test("is rendered with the bytes, the URL and the headers that the viewer's frame receives", {
    tags: "slow",
  }, async ({ expect }) => {
    const slug = await publish("<!doctype html><title>T</title><p>As it is</p>");

    const asked = await askedOf(await settled(slug));
    const framed = await service.read(`/p/${slug}/raw?v=1&framed=1`, { "sec-fetch-dest": "iframe" });

    expect(asked.page).toBe(framed.text);
    expect(asked.page).toContain("As it is");
    expect(new URL(asked.url).pathname).toBe(`/p/${slug}/raw`);
    for (const name of ["content-type", "content-security-policy", "permissions-policy", "referrer-policy"]) {
      expect([name, asked.headers[name]]).toEqual([name, framed.headers.get(name)]);
    }
    expect(asked.headers["content-security-policy"]).toContain("sandbox allow-scripts");
  });

  test("is rendered with only those files that all of its readers can access", { tags: "nightly" }, async ({
    expect,
  }) => {
    const upload = async (text: string, query = "") =>
      (await service.call("POST", `/api/blobs?filename=a.txt${query}`, Buffer.from(text))).json.url as string;
    const [open, closed] = [await upload("open"), await upload("closed", "&visibility=members")];
    const pathOf = (url: string) => new URL(url).pathname;
    const html = `<img src="${open}"><img src="${pathOf(closed)}"><img src="/b/Nothing">`;

    const forAll = await settled(await publish(html));
    const forMembers = await settled(await publish(html, { visibility: "members" }));

    expect((await askedOf(forAll)).files).toEqual([`${open} open`, `${closed} not-for-readers`]);
    expect((await askedOf(forMembers)).files).toEqual([`${open} open`, `${closed} closed`]);
    expect([forAll.hasRestrictedFiles, forMembers.hasRestrictedFiles]).toEqual([undefined, true]);
  });

  test("is skipped if a newer version exists when its turn arrives", { tags: "nightly" }, async ({
    expect,
  }) => {
    const slug = await publish(`<p>${orders.wait}</p>`);
    await settled(slug);
    // Renderings of an owner run one at a time, so that later ones wait.
    await Promise.all([publish(orders.wait), publish(orders.wait)]);
    await publishVersion(slug, "<p>2</p>");
    await publishVersion(slug, "<p>3</p>");

    expect((await settled(slug, 3)).state).toBe("rendered");
    const second = await settled(slug, 2);
    expect(["superseded", "rendered"]).toContain(second.state);
    if (second.state === "superseded") expect(second.folder).toBeUndefined();
  });

  test("is rendered once, even if it is requested again", { tags: "slow" }, async ({ expect }) => {
    const slug = await publish("<p>Once</p>");
    const first = await settled(slug);

    await Promise.all([1, 2, 3].map(() => requestAgain(slug)));
    await untilIdle();

    expect(await renderOf(slug)).toEqual(first);
    expect(await objectsOf(slug)).toHaveLength(2);
  });

  test("that crashes the browser function is marked as failed, and does not become a dead letter", {
    tags: "slow",
  }, async ({ expect }) => {
    const slug = await publish(`<p>${orders.die}</p>`);

    const render = await settled(slug);

    expect(render).toMatchObject({ state: "failed", why: "stopped", pictures: [] });
    expect(await reportOf(render.folder)).toMatchObject({ stopped: "crash", views: [] });
    await untilIdle();
    expect(deadLetters()).toBe(0);
  });

  test("that is stopped without a picture is marked as failed, with a report that gives the reason", {
    tags: "slow",
  }, async ({ expect }) => {
    const render = await settled(await publish(`<p>${orders.stop}</p>`));

    expect(render).toMatchObject({ state: "failed", why: "stopped", pictures: [] });
    expect(await reportOf(render.folder)).toMatchObject({ stopped: "time" });
  });
});

describe.concurrent("a version's pictures", () => {
  test("are deleted with its drop", { tags: "nightly" }, async ({ expect }) => {
    const slug = await publish("<p>Goes</p>");
    await settled(slug);

    await deleteForGood(slug);

    await expect.poll(() => objectsOf(slug), soon).toEqual([]);
    await expect.poll(() => service.sortKeys(`SLUG#${slug}`), soon).toEqual(["SLUG"]);
  });

  test("are deleted with the version, and those of another version stay", { tags: "nightly" }, async ({
    expect,
  }) => {
    const slug = await publish("<p>1</p>");
    await settled(slug);
    await publishVersion(slug, "<p>2</p>");
    const second = await settled(slug, 2);

    await service.call("DELETE", `/api/drops/${slug}/v/1`);

    await expect.poll(() => objectsOf(slug), soon).toHaveLength(2);
    await expect.poll(() => renderOf(slug, 1), soon).toBeUndefined();
    expect(await renderOf(slug, 2)).toEqual(second);
  });

  test("are not stored if the drop is deleted during the rendering", { tags: "nightly" }, async ({
    expect,
  }) => {
    const slug = await publish(`<p>${orders.wait}</p>`);
    await expect.poll(() => isAtWork(slug), waiting).toBe(true);

    await deleteForGood(slug);
    await untilIdle();

    await expect.poll(() => service.sortKeys(`SLUG#${slug}`), soon).toEqual(["SLUG"]);
    await expect.poll(() => objectsOf(slug), soon).toEqual([]);
  });

  test("are the ones listed in its render's item, and others are removed as orphans", {
    tags: "nightly",
  }, async ({ expect }) => {
    const slug = await publish("<p>Kept</p>");
    const { folder = "" } = await settled(slug);
    const kept = await objectsOf(slug);
    const left = ["cards", "_reports"].map((prefix) => `${prefix}/${slug}/Left000000000001/card.png`);

    for (const key of left) await service.putObject("Pages", key);

    await expect.poll(() => objectsOf(slug), soon).toEqual(kept);
    expect(kept).toContain(`cards/${folder}/card.png`);
  });
});

/** Deletes a drop, also from the trash. */
async function deleteForGood(slug: string): Promise<void> {
  for (const place of ["drops", "trash"]) await service.call("DELETE", `/api/${place}/${slug}`);
}

test("an environment renders pages of one owner only, and is reused for that owner's next page", {
  tags: "slow",
}, async () => {
  const environmentOf = async () =>
    (await askedOf(await settled(await publish("<p>Whose</p>")))).environment as string;

  await useAccount("tenant-one");
  const [first, second] = [await environmentOf(), await environmentOf()];
  await useAccount("tenant-two");
  const other = await environmentOf();

  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});

describe("a render", () => {
  test("has all views and a report if it was requested, and replaces the earlier render", {
    tags: "nightly",
  }, async () => {
    const slug = await publish("<p>Twice</p>");
    const first = await settled(slug);

    expect((await service.call("GET", `/api/drops/${slug}/render`)).status).toBe(202);
    expect(await renderOf(slug)).toMatchObject({ folder: first.folder, pictures: first.pictures });
    const second = await settled(slug);

    expect(second).toMatchObject({ state: "rendered", extent: "report" });
    expect(second.pictures.map(({ name }) => name)).toEqual(standInPictures);
    expect(second.folder).not.toBe(first.folder);
    expect((await service.call("GET", `/api/drops/${slug}/render`)).status).toBe(200);
    await expect.poll(() => objectsOf(slug), soon).toHaveLength(4);
    expect((await objectsOf(slug)).every((key) => key.includes(second.folder ?? "-"))).toBe(true);
  });

  test("is not started for a suspended account", { tags: "slow" }, async () => {
    const slug = await publish("<p>Hidden</p>");
    await settled(slug);
    const pointer = await service.getItem(keys.pointer(slug));
    await service.putItem({ ...pointer, ...keys.pointer(slug), [suspendedAttribute]: 1 });
    const item = await service.getItem(keys.render(slug, 1));
    await service.putItem({ ...item, ...keys.render(slug, 1), state: "asked" });

    await requestAgain(slug);
    await untilIdle();

    expect(await service.getItem(keys.render(slug, 1))).toMatchObject({ state: "asked" });
    expect(await objectsOf(slug)).toHaveLength(2);
  });

  test("is deleted immediately if its version is deleted before its item is written", {
    tags: "nightly",
  }, async () => {
    await untilIdle();
    const ownerId = await useAccount("rendered-late");
    const slug = await publish(`<p>${orders.wait}</p>`);
    const version = await vi.waitFor(async () => {
      const window = await service.getItem(keys.rateWindow(renderRule.name, ownerId));
      expect(window?.renderIds).toEqual(new Set([`${slug}#1#published`]));
      return service.getItem(keys.version(slug, 1));
    }, waiting);

    await service.putItem({ ...version, ...keys.version(slug, 1), pageKey: `${slug}/another.html` });
    await untilIdle();

    // The orphan check runs only seconds later.
    expect(await objectsOf(slug)).toEqual([]);
    expect(await renderOf(slug)).toBeUndefined();
  });

  test("is created for a limited number of an account's versions a day", { tags: "slow" }, async () => {
    const ownerId = await useAccount("rendered-often");
    await service.putItem({
      ...keys.rateWindow(renderRule.name, ownerId),
      renderStartedAtMs: Date.now(),
      renderCount: limits.rendersPerDayPerAccount,
    });

    const render = await settled(await publish("<p>One too many</p>"));

    expect(render).toMatchObject({ state: "failed", why: "daily-limit", folder: undefined });
  });
});
