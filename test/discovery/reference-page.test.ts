import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { errorCatalog } from "../../functions/core/errors.ts";
import { writtenSite } from "../../functions/core/written-site.ts";
import { curlExample } from "../../functions/discovery/curl-example.ts";
import { fillSite } from "../../functions/discovery/document-response.ts";
import { describeApi, undescribedOperationIds } from "../../functions/discovery/openapi/document.ts";
import { operationsOf, type ReferenceDocument } from "../../functions/discovery/reference-document.ts";
import { renderReferencePage } from "../../functions/discovery/reference-page.tsx";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { findElements, parsePage } from "../html/parsed-page.ts";

const site = {
  baseUrl: "https://drops.example.com",
  ownerUrl: (name: string) => `https://${name}.example.page`,
};
const document = JSON.parse(
  fillSite(JSON.stringify(describeApi(writtenSite, "1")), site),
) as unknown as ReferenceDocument;
const html = renderReferencePage(document);
const described = operationIds.filter((id) => !undescribedOperationIds.includes(id));

test("every operation is listed at every path, with all parameters and errors", () => {
  const articles = findElements(html, "article");

  for (const id of described) {
    const { path: written, summary } = routeOf(id);
    const path = written.replace("+}", "}");
    const shown = articles.find(({ attributes }) => attributes.id === id)?.text ?? "";
    expect(shown, id).toContain(path);
    expect(shown, id).toContain(summary);
    const at = document.paths[path]?.[routeOf(id).method.toLowerCase()];
    for (const { name } of at?.parameters ?? []) expect(shown, id).toContain(name);
    for (const code of routeOf(id).errors) expect(shown, id).toContain(code);
  }
  expect(articles.filter(({ attributes }) => !attributes.id?.startsWith("schema-"))).toHaveLength(
    Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length,
  );
});

test("every field of a body or response, and every error, is described", () => {
  const words = findElements(html, "main").map(({ text }) => text)[0] ?? "";

  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const field of Object.keys(schema.properties ?? {}))
      expect(words, `${name}.${field}`).toContain(field);
  for (const code of Object.keys(document.components.examples)) {
    expect(code in errorCatalog, code).toBe(true);
    expect(html).toContain(`id="error-${code}"`);
  }
});

test("every link within the page has a target, and ids are unique", () => {
  const elements = parsePage(html);
  const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
  const links = elements.flatMap(({ attributes }) =>
    attributes.href?.startsWith("#") ? [attributes.href.slice(1)] : [],
  );

  expect(new Set(ids).size).toBe(ids.length);
  expect(links.filter((link) => !ids.includes(link))).toEqual([]);
});

test("the contents list operations by name, not by path", () => {
  const names = new Map(
    parsePage(html).flatMap(({ attributes, text }) =>
      attributes.href?.startsWith("#") ? [[attributes.href.slice(1), text]] : [],
    ),
  );

  expect(described.map((id) => names.get(id))).toEqual(described.map((id) => routeOf(id).summary));
});

test("the page is below 100 KB compressed, and loads no other resources", () => {
  const brotli = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

  expect(Math.max(brotli.byteLength, gzipSync(html).byteLength)).toBeLessThan(100_000);
  const asked = parsePage(html).flatMap(({ attributes }) => attributes.src ?? []);
  expect(asked).toEqual([]);
  expect(findElements(html, "link").map(({ attributes }) => attributes.rel)).toEqual(["icon", "expect"]);
});

test.each([
  [
    "upsert-drop",
    "curl -X PUT 'https://drops.example.com/api/drops?metadata.project=walk-through' \\\n  -H 'Authorization: Bearer hb_…' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"html\":\"<!doctype html>…\"",
  ],
  ["get-drop", "curl 'https://drops.example.com/api/drops/aB3dE5f' \\\n  -H 'Authorization: Bearer hb_…'"],
  ["view-drop", "curl 'https://ada.example.page/p/aB3dE5f'"],
  ["poll-sign-in", "curl 'https://drops.example.com/api/auth/poll?token="],
])("the example of %s is a curl command", (id, line) => {
  const [operation] = document.tags
    .flatMap(({ name }) => operationsOf(document, name))
    .filter(({ operationId }) => operationId === id);

  expect(operation && curlExample(document, operation).slice(0, line.length)).toBe(line);
});

test("the operations on drops come first: publish, read, update", () => {
  const shown = findElements(html, "article").map(({ attributes }) => attributes.id);

  expect(document.tags[0]?.name).toBe("drops");
  expect(shown.slice(0, 3)).toEqual(["publish-drop", "get-drop", "publish-version"]);
});
