import { operationExamples } from "../../functions/discovery/openapi/features.ts";
import { type OperationId, routeOf } from "../../functions/routes.ts";
import type { CallOptions } from "./client.ts";

const site = { baseUrl: "https://drops.example.com", ownerUrl: () => "https://ada.drops.example.com" };
const examples = operationExamples(site);

/** Bodies that differ from the document's example, to match a later request. */
const bodies: Partial<Record<OperationId, unknown>> = {
  "start-upload": { filename: "a.txt", size_bytes: 9 },
};

/** Builds a well-formed call of an operation with the given path parameters, which decide whether it succeeds. */
export function sampleCall(
  id: OperationId,
  params: Readonly<Record<string, string | number>> = {},
): CallOptions {
  return {
    params: {
      slug: "aaaaaaa",
      n: 1,
      id: "aaaaaaa",
      thread: 1,
      number: 1,
      publication: "a".repeat(16),
      namespace: "nobody",
      reader: "ada@example.com",
      ...params,
    },
    ...(typeof routeOf(id).body === "object" ? { body: bodies[id] ?? examples[id]?.body } : {}),
    ...(id === "upsert-drop" ? { query: { "metadata.sample": "yes" } } : {}),
    ...(id === "send-page" ? { query: { key: "k".repeat(43) }, text: "<title>A page</title>" } : {}),
    ...(id === "search-drops" ? { query: { q: "sample" } } : {}),
    ...(id === "compare-versions" ? { query: { from: 1, to: 1 } } : {}),
    ...(id === "upload-blob" ? { query: { filename: "a.txt" }, text: "A sample." } : {}),
  };
}
