import { describe, expect, test } from "vitest";
import { shortGuideBytesMax } from "../../functions/discovery/short-guide.ts";
import { fetchPage } from "../support/http.ts";

describe("GET /", () => {
  test.each([
    ["text/markdown", "text/markdown"],
    ["text/markdown, text/html;q=0.5", "text/markdown"],
    ["text/html, text/markdown", "text/html"],
    ["*/*", "text/html"],
  ])("for Accept %s returns %s, with Vary", async (accept, type) => {
    const { status, headers, text } = await fetchPage("/", { headers: { accept } });

    expect({ status, isOfType: headers["content-type"]?.startsWith(type) }).toEqual({
      status: 200,
      isOfType: true,
    });
    expect(headers.vary?.split(", ")).toContain("Accept");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers.link).toContain("</llms.txt>");
    if (type === "text/markdown") expect(text).toBe((await fetchPage("/llms.txt")).text);
  });
});

test("/llms.txt is not longer than the limit for short guides", async () => {
  expect((await fetchPage("/llms.txt")).bytes.byteLength).toBeLessThanOrEqual(shortGuideBytesMax);
});
