import { describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { publishDropBody } from "../../functions/drops/schemas.ts";
import { validate } from "../../functions/http/validation.ts";
import { bufferJsonBody, jsonBodyBytesMax, jsonValuesMax } from "../../functions/ingest/json-body.ts";
import { ingestOperationIds } from "../../functions/ingest/rows.ts";
import { routeOf } from "../../functions/routes.ts";

/** Encodes every UTF-16 unit as an escape, the longest form in JSON. */
function escaped(text: string): string {
  const units = Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`,
  );
  return `"${units.join("")}"`;
}

test("a valid body with every field at its limit and every character escaped is smaller than the limit", {
  tags: "slow",
}, () => {
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
  // Checks that the limit is not much larger than necessary.
  expect(Buffer.byteLength(body)).toBeGreaterThan(bytesMax - 100_000);
});

test("operations without a page have the functions' limit", () => {
  const pageless = ingestOperationIds.map(routeOf).filter(({ errors }) => !errors.includes("html_too_large"));

  expect(pageless.map(({ id }) => id)).toEqual(expect.arrayContaining(["edit-drop", "set-passcode"]));
  for (const route of pageless) expect(jsonBodyBytesMax(route)).toBe(3_145_728);
});

describe("the number of values in a JSON body", () => {
  /**
   * Reads a body that arrives in pieces of this size. Returns the number of buffered bytes or the error code, and the
   * number of read bytes.
   */
  async function hold(text: string, { kind = "json" as "html" | "json", pieceBytes = 4_096 } = {}) {
    const bytes = Buffer.from(text);
    let readBytes = 0;
    const body = {
      contentLength: undefined,
      async *pieces() {
        for (; readBytes < bytes.byteLength; readBytes += pieceBytes) {
          yield bytes.subarray(readBytes, readBytes + pieceBytes);
        }
      },
      discard: async () => true,
    };
    const reading = { route: routeOf("publish-drop"), userId: "ada", kind };
    const outcome = await bufferJsonBody(body, reading).then(
      (held) => {
        held.release();
        return held.bytes.byteLength;
      },
      (error: { readonly code: string }) => error.code,
    );
    return { outcome, readBytes };
  }

  test.each([
    ["an array", `{"a":[${"0,".repeat(jsonValuesMax)}0]}`],
    ["field names", `\uFEFF {${'"a":0,'.repeat(jsonValuesMax)}"b":0}`],
    ["nested arrays", "[".repeat(jsonValuesMax + 1)],
    [
      "objects after a text that ends with a backslash",
      `{"a":"\\\\","b":[${'{"":{}},'.repeat(jsonValuesMax)}0]}`,
    ],
  ])("is refused, before the rest is read, above the maximum of all operations: %s", async (_, start) => {
    const { outcome, readBytes } = await hold(`${start}${" ".repeat(1_000_000)}`);

    expect(outcome).toBe("invalid_arg");
    expect(readBytes).toBeLessThan(200_000);
  });

  test.each([
    ["a text with many separators", `{"html":"${'\\"[,{'.repeat(jsonValuesMax)}"}`, {}],
    ["the same text in pieces of one byte", `{"html":"${'\\"[,'.repeat(jsonValuesMax)}"}`, { pieceBytes: 1 }],
    ["a body with exactly the maximum", `[${"0,".repeat(jsonValuesMax - 1)}0]`, {}],
    ["an HTML page with many separators", "{,".repeat(jsonValuesMax), { kind: "html" as const }],
    ["a body that is not JSON", `<p>${"{,".repeat(jsonValuesMax)}`, {}],
  ])("is accepted in %s", async (_, text, options) => {
    expect((await hold(text, options)).outcome).toBe(Buffer.byteLength(text));
  });
});
