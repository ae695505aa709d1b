import { expect, test } from "vitest";
import { publishDropBody } from "../../functions/drops/schemas.ts";
import { jsonBodyBytesMax } from "../../functions/ingest/json-body.ts";
import { ingestOperationIds } from "../../functions/ingest/rows.ts";
import { limits } from "../../functions/platform/limits.ts";
import { validate } from "../../functions/platform/validation.ts";
import { routeOf } from "../../functions/routes.ts";

/** Every UTF-16 unit as an escape: the longest that JSON can be. */
function escaped(text: string): string {
  const units = Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`,
  );
  return `"${units.join("")}"`;
}

test("a legal body with every field at its limit and every character escaped is smaller than the bound", () => {
  const emoji = "🙂";
  const metadata = Array.from(
    { length: limits.metadataKeysMax },
    (_, index) =>
      `${escaped("k".repeat(62) + String(index).padStart(2, "0"))}:${escaped(emoji.repeat(limits.metadataValueCodePointsMax))}`,
  );
  const body = `{
    "html": ${escaped("x".repeat(limits.htmlBytesMax))},
    "title": ${escaped(emoji.repeat(limits.titleCodePointsMax))},
    "description": ${escaped(emoji.repeat(limits.descriptionCodePointsMax))},
    "context": ${escaped(emoji.repeat(limits.contextCodePointsMax))},
    "passcode": ${escaped("p".repeat(limits.passcodeBytesMax))},
    "metadata": {${metadata.join()}}
  }`;

  expect(validate(publishDropBody, JSON.parse(body)).html).toHaveLength(limits.htmlBytesMax);
  const bytesMax = jsonBodyBytesMax(routeOf("publish-drop"));
  expect(Buffer.byteLength(body)).toBeLessThan(bytesMax);
  // The bound is worth something only as long as it is close.
  expect(Buffer.byteLength(body)).toBeGreaterThan(bytesMax - 100_000);
});

test("what takes no page takes no more than functions do", () => {
  const pageless = ingestOperationIds.map(routeOf).filter(({ errors }) => !errors.includes("html_too_large"));

  expect(pageless.map(({ id }) => id)).toEqual(expect.arrayContaining(["edit-drop", "set-passcode"]));
  for (const route of pageless) expect(jsonBodyBytesMax(route)).toBe(3_145_728);
});
