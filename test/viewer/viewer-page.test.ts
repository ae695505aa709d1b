import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { renderViewerPage } from "../../functions/viewer/viewer-page.tsx";
import { baseUrl, ownerUrl, someVersions, viewerProps } from "../html/page-fixtures.ts";
import { elementById, findElements, parsePage } from "../html/parsed-page.ts";

const canonicalUrl = `${ownerUrl}d/aB3dE5f`;

test("the page is framed with exactly the specification's sandbox", () => {
  const [frame, ...others] = findElements(renderViewerPage(viewerProps()), "iframe");

  expect(others).toEqual([]);
  expect(frame?.attributes).toEqual({
    id: "page",
    allow: "fullscreen; clipboard-write; screen-wake-lock",
    sandbox: "allow-scripts allow-forms allow-modals allow-downloads",
    src: "/p/aB3dE5f/raw?v=3&framed=1",
    title: "Quarterly numbers",
  });
});

test("without scripts no notice covers the page", () => {
  const notices = parsePage(renderViewerPage(viewerProps())).filter(
    ({ attributes }) => attributes.class === "way-out",
  );

  expect(notices.map(({ attributes }) => [attributes.id, attributes.hidden])).toEqual([
    ["news", ""],
    ["way-out", ""],
  ]);
});

test("title, description and owner are on the page and in the head", () => {
  const html = renderViewerPage(viewerProps());
  const tags = findElements(html, "meta").map(({ attributes }) => [attributes.property, attributes.content]);

  expect(findElements(html, "title")[0]?.text).toBe("Quarterly numbers");
  expect(findElements(html, "h1")[0]?.text).toBe("Quarterly numbers");
  expect(findElements(html, "p").map(({ text }) => text)).toContain("Revenue, churn and cost.");
  expect(findElements(html, "a").find(({ attributes }) => attributes.href === ownerUrl)?.text).toBe("by ada");
  expect(
    findElements(html, "link").find(({ attributes }) => attributes.rel === "canonical")?.attributes.href,
  ).toBe(canonicalUrl);
  expect(tags).toContainEqual(["og:title", "Quarterly numbers"]);
  expect(tags).toContainEqual(["og:description", "Revenue, churn and cost."]);
  expect(tags).toContainEqual(["og:url", canonicalUrl]);
});

test("a drop without a description has one in the head, and no empty paragraph on the page", () => {
  const html = renderViewerPage(viewerProps({ description: null }));
  const description = findElements(html, "meta").find(({ attributes }) => attributes.name === "description");

  expect(description?.attributes.content).toContain("ada");
  expect(findElements(html, "p").filter(({ text }) => text === "")).toEqual([]);
});

test("every version is a plain link with number, time, size and a mark for context", () => {
  const html = renderViewerPage(viewerProps());
  const links = findElements(html, "a").filter(
    ({ attributes, text }) => attributes.href?.startsWith("/p/aB3dE5f?v=") && text !== "Reload",
  );

  expect(links.map(({ attributes }) => attributes.href)).toEqual([
    "/p/aB3dE5f?v=3",
    "/p/aB3dE5f?v=2",
    "/p/aB3dE5f?v=1",
  ]);
  expect(links.map(({ text }) => text)).toEqual([
    "Version 3 latest, context 3 May 2025 12 KB",
    "Version 2  3 May 2025 12 KB",
    "Version 1 context 3 May 2025 12 KB",
  ]);
  expect(links.map(({ attributes }) => attributes["aria-current"])).toEqual(["true", undefined, undefined]);
  expect(findElements(html, "time")[0]?.attributes.datetime).toBe("2025-05-03T14:05Z");
});

test("an older version is marked, with a link to the latest", () => {
  const older = renderViewerPage(viewerProps({ version: 1 }));
  const latest = renderViewerPage(viewerProps());
  const notice = (html: string) => parsePage(html).find(({ attributes }) => attributes.class === "older");

  expect(notice(latest)).toBeUndefined();
  expect(notice(older)?.text).toBe("This is version 1, from 3 May 2025, 12:05 UTC Back to the latest");
  expect(findElements(older, "a").find(({ text }) => text === "Back to the latest")?.attributes.href).toBe(
    "/p/aB3dE5f?v=3",
  );
});

test("a page that expires soon shows when, beside the notice of an older version", () => {
  const expiresAtMs = Date.UTC(2025, 4, 9, 8, 30);
  const notices = (html: string) =>
    parsePage(html)
      .filter(({ attributes }) => attributes.class === "older")
      .map(({ text }) => text);

  expect(notices(renderViewerPage(viewerProps()))).toEqual([]);
  expect(notices(renderViewerPage(viewerProps({ expiresAtMs })))).toEqual([
    "This page expires 9 May 2025, 08:30 UTC",
  ]);
  expect(notices(renderViewerPage(viewerProps({ version: 1, expiresAtMs })))).toEqual([
    "This is version 1, from 3 May 2025, 12:05 UTC Back to the latestThis page expires 9 May 2025, 08:30 UTC",
  ]);
});

test("the version's publisher, time and note are shown, with a link for the owner to edit or share it", () => {
  const note = "With the figures of <January>.";
  const versions = someVersions(3).map((version) => (version.number === 2 ? { ...version, note } : version));
  const html = renderViewerPage(viewerProps({ version: 2, versions }));
  const by = parsePage(html).find(({ attributes }) => attributes.class === "by");

  expect(by?.text).toBe("by ada 3 May 2025, 13:05 UTC");
  expect(findElements(html, "p").map(({ text }) => text)).toContain(note);
  expect(findElements(html, "a").find(({ text }) => text.startsWith("Version 2"))?.text).toContain(note);
  expect(linksOf(html)).toContainEqual([
    "Is this your page? Edit or share it",
    `${baseUrl}/account/drops/aB3dE5f?from=link`,
  ]);
});

test("every key in the dialog belongs to a control, and the context's key is listed only with a context", () => {
  const keysOf = (html: string) => {
    return {
      told: findElements(html, "kbd").map(({ text }) => text),
      pressed: parsePage(html).flatMap(({ attributes }) => attributes["aria-keyshortcuts"] ?? []),
    };
  };
  const { told, pressed } = keysOf(renderViewerPage(viewerProps({ version: 2 })));

  expect(told.toSorted()).toEqual(pressed.toSorted());
  expect(keysOf(renderViewerPage(viewerProps({ hasContext: false }))).told).not.toContain("c");
});

test("the link to copy is permanent for the latest version, and pinned for an older one", () => {
  const copied = (version: number) => {
    return elementById(renderViewerPage(viewerProps({ version })), "copy-link").attributes.href;
  };

  expect(copied(3)).toBe(canonicalUrl);
  expect(copied(1)).toBe("/p/aB3dE5f?v=1");
});

test("context is a link that works without scripts, and absent if the version has none", () => {
  const withContext = renderViewerPage(viewerProps());
  const without = renderViewerPage(viewerProps({ hasContext: false }));

  expect(elementById(withContext, "context-toggle").attributes.href).toBe("/p/aB3dE5f/context?v=3");
  expect(elementById(withContext, "context").attributes).toHaveProperty("hidden");
  expect(without).not.toContain("/p/aB3dE5f/context");
});

test("of 200 versions, the newest and those around the displayed one are listed, and a field opens any", () => {
  const html = renderViewerPage(
    viewerProps({ version: 97, latestVersion: 200, versions: someVersions(200) }),
  );
  const numbers = findElements(html, "a").flatMap(({ text }) => /^Version (\d+) /.exec(text)?.[1] ?? []);
  const field = elementById(html, "version");

  expect(numbers.map(Number)).toEqual([200, 199, 198, 197, 196, 195, 194, 193, 100, 99, 98, 97, 96, 95, 94]);
  expect(
    findElements(html, "li")
      .filter(({ attributes }) => attributes.class === "skipped")
      .map(({ text }) => text),
  ).toEqual([expect.stringContaining("Version 100")]);
  expect(field.attributes).toMatchObject({ name: "v", type: "number", min: "1", max: "200" });
  expect(findElements(html, "form")[0]?.attributes).toEqual({ method: "get" });
});

// With its headers, the page fits into the first ten segments of a connection, 14,600 bytes: RFC 6928.
test("the compressed page stays under 13 KB with the longest title, description and names, and 200 versions", () => {
  const namespace = "a".repeat(40);
  const longOwnerUrl = `https://${namespace}.pages.dropleaf.test/`;
  const html = renderViewerPage(
    viewerProps({
      title: "t".repeat(200),
      description: "d".repeat(500),
      namespace,
      ownerUrl: longOwnerUrl,
      canonicalUrl: `${longOwnerUrl}d/aB3dE5f`,
      rawUrl: `${longOwnerUrl}p/aB3dE5f/raw?v=97`,
      cardUrl: `${longOwnerUrl}p/aB3dE5f/raw?drawn=card&v=97`,
      oembedUrl: `https://dropleaf.test/oembed?${new URLSearchParams({ url: `${longOwnerUrl}d/aB3dE5f` })}`,
      feedbackUrl: "/p/aB3dE5f/feedback?v=97",
      expiresAtMs: Date.UTC(2025, 4, 9, 8, 30),
      version: 97,
      latestVersion: 200,
      versions: someVersions(200),
      versionUrl: (number) => `${longOwnerUrl}d/aB3dE5f?v=${number}`,
    }),
  );

  expect(gzipSync(html).byteLength).toBeLessThan(13_312);
});

test("the displayed version can be saved as a PDF only if pages are rendered", () => {
  const entry = ["Download as PDF", "/p/aB3dE5f/pdf?v=3"];

  expect(linksOf(renderViewerPage(viewerProps()))).toContainEqual(entry);
  expect(renderViewerPage(viewerProps({ pdfUrl: undefined }))).not.toContain("PDF</a>");
});

test("the displayed version has a download link on the viewer's own host", () => {
  expect(linksOf(renderViewerPage(viewerProps()))).toContainEqual([
    "Download",
    "/p/aB3dE5f/raw?v=3&download=1",
  ]);
});

test("a reader who had to sign in has a link to the sign-out", () => {
  const readerUrl = "https://drops.example.com/login/read";

  expect(linksOf(renderViewerPage(viewerProps({ readerUrl })))).toContainEqual(["Signed in", readerUrl]);
  expect(renderViewerPage(viewerProps())).not.toContain("/login/read");
});

test("the page has a report link only if the operator has set a contact", () => {
  const reportUrl = "mailto:security@example.com?subject=Report%3A%20x";
  expect(linksOf(renderViewerPage(viewerProps({ reportUrl })))).toContainEqual(["Report", reportUrl]);
  expect(linksOf(renderViewerPage(viewerProps())).flat()).not.toContain("Report");
});

/** Returns the text and address of each link of a page. */
function linksOf(html: string): (string | undefined)[][] {
  return findElements(html, "a").map(({ attributes, text }) => [text, attributes.href]);
}

test("the field for a version keeps the page's query", () => {
  const html = renderViewerPage(
    viewerProps({ versions: someVersions(40), latestVersion: 40, version: 40, pageQuery: "a=1&a=%20x&bare" }),
  );

  const hidden = findElements(html, "input").filter(({ attributes }) => attributes.type === "hidden");
  expect(hidden.map(({ attributes: { name, value } }) => [name, value])).toEqual([
    ["a", "1"],
    ["a", " x"],
    ["bare", ""],
  ]);
});
