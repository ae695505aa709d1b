import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { HttpRequest } from "../src/http-message.ts";
import { requestLine } from "../src/request-log.ts";

function line(request: Partial<HttpRequest>): string {
  const whole: HttpRequest = {
    method: "GET",
    path: "/",
    query: undefined,
    headers: [["Host", "ada.localhost:1"]],
    body: Readable.from([]),
    peer: { address: "127.0.0.1", port: 1 },
    ...request,
  };
  const response = {
    statusCode: 200,
    headers: [],
    body: Buffer.from("secret body"),
    servedBy: "PollFunction0A1B2C3D",
  };
  return requestLine({ request: whole, response, outcome: "Miss", durationMs: 12.3 });
}

describe("an entry of the request log", () => {
  it("has method, host and path, status, duration, function and cache", () => {
    expect(line({ path: "/p/abc" })).toBe("GET ada.localhost:1/p/abc 200 12 ms Poll miss");
  });

  it("has no query string, header, cookie or body", () => {
    const headers = [
      ["Host", "h"],
      ["Cookie", "k=cookie-secret"],
      ["Authorization", "Bearer token-secret"],
    ] as const;

    const text = line({ path: "/api/auth/poll", query: "token=query-secret", headers });

    expect(text).toContain("h/api/auth/poll?… ");
    expect(text).not.toContain("secret");
  });

  it("has only the start of a path segment that may be a secret", () => {
    expect(line({ path: `/api/tokens/hb_${"7".repeat(37)}/x` })).toBe(
      "GET ada.localhost:1/api/tokens/hb_77777…/x 200 12 ms Poll miss",
    );
  });

  it("stays on one line, without control characters of the path", () => {
    expect(line({ path: "/a\nGET /forged\u001b[0m" })).toBe(
      "GET ada.localhost:1/a?GET /forged?[0m 200 12 ms Poll miss",
    );
  });
});
