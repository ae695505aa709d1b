import { describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { ApiClient } from "../support/client.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse, unusedLoopbackAddress } from "../support/http.ts";
import { ownerName } from "../support/owner-address.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { race } from "../support/race.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";
import { confirmSignIn, pollSignIn, signIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { elementsOf, linkTo, Visitor } from "../support/visitor.ts";

const authorizePath = "/api/auth/idp/authorize";

describe("the device-code flow", () => {
  test("returns a working token and the account's id at the first poll after the confirmation", async () => {
    const start = await startSignIn("The agent of ada");
    await confirmSignIn(start, "ada-first-poll");

    const poll = await pollSignIn(start.poll_token);

    expect(poll).toEqual({
      status: "verified",
      api_token: expect.stringMatching(/^hb_[0-9A-Za-z]{36}$/),
      user_id: expect.stringMatching(/\S/),
    });
    const me = await new ApiClient(poll.api_token).succeed("get-me");
    expect(me.user_id).toBe(poll.user_id);
    expect(me.token.label).toBe("The agent of ada");
  });

  test("returns no second token for a claimed code", async () => {
    const start = await startSignIn();
    await confirmSignIn(start, "ada-claimed");
    await pollSignIn(start.poll_token);

    for (const _ of [1, 2]) {
      const poll = await pollSignIn(start.poll_token);
      expect(poll.status).toBe("claimed");
      expect(poll).not.toHaveProperty("api_token");
    }
  });

  test("returns one token to 24 concurrent polls of one verified code", async () => {
    const start = await startSignIn();
    await confirmSignIn(start, unusedUsername("ada-race"));

    const polls = await race(24, () => pollSignIn(start.poll_token));

    const winners = polls.filter((poll) => poll.api_token !== undefined);
    expect(winners.map(({ status }) => status)).toEqual(["verified"]);
    expect(polls.filter(({ status }) => status === "claimed")).toHaveLength(23);
    const { tokens } = await new ApiClient(winners[0]?.api_token).succeed("list-tokens");
    expect(tokens).toHaveLength(1);
  });

  test("creates one account per person, also for concurrent sign-ins", async () => {
    const [first, second] = await Promise.all([signIn("ada-twice"), signIn("ada-twice")]);
    const other = await signIn("ada-other");

    expect(second.userId).toBe(first.userId);
    expect(second.token).not.toBe(first.token);
    expect(other.userId).not.toBe(first.userId);
  });

  test("creates an account with the free plan and no usage", async () => {
    const { token } = await signIn(unusedUsername("ada-new"));

    expect(await new ApiClient(token).succeed("get-usage")).toEqual({
      plan: "free",
      drops: { used: 0, limit: limits.dropsPerAccountMax },
      blobs: {
        used: 0,
        bytes_used: 0,
        bytes_limit: limits.blobBytesPerAccountMax,
        max_blob_bytes: limits.blobBytesMax,
      },
      subdomains: { used: 1, limit: limits.subdomainsPerAccountMax },
    });
  });

  test("assigns separate hosts to two people whose names become the same host name", async () => {
    const [one, other] = await Promise.all([signIn("Zoë Host"), signIn("zoe.host")]);
    const urls = await Promise.all(
      [one, other].map(async ({ token }) => {
        const body = { html: "<p>", title: "T" };
        return (await new ApiClient(token).succeed("publish-drop", { body })).url;
      }),
    );

    const hosts = urls.map(ownerName);

    expect(new Set(hosts).size).toBe(2);
    for (const host of hosts) expect(host).toMatch(/^zoe-host(-[a-z0-9]+)?$/);
  });

  for (const { cases, options } of quickAndSlow(["www", "api", "Admin", "LOGIN"], (name) => name === "Admin"))
    test.each(cases)("does not assign the host of the reserved name %s", options, async (username) => {
      const { token } = await signIn(username);

      const drop = await new ApiClient(token).succeed("publish-drop", { body: { html: "<p>", title: "T" } });

      expect(ownerName(drop.url)).not.toBe(username.toLowerCase());
    });
});

describe("the verify page", () => {
  test("shows the code and the escaped label of the agent, and a link to continue", async () => {
    const label = `<script>alert("label")</script>`;
    const start = await startSignIn(label);

    const visit = await new Visitor().open(start.verification_url);

    expect(visit.response.status).toBe(200);
    expect(visit.response.text).toContain(start.code);
    expect(visit.response.text).not.toContain("<script>alert");
    expect(visit.response.text).toContain("&lt;script");
    expect(linkTo(visit, authorizePath).searchParams.get("code")).toBe(start.code);
    expectSignInPage(visit.response);
  });

  test("sets a short-lived cookie that scripts and other sites cannot use", async () => {
    const start = await startSignIn();

    const { setCookies } = await fetchPage(start.verification_url);

    expect(setCookies).toHaveLength(1);
    expect(setCookies[0]).toMatch(/^__Host-/);
    expect(setCookies[0]).toMatch(/; *HttpOnly/i);
    expect(setCookies[0]).toMatch(/; *Secure/i);
    expect(setCookies[0]).toMatch(/; *SameSite=Lax/i);
    expect(Number(/Max-Age=(\d+)/i.exec(setCookies[0] ?? "")?.[1])).toBeLessThanOrEqual(600);
  });

  test("accepts a code typed in lower case", async () => {
    const start = await startSignIn();

    const { status, text } = await fetchPage(`/verify?code=${start.code.toLowerCase()}`);

    expect({ status, shows: text.includes(start.code) }).toEqual({ status: 200, shows: true });
  });

  test("shows an error page for a code that is unknown, malformed, used or missing", async () => {
    const used = await startSignIn();
    await confirmSignIn(used, "ada-used-code");

    for (const query of ["?code=BBBB-BBBB", "?code=nonsense", "?code=", "", `?code=${used.code}`]) {
      expectErrorPage(await fetchPage(`/verify${query}`, { headers: { accept: "text/html" } }), 400);
    }
  });

  test("limits wrong codes from one network address, without affecting others", {
    tags: "slow",
  }, async () => {
    const from = unusedLoopbackAddress();
    const guess = (index: number) => {
      const code = [...index.toString(2).padStart(8, "0")].map((bit) => "BC"[Number(bit)]).join("");
      return fetchPage(`/verify?code=${code.slice(0, 4)}-${code.slice(4)}`, { from });
    };
    const allowed = limits.unknownCodesPerQuarterHourPerAddress;
    const statuses: number[] = [];

    for (let index = 0; index < allowed + 2; index += 1) statuses.push((await guess(index)).status);

    expect(statuses).toEqual([...Array(allowed).fill(400), 429, 429]);
    expectErrorPage(await guess(99), 429);
    const start = await startSignIn();
    expect((await fetchPage(start.verification_url)).status).toBe(200);
  });
});

describe("the other pages of the sign-in", () => {
  test("include /login, which sends a typed code to the verify page", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    const login = await visitor.open("/login");

    const verify = await visitor.submit(login, { code: start.code });

    expectSignInPage(login.response);
    expect(verify.response.text).toContain(start.code);
  });

  test("include the confirmation, which names the account and contains no token", async () => {
    const start = await startSignIn("An agent");

    const { response } = await confirmSignIn(start, "ada-confirmation");

    expectSignInPage(response);
    expect(response.text).toContain("ada-confirmation");
    expect(response.text).not.toContain("hb_");
    expect(response.text).not.toContain(start.poll_token);
  });

  test.each(["/verify", "/login"])("support HEAD %s like GET, without a body", async (path) => {
    const address = path === "/verify" ? (await startSignIn()).verification_url : path;

    const head = await fetchPage(address, { method: "HEAD" });

    expect(head.status).toBe(200);
    expect(head.headers["content-type"]).toMatch(/^text\/html/);
    expect(head.text).toBe("");
  });
});

/** Checks the headers of pages on which people sign in: no scripts, no frames, no caching. */
function expectSignInPage(response: ReceivedResponse): void {
  expect(response.status).toBe(200);
  expectCommonHeaders(response);
  expect(response.headers["content-type"]).toMatch(/^text\/html; ?charset=utf-8$/i);
  const policy = contentSecurityPolicyOf(response);
  expect(policy).toMatchObject({
    "default-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  });
  expect(policy).not.toHaveProperty("script-src");
  expect(policy).not.toHaveProperty("frame-src");
  expect(response.headers["cross-origin-opener-policy"]).toBe("same-origin");
  expect(response.headers["referrer-policy"]).toBe("same-origin");
  expect(response.headers["cache-control"]).toContain("no-store");
  expect(elementsOf(response, "script")).toEqual([]);
}
