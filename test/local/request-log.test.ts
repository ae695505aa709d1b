import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { usualAccountLimits } from "../../local/account-limits.ts";
import type { HttpRequest } from "../../local/http-message.ts";
import { parseLocalSettings } from "../../local/local-settings.ts";
import { requestLine } from "../../local/request-log.ts";

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
    answeredBy: "PollFunction0A1B2C3D",
  };
  return requestLine({ request: whole, response, outcome: "Miss", durationMs: 12.3 });
}

describe("a line of the request log", () => {
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

  it("stays one line whatever the path holds", () => {
    expect(line({ path: "/a\nGET /forged\u001b[0m" })).toBe(
      "GET ada.localhost:1/a?GET /forged?[0m 200 12 ms Poll miss",
    );
  });
});

describe("local settings", () => {
  const defaults = {
    port: 8787,
    dataDirectory: ".dropleaf",
    settingsFile: undefined,
    account: usualAccountLimits,
    environmentsPerFunction: 2,
    isDebugged: false,
  };

  it("have defaults, for an empty value too", () => {
    expect(parseLocalSettings({})).toEqual(defaults);
    expect(parseLocalSettings({ PORT: "", DATA_DIR: "", SETTINGS: "", DEBUG: "" })).toEqual(defaults);
  });

  it("are taken from PORT, DATA_DIR and SETTINGS", () => {
    const given = { PORT: "9000", DATA_DIR: "/d", SETTINGS: "mine.ts" };

    expect(parseLocalSettings(given)).toEqual({
      ...defaults,
      port: 9000,
      dataDirectory: "/d",
      settingsFile: { file: "mine.ts", by: "SETTINGS" },
    });
  });

  it.each([
    ["1", true],
    // What other programs are told by the same name.
    ["*", false],
    ["express:*", false],
  ])("let a debugger in for DEBUG=1 alone: %s", (DEBUG, isDebugged) => {
    expect(parseLocalSettings({ DEBUG })).toEqual({ ...defaults, isDebugged });
  });

  it.each(["abc", "80", "65535", "-1", "1e4", "8787.5"])("refuse PORT=%s and say what is right", (PORT) => {
    expect(() => parseLocalSettings({ PORT })).toThrow(
      `PORT must be a whole number from 1024 to 65534, not "${PORT}".`,
    );
  });
});
