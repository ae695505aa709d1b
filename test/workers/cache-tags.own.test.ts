// @module-tag nightly

import { dirname } from "node:path";
import { matchesPathPattern } from "@dropleaf/local-cloud/cloudfront/path-pattern";
import { resourcesOfType } from "@dropleaf/local-cloud/template";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cacheTagHeader } from "../../functions/core/environment.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { folderHostId, folderLabel } from "../../functions/http/folder-host.ts";
import { type CacheTag, dropTag, fileTag, ownerTag } from "../../functions/http/response.ts";
import type { Route } from "../../functions/http/route.ts";
import { routes } from "../../functions/routes.ts";
import { openGivenService } from "../operator/given-service.ts";
import { givenRender } from "../support/given-render.ts";
import { fetchPage, useService } from "../support/http.ts";
import { folderFile } from "../support/owner-address.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "./service-with-storage.ts";

/** Longer than the tests, so that each change is invalidated once during them. */
const repeatSeconds = 300;

let service: ServiceWithStorage;
/** URLs of the service's host and the owner's host. */
let hosts: { readonly base: string; readonly owner: string };

beforeAll(async () => {
  service = await startServiceWithStorage(repeatSeconds);
  const { host, port } = new URL(service.cloud.address);
  hosts = { base: `http://${host}`, owner: `http://${service.namespace}.${host}` };
  useService({ address: service.cloud.address, port: Number(port) });
  // The stores in this process use the same data.
  await openGivenService(dirname(service.dataDirectory));
});
afterAll(() => service.stop());

async function publish(): Promise<string> {
  const { json } = await service.call("POST", "/api/drops", { title: "A page", html: "<p>secret 1</p>" });
  await service.call("PUT", `/api/drops/${json.slug}`, { html: "<p>secret 2</p>" });
  return json.slug;
}

/** A request with a separate entry in the edge's cache. */
interface Form {
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask({ address, headers = {} }: Form) {
  const response = await fetchPage(address, { headers: { "accept-encoding": "identity", ...headers } });
  expect(response.headers).not.toHaveProperty(cacheTagHeader);
  return { ...response, outcome: response.headers["x-cache"]?.split(" ")[0] };
}

/** Sends the requests one by one and returns the edge's cache results. */
async function outcomesOf(forms: readonly Form[]): Promise<(string | undefined)[]> {
  const outcomes: (string | undefined)[] = [];
  for (const form of forms) outcomes.push((await ask(form)).outcome);
  return outcomes;
}

/** Returns the requests of a drop with two versions that the edge caches separately, for hours. */
function formsOf(slug: string): Form[] {
  const raws = [hosts.base, hosts.owner].map((host) => `${host}/p/${slug}/raw`);
  const gate = { cookie: `__Host-dl_${slug}=0123` };
  return raws.flatMap((raw): Form[] => [
    ...["?v=1", "?v=2", "?framed=1&v=1", "?framed=1&v=2"].flatMap((query) => [
      { address: raw + query },
      { address: raw + query, headers: { "accept-encoding": "gzip" } },
      { address: raw + query, headers: { "accept-encoding": "br" } },
    ]),
    { address: `${raw}?drawn=card&v=1` },
    { address: `${raw}?drawn=thumbnail&v=1` },
    ...(raw.startsWith(hosts.base) ? [{ address: `${raw}?v=1`, headers: gate }] : []),
  ]);
}

test("a passcode removes every cached response of a drop from the edge, on both hosts, with one invalidation tag", async () => {
  const [slug, other] = [await publish(), await publish()];
  for (const one of [slug, other]) await givenRender({ slug: one });
  const [forms, others] = [formsOf(slug), formsOf(other)];
  expect(forms.length).toBeGreaterThanOrEqual(20);
  expect(await outcomesOf([...forms, ...others])).toEqual([...forms, ...others].map(() => "Miss"));
  expect(await outcomesOf([...forms, ...others])).toEqual([...forms, ...others].map(() => "Hit"));

  await service.call("POST", `/api/drops/${slug}/passcode`, { passcode: "open sesame" });

  await expect.poll(() => service.told).toEqual([[dropTag(slug)]]);
  for (const form of forms) {
    const { outcome, text } = await ask(form);
    expect([form.address, outcome === "Hit", text.includes("secret")]).toEqual([form.address, false, false]);
  }
  expect(await outcomesOf(others)).toEqual(others.map(() => "Hit"));
});

describe("a cached response", () => {
  /** A request whose response the edge caches with these tags, or does not cache. */
  interface Example extends Form {
    readonly tags: readonly CacheTag[] | "not kept";
  }

  /** Returns requests for each kind of response of each operation behind a behavior with a cache. */
  const examplesOf = async (
    slug: string,
  ): Promise<Partial<Record<keyof typeof routes, readonly Example[]>>> => {
    const tags = [dropTag(slug), ownerTag(service.namespace)];
    const below = (host: string) => `${host}/p/${slug}`;
    const both = [hosts.base, hosts.owner].map(below);
    return {
      "read-raw-page": both.flatMap((one): Example[] => [
        ...["", "?v=1", "?framed=1", "?download=1", "?drawn=card", "?drawn=thumbnail&v=1"].map((query) => ({
          address: `${one}/raw${query}`,
          tags,
        })),
      ]),
      "read-folder-file": await filesOfFolder(),
      // The viewer is cached only for a busy page: test/viewer/busy-page.own.test.ts.
      "view-drop": both.map((address) => ({ address, tags: "not kept" })),
      "read-drop-state": [
        ...both.map((one) => ({ address: `${one}/state`, tags })),
        { address: `${hosts.base}/p/0000000/state`, tags: [dropTag("0000000")] },
        { address: `${hosts.base}/p/${slug}/state?reader=1`, tags: "not kept" },
      ],
      "serve-blob": await uploadFiles(),
      "show-owner-page": [
        { address: `${hosts.owner}/`, tags: [ownerTag(service.namespace)] },
        { address: `${hosts.owner}/?page=9`, tags: [ownerTag(service.namespace)] },
      ],
      "show-owner-feed": [{ address: `${hosts.owner}/feed`, tags: [ownerTag(service.namespace)] }],
      ...Object.fromEntries(
        documents.map((id) => [
          id,
          [{ address: `${hosts.base}${routes[id].path.replace("{slug}", slug)}`, tags: "not kept" as const }],
        ]),
      ),
      "show-home-page": [{ address: `${hosts.base}/`, tags: "not kept" }],
      "show-embedded-file": [{ address: `${hosts.owner}/b/0000000/k${"a".repeat(40)}`, tags: "not kept" }],
    };
  };

  /** Documents whose paths contain a dot, like most files in a folder. */
  const documents = [
    "export-answers",
    "export-own-answers",
    "list-agent-skills",
    "list-mcp-servers",
    "read-agent-skill",
    "read-api-catalog",
    "read-issuer-metadata",
    "read-llms-txt",
    "read-open-api",
    "read-resource-metadata",
    "read-robots-txt",
    "read-security-txt",
  ] as const;

  const cachedPatterns = (): string[] => {
    const [distribution] = resourcesOfType(service.cloud.template, "AWS::CloudFront::Distribution");
    const config = distribution?.properties.DistributionConfig as {
      readonly CacheBehaviors: readonly { readonly PathPattern: string; readonly CachePolicyId: string }[];
      readonly DefaultCacheBehavior: { readonly CachePolicyId: string };
    };
    const policies = resourcesOfType(service.cloud.template, "AWS::CloudFront::CachePolicy");
    const isCached = (one: { readonly CachePolicyId: string }) =>
      policies.some(({ physicalId }) => physicalId === one.CachePolicyId);
    expect(isCached(config.DefaultCacheBehavior)).toBe(false);
    return config.CacheBehaviors.filter(isCached).map(({ PathPattern }) => PathPattern);
  };

  /** Returns the path that readers request. The edge rewrites an owner's URL to an internal path. */
  const publicPath = (route: Route) =>
    route.path === "/owner" ? "/" : route.path.replace("{slug}", "0000000").replace(/\{.*?\}/g, "x");

  test("of every operation is invalidated by each of its tags", async () => {
    const slug = await publish();
    await givenRender({ slug }, 1);
    await givenRender({ slug }, 2);
    const patterns = cachedPatterns();
    const behind = Object.values(routes).filter(
      (route: Route) =>
        route.method === "GET" && patterns.some((pattern) => matchesPathPattern(pattern, publicPath(route))),
    );
    const examples = await examplesOf(slug);
    expect(Object.keys(examples).sort()).toEqual(behind.map(({ id }) => id).sort());

    for (const some of Object.values(examples)) for (const example of some) await expectForgotten(example);
  });

  /** Returns requests for existing and missing files of an open folder at every kind of URL, and of a guarded folder. */
  async function filesOfFolder(): Promise<Example[]> {
    const files = ["index.html", "404.html", "a.txt"].map((path) => ({ path, bytes: Buffer.from("secret") }));
    const publishFiles = async (): Promise<string> => {
      const headers = { "content-type": "application/zip" };
      const body = Buffer.from(writeArchive(files));
      return (await service.call("POST", "/api/drops?title=A%20folder", body, headers)).json.slug;
    };
    const [open, guarded] = [await publishFiles(), await publishFiles()];
    await service.call("PATCH", `/api/drops/${guarded}`, { visibility: "members" });
    const tags = [dropTag(open), ownerTag(service.namespace)];
    const both = [hosts.base, hosts.owner];
    const paths = ["", "a.txt", "@1/", "@1/a.txt", "@1-framed/", "@1-framed/404.html"];
    const host = `${hosts.base.replace("//", `//${folderLabel({ id: folderHostId(open) })}.`)}/`;
    const ofHost = paths.map((path) => ({ address: folderFile(host, path), tags }));
    const others = [
      `${open}/raw/missing`,
      `${open}/raw/@1/missing`,
      `${guarded}/raw/`,
      `${guarded}/raw/@1/a.txt`,
    ];
    const ofOthers = both.flatMap((host): Example[] => [
      ...paths.map((path) => ({ address: `${host}/p/${open}/raw/${path}`, tags: "not kept" as const })),
      ...others.map((path) => ({ address: `${host}/p/${path}`, tags: "not kept" as const })),
    ]);
    return [...ofHost, { address: `${host}missing`, tags: "not kept" }, ...ofOthers];
  }

  /** Uploads a public file, and one that becomes public later. */
  async function uploadFiles(): Promise<Example[]> {
    const upload = (query: string) =>
      service.call("POST", `/api/blobs?filename=a.txt${query}`, Buffer.from("text"));
    const [open, opened] = [(await upload("")).json.id, (await upload("&visibility=members")).json.id];
    await service.call("PATCH", `/api/blobs/${opened}`, { visibility: "public" });
    const addressOf = (id: string) => `${hosts.owner}/b/${id}`;
    await expect.poll(async () => (await fetchPage(addressOf(opened))).status).toBe(200);
    return [open, opened].map((id: string) => ({
      address: addressOf(id),
      tags: [fileTag({ namespace: service.namespace, id }), ownerTag(service.namespace)],
    }));
  }

  async function expectForgotten({ tags, ...form }: Example): Promise<void> {
    if (tags === "not kept") {
      expect([form.address, ...(await outcomesOf([form, form]))]).not.toContain("Hit");
      return;
    }
    for (const tag of [...tags, "all"]) {
      // An entry that is cached for two seconds may expire between two requests.
      await expect
        .poll(() => ask(form).then(({ outcome }) => outcome), { message: form.address })
        .toBe("Hit");

      service.cloud.edge.invalidate([tag]);

      expect([form.address, tag, (await ask(form)).outcome]).toEqual([form.address, tag, "Miss"]);
    }
  }
});
