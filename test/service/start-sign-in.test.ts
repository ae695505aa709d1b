import { describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage, unusedLoopbackAddress } from "../support/http.ts";
import { race } from "../support/race.ts";
import { pollSignIn, startSignIn } from "../support/sign-in.ts";

const agent = new ApiClient();

describe("POST /api/auth/start", () => {
  test("returns a code, the URL where a person confirms it, a poll token and the times", async () => {
    const start = await startSignIn("An agent");

    expect(start.verification_url).toBe(`${baseUrl()}/verify?code=${start.code}`);
    expect(start.poll_token.length).toBeGreaterThanOrEqual(40);
    expect(start).toMatchObject({ expires_in: 600, poll_interval: 2 });
  });

  test("returns a new code and a new poll token for each call", async () => {
    const starts = await race(8, () => startSignIn());

    expect(new Set(starts.map(({ code }) => code)).size).toBe(8);
    expect(new Set(starts.map(({ poll_token }) => poll_token)).size).toBe(8);
  });

  test.each([
    ["an empty body", {}],
    ["an empty object", { body: {} }],
    ["a label of null", { body: { label: null } }],
    ["an unknown field", { body: { label: "a", scope: "all" } }],
  ])("accepts %s", async (_case, options) => {
    const response = await agent.call("start-sign-in", options);

    expect(response.status).toBe(200);
  });

  test.each([
    ["a label that is not a string", { body: { label: 7 } }, "invalid_arg"],
    ["a label over the limit", { body: { label: "x".repeat(limits.labelCodePointsMax + 1) } }, "invalid_arg"],
    ["a body that is not an object", { body: ["label"] }, "invalid_arg"],
    ["a body that is not JSON", { text: "label=agent" }, "invalid_json"],
  ] as const)("refuses %s", async (_case, options, code) => {
    expectError(await agent.call("start-sign-in", options), code);
  });

  test("limits calls per network address and minute, without affecting other addresses", {
    tags: "slow",
  }, async () => {
    const from = unusedLoopbackAddress();
    const start = () => fetchPage("/api/auth/start", { method: "POST", from });
    for (let sent = 0; sent < limits.signInStartsPerMinutePerAddress; sent += 20) {
      const responses = await race(20, start);
      expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    }

    const refused = await start();

    const { details } = expectError(refused, "rate_limited");
    expect(details.retry_after_seconds).toBeLessThanOrEqual(60);
    expect(await startSignIn()).toHaveProperty("code");
  });
});

describe("GET /api/auth/poll", () => {
  test("returns pending for an unconfirmed code", async () => {
    const { poll_token } = await startSignIn();

    expect(await pollSignIn(poll_token)).toEqual({ status: "pending" });
    expect(await pollSignIn(poll_token)).toEqual({ status: "pending" });
  });

  test.each(["x", "A".repeat(43), "__proto__", "ü ;&="])(
    "returns not_found for the unknown poll token %j",
    async (token) => {
      expect(await pollSignIn(token)).toEqual({ status: "not_found" });
    },
  );

  test("refuses a device code as poll token, so that a person who reads the code cannot get the token", async () => {
    const { code } = await startSignIn();

    expect(await pollSignIn(code)).toEqual({ status: "not_found" });
  });

  test("returns token_required if the parameter token is missing or empty", async () => {
    expectError(await agent.call("poll-sign-in"), "token_required");
    expectError(await agent.call("poll-sign-in", { query: { token: "" } }), "token_required");
  });

  test("returns invalid_arg if the parameter token is repeated", async () => {
    const query = [["token", "a"] as const, ["token", "b"] as const];

    const { message } = expectError(await agent.call("poll-sign-in", { query }), "invalid_arg");

    expect(message).toContain("token");
  });
});
