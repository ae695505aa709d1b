import type { OperationId } from "../../functions/routes.ts";
import type { CallOptions } from "./client.ts";

const bodies: Partial<Record<OperationId, unknown>> = {
  "start-sign-in": {},
  "publish-drop": { html: "<p>A sample.</p>", title: "A sample" },
  "upsert-drop": { html: "<p>A sample.</p>", title: "A sample" },
  "publish-version": { html: "<p>A sample.</p>" },
  "edit-drop": { title: "A sample" },
  "set-passcode": { passcode: "abcd" },
  "start-upload": { filename: "a.txt", size_bytes: 9 },
};

/** A well-formed call of an operation, for the given path parameters; whether it succeeds depends on those. */
export function sampleCall(
  id: OperationId,
  params: Readonly<Record<string, string | number>> = {},
): CallOptions {
  return {
    params: { slug: "aaaaaaa", n: 1, id: "aaaaaaa", ...params },
    ...(id in bodies ? { body: bodies[id] } : {}),
    ...(id === "upsert-drop" ? { query: { "metadata.sample": "yes" } } : {}),
    ...(id === "upload-blob" ? { query: { filename: "a.txt" }, text: "A sample." } : {}),
  };
}
