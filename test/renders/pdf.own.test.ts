// @module-tag slow

import { setTimeout } from "node:timers/promises";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pdfKey } from "../../functions/renders/render.ts";
import { pdfLimits } from "../../functions/renders/report.ts";
import { toRender } from "../../functions/renders/store.ts";
import { keys } from "../../functions/table/keys.ts";
import { longMs } from "../support/patience.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "../workers/service-with-storage.ts";

let service: ServiceWithStorage;
/** A drop with two versions, and the rendered PDF of the latest. */
let drawn: { readonly slug: string; readonly pdf: Pdf };

beforeAll(async () => {
  service = await startServiceWithStorage(60, { fileSettings: { renders: true, renderConcurrency: 2 } });
  const slug = await publish(pageOf("First edition"));
  await service.call("PUT", `/api/drops/${slug}`, { html: pageOf("Second edition") });
  drawn = { slug, pdf: await pdfOf(`/api/drops/${slug}/pdf`) };
}, longMs);
afterAll(() => service.stop());

/** A page whose text in print differs from that on screens. */
function pageOf(text: string, style = ""): string {
  return `<!doctype html><html lang="en"><head><title>Numbers</title><style>
.paper { display: none } @media print { .screen { display: none } .paper { display: block } } ${style}</style></head>
<body><h1>${text}</h1><p class="screen">Shown on screens</p><p class="paper">Shown on paper</p></body></html>`;
}

async function publish(html: string, more: object = {}): Promise<string> {
  const { status, json } = await service.call("POST", "/api/drops", {
    title: "Numbers: 2026",
    html,
    ...more,
  });
  expect(status).toBe(201);
  return json.slug;
}

interface Pdf {
  readonly bytes: Buffer;
  readonly headers: Headers;
  readonly pages: readonly string[];
  readonly title: unknown;
  /** Size of the first page, in points. */
  readonly size: readonly number[];
}

type Sent = Readonly<Record<string, string>>;

/** Fetches a path; the API's paths with the owner's token. */
const fetchOnce = (path: string, headers: Sent = {}) => service.fetch(path, headers);

/** Polls until the response is not 202. */
async function settled(path: string, headers: Sent = {}): Promise<Response> {
  for (;;) {
    const response = await fetchOnce(path, headers);
    if (response.status !== 202) return response;
    await setTimeout(500);
  }
}

/** Fetches the PDF at a path and parses it with another library. */
async function pdfOf(path: string, headers: Sent = {}): Promise<Pdf> {
  const response = await settled(path, headers);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  const bytes = Buffer.from(await response.arrayBuffer());
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document);
  const { info } = await document.getMetadata();
  const size = (await document.getPage(1)).view;
  return {
    bytes,
    headers: response.headers,
    pages: text,
    title: (info as { readonly Title?: unknown }).Title,
    size,
  };
}

const row = async (slug: string, version = 1) => service.getItem(keys.renderedPdf(slug, version));

describe("the PDF of a page", () => {
  test("is rendered on request with the print styles, on A4, and has the page's title", async () => {
    const { pages, title, size, headers } = drawn.pdf;

    expect(pages).toEqual(["Second edition\nShown on paper"]);
    expect(title).toBe("Numbers");
    expect(size.map(Math.round)).toEqual([0, 0, 596, 843]);
    expect(headers.get("content-disposition")).toContain("filename*=UTF-8''Numbers-%202026.pdf");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("is requested by the first call, and not by a publication", async () => {
    const slug = await publish(pageOf("Waiting"));
    expect(await row(slug)).toBeUndefined();

    const responses = await Promise.all([1, 2].map(() => fetchOnce(`/api/drops/${slug}/pdf`)));

    const [first] = responses;
    const body = await first?.json();
    expect(responses.map(({ status }) => status)).toEqual([202, 202]);
    expect(body).toMatchObject({ slug, version: 1, state: "asked" });
    expect(first?.headers.get("retry-after")).toBe(String(body.retry_after_seconds));
    const { atMs } = (await row(slug)) ?? {};
    expect((await pdfOf(`/api/drops/${slug}/pdf`)).pages).toEqual(["Waiting\nShown on paper"]);
    expect(Number((await row(slug))?.atMs)).toBeGreaterThan(Number(atMs));
    expect(await service.objectKeys("Pages", `_reports/${slug}/`)).toHaveLength(1);
  });

  test("is of the given version, and rendered once", { tags: "nightly" }, async () => {
    const first = await pdfOf(`/api/drops/${drawn.slug}/pdf?v=1`);
    const again = await fetchOnce(`/api/drops/${drawn.slug}/pdf?v=2`);

    expect(first.pages).toEqual(["First edition\nShown on paper"]);
    expect(first.headers.get("content-disposition")).toContain("%202026%20v1.pdf");
    expect(Buffer.from(await again.arrayBuffer()).equals(drawn.pdf.bytes)).toBe(true);
    expect((await fetchOnce(`/api/drops/${drawn.slug}/pdf?v=3`)).status).toBe(404);
  });

  test("has the paper size of the page's styles", { tags: "nightly" }, async () => {
    const slug = await publish(
      pageOf("Square", "@page { size: 100mm 100mm; margin: 0 } h1 { break-after: page }"),
    );

    const { pages, size } = await pdfOf(`/api/drops/${slug}/pdf`);

    expect(pages).toEqual(["Square", "Shown on paper"]);
    expect(size.map(Math.round)).toEqual([0, 0, 283, 283]);
  });

  test("with too many pages is refused with the reason, and is not attempted again", {
    tags: "nightly",
  }, async () => {
    const html = `<style>p { break-after: page }</style>${"<p>x".repeat(pdfLimits.pagesMax + 1)}`;
    const path = `/api/drops/${await publish(html)}/pdf`;

    const refused = await settled(path);

    const { error } = await refused.json();
    expect([refused.status, error.code]).toEqual([404, "not_found"]);
    expect(error.message).toContain("more than 200 pages");
    expect(error.details).toMatchObject({ reason: "too-large" });
    expect(error.details.ask_again_at).toBeGreaterThan(Date.now());
    expect((await fetchOnce(path)).status).toBe(404);
  });
});

describe("a reader's PDF", () => {
  test("is identical to the owner's PDF, as a sandboxed download", async () => {
    const { bytes, headers } = await pdfOf(`/p/${drawn.slug}/pdf`, { "sec-fetch-dest": "document" });

    expect(bytes.equals(drawn.pdf.bytes)).toBe(true);
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="page\.pdf"/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-robots-tag")).toBe("noindex");
  });

  test("is linked in the viewer's menu, for the displayed version", async () => {
    const viewer = await fetchOnce(`/d/${drawn.slug}?v=1`);

    expect(await viewer.text()).toContain(`<a href="/p/${drawn.slug}/pdf?v=1">Download as PDF</a>`);
  });

  test("is preceded by a page that reloads itself, with a link back to the same version", {
    tags: "nightly",
  }, async () => {
    const slug = await publish(pageOf("For readers"));

    const waiting = await fetchOnce(`/p/${slug}/pdf?v=1`);
    const html = await waiting.text();

    expect(waiting.status).toBe(202);
    expect(waiting.headers.get("refresh")).toBe(waiting.headers.get("retry-after"));
    expect(waiting.headers.get("cache-control")).toBe("no-store");
    expect(html).toContain("Your PDF is being created");
    expect(html).toContain(`href="/p/${slug}?v=1"`);
    expect((await pdfOf(`/p/${slug}/pdf?v=1`)).pages).toEqual(["For readers\nShown on paper"]);
  });

  test("of a restricted drop looks missing to strangers, whose requests do not start a rendering", async () => {
    const slug = await publish(pageOf("Members only"), { visibility: "members" });
    const ask = async (path: string) => {
      const { status, headers } = await fetchOnce(path);
      return [status, headers.get("content-type"), headers.get("cache-control")];
    };

    expect(await ask(`/p/${slug}/pdf`)).toEqual(await ask(`/p/${slug}/raw`));
    expect((await fetchOnce(`/p/${slug}/pdf`)).status).toBe(404);
    expect(await row(slug)).toBeUndefined();
    expect((await pdfOf(`/api/drops/${slug}/pdf`)).pages).toEqual(["Members only\nShown on paper"]);
    expect((await fetchOnce(`/p/${slug}/pdf`)).status).toBe(404);
  });

  test("of a locked drop needs its unlock cookie, and is not cached", async () => {
    const slug = await publish(pageOf("Locked away"), { passcode: "open sesame" });
    const path = `/p/${slug}/pdf`;

    const gate = await fetchOnce(path, { "sec-fetch-dest": "document" });
    const link = await fetchOnce(path, { "sec-fetch-dest": "empty" });
    const cookie = await service.unlock(slug, "open sesame");

    expect(await gate.text()).toContain("This page is locked");
    expect(link.status).toBe(404);
    expect(await row(slug)).toBeUndefined();
    const { pages, headers } = await pdfOf(path, { cookie });
    expect(pages).toEqual(["Locked away\nShown on paper"]);
    expect(headers.get("cache-control")).toBe("private, no-store");
  });
});

describe("a PDF is deleted", () => {
  const soon = { timeout: 20_000 };

  test("with its version, and with its drop", { tags: "nightly" }, async () => {
    const slug = await publish(pageOf("One"));
    await service.call("PUT", `/api/drops/${slug}`, { html: pageOf("Two") });
    for (const version of [1, 2]) await pdfOf(`/p/${slug}/pdf?v=${version}`);
    const { folder = "" } = toRender((await row(slug, 2)) ?? {});
    expect(await service.objectKeys("Pages", `_reports/${slug}/`)).toHaveLength(2);

    await service.call("DELETE", `/api/drops/${slug}/v/1`);

    await expect.poll(() => service.objectKeys("Pages", `_reports/${slug}/`), soon).toEqual([pdfKey(folder)]);
    expect(await row(slug, 1)).toBeUndefined();
    expect((await fetchOnce(`/p/${slug}/pdf?v=1`)).status).toBe(404);

    for (const place of ["drops", "trash"]) await service.call("DELETE", `/api/${place}/${slug}`);

    await expect.poll(() => service.objectKeys("Pages", `_reports/${slug}/`), soon).toEqual([]);
    await expect.poll(() => service.sortKeys(`SLUG#${slug}`), soon).toEqual(["SLUG"]);
    expect((await fetchOnce(`/p/${slug}/pdf`)).status).toBe(404);
  });
});
