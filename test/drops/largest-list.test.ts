import { expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { createDrop, type Drop } from "../../functions/drops/drop.ts";
import { dropsGivenTwiceMax, withHtmlbinCliListAdditions } from "../../functions/drops/htmlbin-cli-compat.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import { presentDrop } from "../../functions/drops/presenter.ts";
import { publishDropBody } from "../../functions/drops/schemas.ts";
import { validate } from "../../functions/http/validation.ts";

/** AWS Lambda developer guide, "Lambda quotas": the size of a response, whose body is a JSON string in it. */
const responseBytesMax = 6 * 2 ** 20;

const site = { baseUrl: "https://drops.example.com", baseDomain: "drops.example.com" };

test.each([limits.pageSizeMax, dropsGivenTwiceMax])(
  "a page of %i drops of the maximum size fits into a function's response",
  (pageSize) => {
    const drops = Array.from({ length: pageSize }, () => presentDrop(site, largestDrop()));

    const page = { drops, page: 1, page_size: pageSize, total: pageSize };

    const list = withHtmlbinCliListAdditions(page, { filters: [], isForCli: true });

    const response = JSON.stringify({ statusCode: 200, body: JSON.stringify(list) });
    expect(Buffer.byteLength(response)).toBeLessThan(responseBytesMax);
    // Otherwise the drop is no longer the largest, and this test is meaningless.
    expect(Buffer.byteLength(response)).toBeGreaterThan(0.8 * responseBytesMax);
  },
);

/**
 * A drop with every field at its maximum length, filled with the largest character when encoded: an escape within an
 * escape.
 */
function largestDrop(): Drop {
  const escaped = (count: number) => "\u0001".repeat(count);
  const { metadataKeysMax, metadataValueCodePointsMax, readersPerDropMax, readerBytesMax } = limits;
  const keys = Array.from({ length: metadataKeysMax }, (_, index) => `${index}${"k".repeat(63)}`);
  const body = validate(publishDropBody, {
    html: "<p>",
    // Displayed texts cannot contain control characters.
    title: '"'.repeat(limits.titleCodePointsMax),
    description: '"'.repeat(limits.descriptionCodePointsMax),
    metadata: Object.fromEntries(keys.map((key) => [key, escaped(metadataValueCodePointsMax)])),
    visibility: "people",
    readers: Array.from({ length: readersPerDropMax }, (_, index) =>
      String(index).padStart(2, "0").padEnd(readerBytesMax, "r"),
    ),
  });
  const readers = body.readers ?? [];
  const facts = { slug: "aB3dE5f", passcodeHash: "hash", nowMs: Date.now() };
  const owner = { userId: "owner", namespace: "n".repeat(40) };
  const page = toStoredPage("aB3dE5f", "Object0000000001", body);
  return createDrop(owner, body, page, {
    ...facts,
    reach: { visibility: { kind: "people", readers }, indexed: false },
  }).drop;
}
