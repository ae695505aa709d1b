import { describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage, unusedLoopbackAddress } from "../support/http.ts";
import { race } from "../support/race.ts";
import { pollSignIn, startSignIn } from "../support/sign-in.ts";

const agent = new ApiClient();

describe("POST /api/auth/start", () => {
  test("gives a code, the address where a human enters it, a poll token and the times", async () => {
    const start = await startSignIn("An agent");

    expect(start.verification_url).toBe(`${baseUrl()}/verify?code=${start.code}`);
    expect(start.poll_token.length).toBeGreaterThanOrEqual(40);
    expect(start).toMatchObject({ expires_in: 600, poll_interval: 2 });
  });

  test("every start has a code and a poll token of its own", async () => {
    const starts = await race(8, () => startSignIn());

    expect(new Set(starts.map(({ code }) => code)).size).toBe(8);
    expect(new Set(starts.map(({ poll_token }) => poll_token)).size).toBe(8);
  });

  test.each([
    ["no body", {}],
    ["an empty object", { body: {} }],
    ["a label of null", { body: { label: null } }],
    ["a field of another client", { body: { label: "a", scope: "all" } }],
  ])("takes %s", async (_case, options) => {
    const response = await agent.call("start-sign-in", options);

    expect(response.status).toBe(200);
  });

  test.each([
    ["a label that is no string", { body: { label: 7 } }, "invalid_arg"],
    ["a label over the limit", { body: { label: "x".repeat(limits.labelCodePointsMax + 1) } }, "invalid_arg"],
    ["a body that is no object", { body: ["label"] }, "invalid_arg"],
    ["a body that is no JSON", { text: "label=agent" }, "invalid_json"],
  ] as const)("refuses %s", async (_case, options, code) => {
    expectError(await agent.call("start-sign-in", options), code);
  });

  test("one network address starts a bounded number in a minute, and others are not hindered", {
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
  test("a code that nobody has confirmed is pending, and nothing else is said", async () => {
    const { poll_token } = await startSignIn();

    expect(await pollSignIn(poll_token)).toEqual({ status: "pending" });
    expect(await pollSignIn(poll_token)).toEqual({ status: "pending" });
  });

  test.each(["x", "A".repeat(43), "__proto__", "ü ;&="])(
    "the unknown poll token %j is not_found",
    async (token) => {
      expect(await pollSignIn(token)).toEqual({ status: "not_found" });
    },
  );

  test("a device code is no poll token: who saw it on a screen cannot fetch the API token", async () => {
    const { code } = await startSignIn();

    expect(await pollSignIn(code)).toEqual({ status: "not_found" });
  });

  test("without the parameter token, or with an empty one, it is token_required", async () => {
    expectError(await agent.call("poll-sign-in"), "token_required");
    expectError(await agent.call("poll-sign-in", { query: { token: "" } }), "token_required");
  });

  test("with the parameter twice it is invalid_arg", async () => {
    const query = [["token", "a"] as const, ["token", "b"] as const];

    const { message } = expectError(await agent.call("poll-sign-in", { query }), "invalid_arg");

    expect(message).toContain("token");
  });
});
