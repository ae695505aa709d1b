import { describe, expect, test } from "vitest";
import type { SignInStartResponse } from "../../functions/identity/schemas.ts";
import { ApiClient } from "../support/client.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import {
  confirmSignIn,
  continueToProvider,
  enterUsername,
  pollSignIn,
  signIn,
  startSignIn,
} from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";

const authorizePath = "/api/auth/idp/authorize";
const callbackPath = "/api/auth/idp/callback";

describe("GET /api/auth/idp/authorize", () => {
  test("redirects to the provider with the device code as state, and with PKCE", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    const verifyPage = await visitor.open(start.verification_url);

    const { response } = await visitor.request(linkTo(verifyPage, authorizePath));

    const location = new URL(response.headers.location ?? "");
    expect(response.status).toBe(302);
    expect(response.headers["cache-control"]).toContain("no-store");
    expect(location.origin).not.toBe(baseUrl());
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: "code",
      state: start.code,
      redirect_uri: `${baseUrl()}${callbackPath}`,
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      client_id: expect.stringMatching(/\S/),
    });
    expect(location.searchParams.has("client_secret")).toBe(false);
  });

  test("refuses a browser that has not opened the verify page of this code", async () => {
    const [start, other] = await Promise.all([startSignIn(), startSignIn()]);
    const visitorOfOther = await visitorAtVerifyPage(other);

    const withoutCookie = await fetchPage(`${authorizePath}?code=${start.code}`);
    const withOtherCookie = await visitorOfOther.request(`${authorizePath}?code=${start.code}`, acceptsJson);

    expectError(withoutCookie, "invalid_arg");
    expectError(withOtherCookie.response, "invalid_arg");
  });

  test("refuses a browser that did not follow the verify page's own link", async () => {
    const start = await startSignIn();
    const [victim, attacker] = [new Visitor(), new Visitor()];
    await victim.open(start.verification_url);
    const attackersLink = linkTo(await attacker.open(start.verification_url), authorizePath);

    const guessed = await victim.request(`${authorizePath}?code=${start.code}`, acceptsJson);
    const borrowed = await victim.request(attackersLink, acceptsJson);

    expectError(guessed.response, "invalid_arg");
    expectError(borrowed.response, "invalid_arg");
  });

  test("refuses a missing or unknown code", async () => {
    for (const query of ["", "?code=", "?code=BBBB-BBBB"]) {
      expectError(await fetchPage(authorizePath + query), "invalid_arg");
    }
  });

  test("refuses a confirmed code, even with its cookie", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    const link = linkTo(await visitor.open(start.verification_url), authorizePath);
    await confirmSignIn(start, "bea-first");

    const { response } = await visitor.request(link, acceptsJson);

    expectError(response, "invalid_arg");
  });
});

describe("GET /api/auth/idp/callback", () => {
  test("refuses a browser without the code's cookie, and the code stays pending", async () => {
    const start = await startSignIn();
    const callback = await callbackOf(start, "bea-no-cookie");

    const response = await fetchPage(callback);

    expectError(response, "invalid_arg");
    expect(await pollSignIn(start.poll_token)).toEqual({ status: "pending" });
  });

  test("refuses the state of another code, so that no one is signed in to a stranger's agent", async () => {
    const [own, strangers] = await Promise.all([startSignIn(), startSignIn()]);
    const visitor = await visitorAtVerifyPage(own);
    const callback = await callbackOf(own, "bea-wrong-state", visitor);
    callback.searchParams.set("state", strangers.code);

    const { response } = await visitor.request(callback, acceptsJson);

    expectError(response, "invalid_arg");
    expect(await pollSignIn(strangers.poll_token)).toEqual({ status: "pending" });
    expect(await pollSignIn(own.poll_token)).toEqual({ status: "pending" });
  });

  test("refuses an authorization code from another sign-in", async () => {
    const [own, other] = await Promise.all([startSignIn(), startSignIn()]);
    const visitor = new Visitor();
    const foreign = await callbackOf(other, "bea-injected");
    const callback = await callbackOf(own, "bea-victim", visitor);
    callback.searchParams.set("code", foreign.searchParams.get("code") ?? "");

    const { response } = await visitor.request(callback, acceptsJson);

    expectError(response, "invalid_arg");
    expect(await pollSignIn(own.poll_token)).toEqual({ status: "pending" });
  });

  test("refuses a browser that did not start the sign-in at the provider itself", async () => {
    const start = await startSignIn();
    const victim = await visitorAtVerifyPage(start);
    const callback = await callbackOf(start, "bea-sent");

    const { response } = await victim.request(callback, acceptsJson);

    expectError(response, "invalid_arg");
    expect(await pollSignIn(start.poll_token)).toEqual({ status: "pending" });
  });

  test("refuses parameters that the provider did not send", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    await continueToProvider(visitor, start);
    const queries = [
      "",
      "?code=x",
      `?state=${start.code}`,
      "?code=x&state=nonsense",
      `?code=x&state=${start.code}`,
    ];

    for (const query of queries) {
      expectError((await visitor.request(callbackPath + query, acceptsJson)).response, "invalid_arg");
    }
    expect(await pollSignIn(start.poll_token)).toEqual({ status: "pending" });
  });

  test("shows a page to a person who declines at the provider, and the code stays pending", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    await continueToProvider(visitor, start);

    const { response } = await visitor.request(`${callbackPath}?error=access_denied&state=${start.code}`);

    expectErrorPage(response, 400);
    expect(await pollSignIn(start.poll_token)).toEqual({ status: "pending" });
  });

  test("verifies a code only once, and a replay changes nothing", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    const callback = await callbackOf(start, "bea-replay", visitor);
    await visitor.request(callback);

    const { response } = await visitor.request(callback, acceptsJson);

    expectError(response, "invalid_arg");
    expect((await pollSignIn(start.poll_token)).status).toBe("verified");
    expectError((await visitor.request(callback, acceptsJson)).response, "invalid_arg");
    expect((await pollSignIn(start.poll_token)).status).toBe("claimed");
  });

  test("refuses a second person with the same code, which stays with the first person's account", async () => {
    const { userId: firstUserId } = await signIn("bea-one");
    const start = await startSignIn();
    const [one, two] = [new Visitor(), new Visitor()];
    const [callbackOfOne, callbackOfTwo] = [
      await callbackOf(start, "bea-one", one),
      await callbackOf(start, "bea-two", two),
    ];
    const first = await one.request(callbackOfOne);

    const second = await two.request(callbackOfTwo, acceptsJson);

    expect(first.response.status).toBe(200);
    expectError(second.response, "invalid_arg");
    expect((await pollSignIn(start.poll_token)).user_id).toBe(firstUserId);
  });

  test("accepts one of two people who confirm the same code concurrently", async () => {
    const start = await startSignIn();
    const [one, two] = [new Visitor(), new Visitor()];
    const callbacks = [
      await callbackOf(start, "bea-left", one),
      await callbackOf(start, "bea-right", two),
    ] as const;

    const visits = await Promise.all([
      one.request(callbacks[0], acceptsJson),
      two.request(callbacks[1], acceptsJson),
    ]);

    expect(visits.map(({ response }) => response.status).toSorted()).toEqual([200, 400]);
    const { api_token } = await pollSignIn(start.poll_token);
    expect(await new ApiClient(api_token).succeed("get-me")).toHaveProperty("drop_count", 0);
  });
});

const acceptsJson = { headers: { accept: "application/json" } };

async function visitorAtVerifyPage(start: SignInStartResponse): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.open(start.verification_url);
  return visitor;
}

/** Signs in at the provider, and returns the callback's URL to which the provider redirects, without opening it. */
async function callbackOf(
  start: SignInStartResponse,
  username: string,
  visitor = new Visitor(),
): Promise<URL> {
  const providerPage = await continueToProvider(visitor, start);
  const visit = await enterUsername(visitor, providerPage, username, { stopAt: callbackPath });
  if (visit.url.pathname !== callbackPath)
    throw new Error(`The provider sent ${username} to ${visit.url.pathname}.`);
  return visit.url;
}
