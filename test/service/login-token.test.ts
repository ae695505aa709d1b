import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/client.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { race } from "../support/race.ts";
import { contentSecurityPolicyOf } from "../support/security-headers.ts";
import { confirmSignIn, enterUsername, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { elementsOf, linkTo, textOf, type Visit, Visitor } from "../support/visitor.ts";

const authorizePath = "/api/auth/idp/authorize";
const form = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };

describe("a person without an agent", () => {
  test("gets a working token at /login with links and forms only", async () => {
    const visitor = new Visitor();
    const username = unusedUsername("grace");

    const login = await visitor.open("/login");
    const request = await visitor.open(linkTo(login, "/login/token"));
    const verify = await visitor.submit(request, { label: "My laptop" });
    const confirmation = await signInFrom(visitor, verify, username);
    const shown = await visitor.submit(confirmation, {});

    expect(verify.response.text).not.toContain("Is this your agent?");
    expect(confirmation.response.text).toContain(username);
    expect(confirmation.response.text).not.toContain("hb_");
    expect(shown.response.status).toBe(200);
    const me = await new ApiClient(tokenIn(shown.response)).succeed("get-me");
    expect(me.token.label).toBe("My laptop");
  });

  test("gets a token without a label if none is entered", async () => {
    const { shown } = await ownToken(unusedUsername("grace"), " ");

    const me = await new ApiClient(tokenIn(shown.response)).succeed("get-me");

    expect(me.token.label).toBeNull();
  });

  test("sees the token once: sending the form again or opening its URL does not show it", async () => {
    const { visitor, confirmation, shown } = await ownToken(unusedUsername("grace"));
    const token = tokenIn(shown.response);

    const again = await visitor.submit(confirmation, {});
    const address = await visitor.open("/login/token");

    expectErrorPage(again.response, 400);
    expect(again.response.text + address.response.text).not.toContain(token);
  });

  test("gets one token from 24 concurrent requests", { tags: "slow" }, async () => {
    const { visitor, confirmation } = await signedInForToken(unusedUsername("grace"));

    const showings = await race(24, () => visitor.submit(confirmation, {}).then(({ response }) => response));

    const winners = showings.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const { tokens } = await new ApiClient(tokenIn(winners[0] as ReceivedResponse)).succeed("list-tokens");
    expect(tokens).toHaveLength(1);
  });

  test("can revoke it by the id on the page", async () => {
    const { shown } = await ownToken(unusedUsername("grace"));
    const api = new ApiClient(tokenIn(shown.response));
    const [, id = ""] = /\/api\/tokens\/(\w+)/.exec(shown.response.text) ?? [];

    await api.succeed("revoke-token", { params: { id } });

    expect((await api.call("get-me")).status).toBe(401);
  });

  test("can publish with the page's example call", async () => {
    const { shown } = await ownToken(unusedUsername("grace"));
    const [call] = elementsOf(shown.response, "pre")
      .map(textOf)
      .filter((text) => text.includes("/api/drops"));
    const [, body = ""] = /-d '([^']*)'/.exec(call ?? "") ?? [];

    const drop = await new ApiClient(tokenIn(shown.response)).succeed("publish-drop", {
      body: JSON.parse(body),
    });

    expect(call).toContain(`curl ${baseUrl()}/api/drops`);
    expect(drop.latest_version).toBe(1);
  });
});

describe("the page that shows a token", () => {
  test("is never cached or framed, and its script cannot send anything", async () => {
    const { shown } = await ownToken(unusedUsername("grace"));

    const policy = contentSecurityPolicyOf(shown.response);

    expect(shown.response.headers["cache-control"]).toContain("no-store");
    expect(shown.response.headers["referrer-policy"]).toBe("same-origin");
    expect(policy).toMatchObject({
      "default-src": "'none'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      "script-src": expect.stringMatching(/^'nonce-[^' ]+'$/),
    });
    expect(policy).not.toHaveProperty("connect-src");
  });

  test("is never shown to another browser, even with the right code", async () => {
    const { confirmation } = await signedInForToken(unusedUsername("grace"));
    const code = codeIn(confirmation.response);

    const stranger = await new Visitor().open("/login/token", {
      method: "POST",
      headers: form,
      body: `code=${code}`,
    });

    expectErrorPage(stranger.response, 400);
    expect(stranger.response.text).not.toContain("hb_");
  });

  test("is not shown before the sign-in is confirmed", async () => {
    const visitor = new Visitor();
    const verify = await visitor.submit(await visitor.open("/login/token"), { label: "" });
    const code = linkTo(verify, authorizePath).searchParams.get("code");

    const early = await visitor.open("/login/token", { method: "POST", headers: form, body: `code=${code}` });

    expectErrorPage(early.response, 400);
  });

  test.each(["/login", "/login/token"])(
    "cannot be requested with POST %s from another site",
    async (path) => {
      const { visitor, confirmation } = await signedInForToken(unusedUsername("grace"));
      const code = codeIn(confirmation.response);

      for (const origin of ["https://elsewhere.test", "null"]) {
        const headers = { ...form, origin };
        const { response } = await visitor.request(path, { method: "POST", headers, body: `code=${code}` });
        expectErrorPage(response, 403);
        expect(response.setCookies).toEqual([]);
      }
      expect((await visitor.submit(confirmation, {})).response.status).toBe(200);
    },
  );
});

describe("the sign-in for a person's own token", () => {
  test("stores its poll token in a cookie that scripts and other hosts cannot read", async () => {
    const { setCookies } = await fetchPage("/login", { method: "POST", headers: form, body: "label=x" });

    expect(setCookies).toHaveLength(1);
    expect(setCookies[0]).toMatch(/^__Host-/);
    for (const attribute of [/; *HttpOnly/i, /; *Secure/i, /; *SameSite=Lax/i, /; *Path=\/(;|$)/i]) {
      expect(setCookies[0]).toMatch(attribute);
    }
    expect(Number(/Max-Age=(\d+)/i.exec(setCookies[0] ?? "")?.[1])).toBeLessThanOrEqual(1200);
  });

  test("deletes the cookie after showing the token", async () => {
    const { shown } = await ownToken(unusedUsername("grace"));

    expect(shown.response.setCookies).toEqual([expect.stringMatching(/^__Host-dl_own_[^=]+=; .*Max-Age=0/i)]);
  });

  test("shows the code for comparison in another browser only", async () => {
    const visitor = new Visitor();
    const verify = await visitor.submit(await visitor.open("/login/token"), { label: "Of a stranger" });
    const code = linkTo(verify, authorizePath).searchParams.get("code") ?? "";

    const elsewhere = await new Visitor().open(`/verify?code=${code}`);

    expect(verify.response.text).not.toContain(`>${code}<`);
    expect(elsewhere.response.text).toContain(`>${code}<`);
    expect(elsewhere.response.text).toContain("Of a stranger");
  });

  test("is separate from an agent's sign-in in the same browser", async () => {
    const visitor = new Visitor();
    await visitor.submit(await visitor.open("/login/token"), { label: "mine" });
    const start = await startSignIn("the agent's");

    const verify = await visitor.open(start.verification_url);
    const confirmation = await signInFrom(visitor, verify, unusedUsername("grace"));

    expect(verify.response.text).toContain(`>${start.code}<`);
    expect(formActionsOf(confirmation)).toEqual(["/login/undo"]);
    expect((await pollSignIn(start.poll_token)).status).toBe("verified");
  });

  test("refuses a label that is too long, with the maximum length", async () => {
    const body = `label=${"x".repeat(101)}`;

    const response = await fetchPage("/login", { method: "POST", headers: form, body });

    expectErrorPage(response, 400);
    expect(response.text).toContain("at most 100");
  });

  test("does not offer a token on an agent's confirmation page", async () => {
    const confirmation = await confirmSignIn(await startSignIn(), unusedUsername("grace"));

    expect(formActionsOf(confirmation)).toEqual(["/login/undo"]);
  });
});

function formActionsOf({ response }: Visit): (string | undefined)[] {
  return elementsOf(response, "form").map(({ attribs }) => attribs.action);
}

interface SignedIn {
  readonly visitor: Visitor;
  readonly confirmation: Visit;
}

/** Requests a token and signs in, up to the confirmation page. */
async function signedInForToken(username: string, label = ""): Promise<SignedIn> {
  const visitor = new Visitor();
  const verify = await visitor.submit(await visitor.open("/login/token"), { label });
  return { visitor, confirmation: await signInFrom(visitor, verify, username) };
}

/** Requests a token, signs in, confirms, and returns the page that shows the token. */
async function ownToken(username: string, label = ""): Promise<SignedIn & { readonly shown: Visit }> {
  const signedIn = await signedInForToken(username, label);
  return { ...signedIn, shown: await signedIn.visitor.submit(signedIn.confirmation, {}) };
}

async function signInFrom(visitor: Visitor, verify: Visit, username: string): Promise<Visit> {
  return enterUsername(visitor, await visitor.open(linkTo(verify, authorizePath)), username);
}

function tokenIn({ status, text }: ReceivedResponse): string {
  const [token] = /hb_[0-9A-Za-z]{36}/.exec(text) ?? [];
  if (token === undefined) throw new Error(`The response contains no token: ${status} ${text}`);
  return token;
}

function codeIn(confirmation: ReceivedResponse): string {
  const [code = ""] = elementsOf(confirmation, "input").map(({ attribs }) => attribs.value ?? "");
  return code;
}
