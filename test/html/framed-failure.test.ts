import { expect, test, vi } from "vitest";
import { ApiError } from "../../functions/core/errors.ts";
import { presentPageError } from "../../functions/html/page.ts";
import type { HttpRequest } from "../../functions/http/request.ts";
import { readRawPageRoute } from "../../functions/viewer/rows.ts";
import { findElements } from "./parsed-page.ts";

vi.stubEnv("BASE_URL", "https://drops.example.com");

/** The error page of a raw page, as a browser requests it for this destination. */
function errorPageOf(code: "not_found" | "rate_limited" | "unavailable", destination: "document" | "iframe") {
  const headers = { accept: ["text/html"], "sec-fetch-dest": [destination] };
  const request = { method: "GET", host: "drops.example.com", path: "/p/aB3dE5f/raw", headers };
  const error = new ApiError(code);
  const response = presentPageError(error, readRawPageRoute, request as unknown as HttpRequest);
  const html = String(response.body);
  return {
    heading: findElements(html, "h1")[0]?.text,
    link: findElements(html, "a").map(({ attributes, text }) => [attributes.href, text])[0],
    canBeFramed: response.headers["content-security-policy"]?.includes("frame-ancestors 'self'"),
  };
}

test.each(["unavailable", "rate_limited"] as const)(
  "a frame shows %s with a link that loads it again",
  (code) => {
    expect(errorPageOf(code, "iframe")).toEqual({
      heading: "The page didn’t load",
      link: ["", "Try again"],
      canBeFramed: true,
    });
  },
);

test("only temporary failures are shown in frames; windows and missing pages get a page that cannot be framed", () => {
  expect(errorPageOf("unavailable", "document")).toMatchObject({
    heading: "One moment, please",
    canBeFramed: false,
  });
  expect(errorPageOf("not_found", "iframe")).toMatchObject({ canBeFramed: false });
});
