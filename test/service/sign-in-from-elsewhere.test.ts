import { describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import type { SignInStartResponse } from "../../functions/identity/schemas.ts";
import { routes } from "../../functions/routes.ts";
import { ApiClient } from "../support/client.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { fetchPage, unusedLoopbackAddress } from "../support/http.ts";
import { confirmSignIn, pollSignIn, signIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { elementsOf, linkTo, textOf, type Visit, Visitor } from "../support/visitor.ts";

const authorizePath = routes["authorize-sign-in"].path;

/** Returns the fetch metadata of a window that another site opened. */
const sentFrom = (site: "cross-site" | "same-site") => ({
  "sec-fetch-site": site,
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
});

/** Fetch metadata of a page's resources and scripts. */
const embeddings: readonly (readonly [string, Record<string, string>])[] = [
  ["an image on another site", embedded("image", "no-cors", "cross-site")],
  ["an image on a published page's host", embedded("image", "no-cors", "same-site")],
  ["a frame", embedded("iframe", "navigate", "cross-site")],
  ["an embedded object", embedded("object", "navigate", "same-site")],
  ["a script", embedded("script", "no-cors", "cross-site")],
  ["a script's request", embedded("empty", "cors", "cross-site")],
  ["a link's prefetch", { ...embedded("empty", "no-cors", "cross-site"), "sec-purpose": "prefetch" }],
  ["a speculation rule", { ...sentFrom("cross-site"), "sec-purpose": "prefetch;prerender" }],
  ["a page without an origin", { origin: "null" }],
  ["a page of another origin", { origin: "https://evil.example" }],
];

function embedded(destination: string, mode: string, site: string): Record<string, string> {
  return { "sec-fetch-dest": destination, "sec-fetch-mode": mode, "sec-fetch-site": site };
}

describe("GET /verify", () => {
  test.each(["cross-site", "same-site"] as const)(
    "requires typing the end of the code in a window opened by another page, %s",
    async (site) => {
      const start = await startSignIn();
      const visitor = new Visitor();

      const asked = await visitor.open(start.verification_url, { headers: sentFrom(site) });
      const confirmed = await visitor.submit(asked, { typed: start.code.slice(-4).toLowerCase() });

      expect(asked.response.status).toBe(200);
      expect(asked.response.setCookies).toEqual([]);
      expect(shownText(asked)).not.toContain(start.code);
      expect(elementsOf(asked.response, "a")).toEqual([]);
      expect(linkTo(confirmed, authorizePath).searchParams.get("code")).toBe(start.code);
    },
  );

  test("responds with 400 to a wrong end of the code", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    const asked = await visitor.open(start.verification_url, { headers: sentFrom("cross-site") });

    for (const typed of ["BBBB", start.code.slice(0, 4), start.code.slice(-3), "%00", "x".repeat(2_000)]) {
      const wrong = await visitor.submit(asked, { typed });
      expect(wrong.response.status).toBe(400);
      expect(wrong.response.text).not.toContain(authorizePath);
    }
  });

  test("accepts the whole code in place of its end, with or without its dash", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    const asked = await visitor.open(start.verification_url, { headers: sentFrom("cross-site") });

    for (const typed of [start.code, ` ${start.code.replace("-", "").toLowerCase()} `]) {
      expect((await visitor.submit(asked, { typed })).response.text).toContain(authorizePath);
    }
  });

  test("ignores the end of the code in a URL that another site opened", async () => {
    const start = await startSignIn();

    const { response } = await new Visitor().open(`${start.verification_url}&typed=${start.code.slice(-4)}`, {
      headers: sentFrom("cross-site"),
    });

    expect(response.text).not.toContain(authorizePath);
  });

  test.each([
    ["a program opened the window, or a person typed the address", { "sec-fetch-site": "none" }],
    ["the sign-in page's own form led there", { "sec-fetch-site": "same-origin" }],
    ["the browser sends no fetch metadata", {}],
  ])("requires no typing if %s", async (_, headers) => {
    const start = await startSignIn();

    const visit = await new Visitor().open(start.verification_url, { headers });

    expect(linkTo(visit, authorizePath).searchParams.get("code")).toBe(start.code);
  });
});

describe("a request that a page causes in its visitor's browser", () => {
  test.each(embeddings)("is refused at every path of the sign-in: %s", async (_, headers) => {
    const { code, poll_token: token } = await startSignIn();
    const rows = Object.values(routes).filter(({ resource }) => resource === "auth");

    const responses = await Promise.all(
      rows.map(({ method, path }) => {
        const query = method === "GET" ? `?code=${code}&token=${token}&proof=x&state=${code}` : "";
        return fetchPage(path + query, { method, headers: { accept: "application/json", ...headers } });
      }),
    );

    for (const [index, response] of responses.entries()) {
      const errors: readonly string[] = rows[index]?.errors ?? [];
      expectError(response, errors.includes("forbidden") ? "forbidden" : "invalid_arg");
    }
    // A refused poll must not claim the sign-in, which can be claimed only once.
    expect(await pollSignIn(token)).toEqual({ status: "pending" });
  });

  test("does not count towards the limits of the visitor's network", { tags: "slow" }, async () => {
    const from = unusedLoopbackAddress();
    const { code } = await startSignIn();
    const image = { from, headers: embedded("image", "no-cors", "cross-site") };
    const post = { from, method: "POST", headers: { origin: "https://evil.example" } };
    const times = <T>(count: number, ask: () => T) => Array.from({ length: count }, ask);

    const responses = await Promise.all([
      ...times(limits.unknownCodesPerQuarterHourPerAddress + 1, () =>
        fetchPage("/verify?code=BBBB-BBBB", image),
      ),
      ...times(limits.signInStartsPerMinutePerAddress + 1, () => fetchPage("/api/auth/start", post)),
    ]);

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await fetchPage(`/verify?code=${code}`, { from })).status).toBe(200);
    expect((await fetchPage("/api/auth/start", { method: "POST", from })).status).toBe(200);
  });
});

describe("a window opened by another site", () => {
  const opened = (from?: string) => ({
    ...(from === undefined ? {} : { from }),
    headers: { ...sentFrom("cross-site"), accept: "text/html" },
  });

  test("does not use up its visitor's attempts", { tags: "slow" }, async () => {
    const from = unusedLoopbackAddress();
    const { code } = await startSignIn();
    const count = limits.unknownCodesPerQuarterHourPerAddress + 1;
    const open = () => fetchPage("/verify?code=BBBB-BBBB", opened(from));

    const responses = await Promise.all(Array.from({ length: count }, open));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await fetchPage(`/verify?code=${code}`, { from })).status).toBe(200);
  });

  test("does not reveal which codes exist", async () => {
    const { code } = await startSignIn();
    const withoutCode = (text: string, shown: string) =>
      text
        .replaceAll(shown, "")
        .replaceAll(shown.slice(0, -4), "")
        .replaceAll(/nonce="[^"]+"/g, "");

    const [known, unknown] = await Promise.all(
      [code, "BBBB-BBBB"].map((one) => fetchPage(`/verify?code=${one}`, opened())),
    );

    expect(withoutCode(known?.text ?? "", code)).toBe(withoutCode(unknown?.text ?? "", "BBBB-BBBB"));
  });
});

describe("undoing a sign-in that was just confirmed", () => {
  test("before the agent polls prevents the agent from getting a token", async () => {
    const { start, visitor, confirmation } = await confirmed();

    const undone = await visitor.submit(confirmation, {});

    expect(undone.response.status).toBe(200);
    expect(await pollSignIn(start.poll_token)).toEqual({ status: "expired" });
  });

  test("after the agent has polled revokes its token, but not the account's other tokens", async () => {
    const { start, visitor, confirmation, username } = await confirmed();
    const { api_token: token } = await pollSignIn(start.poll_token);
    const other = await signIn(username);

    await visitor.submit(confirmation, {});

    expectError(await new ApiClient(token).call("get-me"), "unauthorized");
    expect((await new ApiClient(other.token).succeed("list-tokens")).tokens).toHaveLength(1);
  });

  test("during 24 concurrent polls leaves no working token", { tags: "slow" }, async () => {
    const { start, visitor, confirmation } = await confirmed();

    const [, ...polls] = await Promise.all([
      visitor.submit(confirmation, {}),
      ...Array.from({ length: 24 }, () => pollSignIn(start.poll_token)),
    ]);

    const given = polls.flatMap(({ api_token: token }) => token ?? []);
    expect(given.length).toBeLessThanOrEqual(1);
    for (const token of given) expectError(await new ApiClient(token).call("get-me"), "unauthorized");
    expect(["expired", "claimed"]).toContain((await pollSignIn(start.poll_token)).status);
  });

  test("succeeds when it is repeated", { tags: "slow" }, async () => {
    const { start, visitor, confirmation } = await confirmed();
    await pollSignIn(start.poll_token);

    const undone = await Promise.all([1, 2, 3].map(() => visitor.submit(confirmation, {})));

    expect(undone.map(({ response }) => response.status)).toEqual([200, 200, 200]);
  });

  test("is possible only in the browser that confirmed it, and not from other sites", async () => {
    const { start, visitor } = await confirmed();
    const body = `code=${start.code}`;
    const undo = { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded" } };

    const strangers = await new Visitor().request("/login/undo", undo);
    const sent = await visitor.request("/login/undo", {
      ...undo,
      headers: { ...undo.headers, origin: "https://evil.example" },
    });

    expectErrorPage(strangers.response, 400);
    expectErrorPage(sent.response, 403);
    expect((await pollSignIn(start.poll_token)).status).toBe("verified");
  });
});

async function confirmed(): Promise<{
  start: SignInStartResponse;
  visitor: Visitor;
  confirmation: Visit;
  username: string;
}> {
  const start = await startSignIn();
  const visitor = new Visitor();
  const username = unusedUsername("undone");
  const confirmation = await confirmSignIn(start, username, visitor);
  return { start, visitor, confirmation, username };
}

function shownText({ response }: Visit): string {
  return elementsOf(response, "main").map(textOf).join(" ");
}
