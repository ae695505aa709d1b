import { describe, expect, test } from "vitest";
import { newObjectKey } from "../../functions/blobs/blob.ts";
import { contextKey } from "../../functions/drops/drop.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import { pageTextKey } from "../../functions/feedback/feedback.ts";
import { createBlobId, createObjectId, createSlug } from "../../functions/table/identifiers.ts";
import { readObjectKey } from "../../functions/table-stream/orphans.ts";

const last = (exclusiveMax: number) => exclusiveMax - 1;
const slug = createSlug(last);
const pageKey = toStoredPage(slug, createObjectId(last), { html: "" }).key;

describe("an object's key", () => {
  test("identifies a page, its context and its search text, as they are stored", () => {
    expect(readObjectKey("pages", pageKey)).toEqual({ kind: "page", slug, pageKey });
    expect(readObjectKey("pages", contextKey(pageKey))).toEqual({ kind: "page", slug, pageKey });
    expect(readObjectKey("pages", pageTextKey(pageKey))).toEqual({ kind: "page", slug, pageKey });
  });

  test("identifies a file, as it is stored", () => {
    const id = createBlobId(last);

    for (const kind of ["public", "members"] as const) {
      const place = { namespace: "some-owner-2", id };
      const key = newObjectKey({ ...place, visibility: { kind } }, last);
      expect(readObjectKey("blobs", key)).toEqual({ kind: "blob", ...place });
    }
    expect(readObjectKey("blobs", "staging/abcdefg")).toMatchObject({ kind: "blob", namespace: "staging" });
  });

  test.each(["pages", "blobs"] as const)("identifies a staged upload in %s", (bucket) => {
    expect(readObjectKey(bucket, "staging/Owner00000000001/upload-1")).toEqual({
      kind: "staged",
      ownerId: "Owner00000000001",
      id: "upload-1",
    });
  });

  test.each([
    ["pages", "index.html"],
    ["pages", "abcdefg/short.html"],
    ["pages", "abcdefg/Object0000000001.htm"],
    ["pages", "abcdefg/Object0000000001.html.gz"],
    ["pages", "a/abcdefg/Object0000000001.html"],
    ["pages", "owner/hijklmn"],
    ["pages", "_words/abcdefg/Object0000000001.html"],
    ["blobs", "_words/abcdefg/Object0000000001.txt"],
    ["blobs", "hijklmn"],
    ["blobs", "Owner/hijklmn"],
    ["blobs", "owner/hijklmno"],
    ["blobs", "staging/upload/of/another"],
    ["blobs", "_restricted/owner/hijklmn"],
    ["blobs", "_restricted/owner/hijklmn/short"],
    ["pages", "_restricted/owner/hijklmn/Object0000000001"],
    ["blobs", pageKey],
  ] as const)("in %s is not recognized if it is %s", (bucket, key) => {
    expect(readObjectKey(bucket, key)).toEqual({ kind: "unknown" });
  });
});
