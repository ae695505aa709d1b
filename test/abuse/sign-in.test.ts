// @module-tag slow

import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import type { SignInStartResponse } from "../../functions/identity/schemas.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse, unusedLoopbackAddress } from "../support/http.ts";
import { race } from "../support/race.ts";
import {
  continueToProvider,
  enterUsername,
  pollSignIn,
  startSignIn,
  unusedUsername,
} from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";
import { openStores } from "./given-person.ts";

const authorizePath = "/api/auth/idp/authorize";
const callbackPath = "/api/auth/idp/callback";
const json = { accept: "application/json" };

beforeAll(openStores);

/** A sign-in that was confirmed at the provider, with a callback that was not opened yet. */
interface WaitingSignIn {
  readonly start: SignInStartResponse;
  readonly visitor: Visitor;
  readonly callback: URL;
}

async function waitingSignIn(start?: SignInStartResponse): Promise<WaitingSignIn> {
  const begun = start ?? (await startSignIn());
  const visitor = new Visitor();
  const providerPage = await continueToProvider(visitor, begun);
  const visit = await enterUsername(visitor, providerPage, unusedUsername("abused"), {
    stopAt: callbackPath,
  });
  return { start: begun, visitor, callback: visit.url };
}

/** Opens the steps of a sign-in and returns their cookies and the link to the provider. */
async function cookiesOf(
  start: SignInStartResponse,
): Promise<{ verify: string; link: URL; continued: string }> {
  const visitor = new Visitor();
  const page = await visitor.open(start.verification_url);
  const link = linkTo(page, authorizePath);
  const verify = cookieIn(page.response);
  const { response } = await visitor.request(link);
  return { verify, link, continued: cookieIn(response) };
}

function cookieIn({ setCookies }: ReceivedResponse): string {
  return (setCookies[0] ?? "").replace(/;.*$/, "");
}

describe("the sign-in callback", () => {
  const strangeQueries = [
    ["another issuer", "iss=https://evil.example.com"],
    ["a duplicate issuer", "iss=a&iss=b"],
    ["a response in a token", "response=eyJhbGciOiJub25lIn0.e30."],
    ["an id token", "id_token=eyJhbGciOiJub25lIn0.e30."],
    ["an access token", "access_token=stolen&token_type=bearer"],
    ["a second state", "state=BBBB-BBBB"],
    ["a second code", "code=other"],
    ["an error beside the code", "error=server_error"],
    ["an empty error", "error="],
    ["an error with invalid characters", "error=%00%ff%22"],
    ["invalid UTF-8", "%ff=%ff"],
    ["a parameter named __proto__", "__proto__=x"],
  ] as const;
  test.each(strangeQueries)(
    "with %s either succeeds or is refused as invalid, and causes no server error",
    async (_what, query) => {
      const { start, visitor, callback } = await waitingSignIn();

      const { response } = await visitor.request(`${callback.href}&${query}`, { headers: json });

      expect([200, 400]).toContain(response.status);
      if (response.status === 400) expectError(response, "invalid_arg");
      const { status } = await pollSignIn(start.poll_token);
      expect(status).toBe(response.status === 200 ? "verified" : "pending");
    },
  );

  const wrongCodes = ["x", "x".repeat(4_000), "%00", "%F0%9F%8D%83", "../..", "<script>", "a%0d%0ab"];

  test.each(wrongCodes)("with the code %s is refused as invalid", async (code) => {
    const { start, visitor, callback } = await waitingSignIn();
    const forged = callback.href.replace(/([?&]code=)[^&]*/, `$1${code}`);

    const { response } = await visitor.request(forged, { headers: json });

    expectError(response, "invalid_arg");
    expect((await pollSignIn(start.poll_token)).status).toBe("pending");
  });

  test.each([50])(
    "verifies at most one of %i concurrent requests, and concurrent polls return one token for it at most",

    async (racers) => {
      const { start, visitor, callback } = await waitingSignIn();

      const responses = await race(racers, () => visitor.request(callback, { headers: json }));
      const polls = await race(racers, () => pollSignIn(start.poll_token));

      const verified = responses.filter(({ response }) => response.status === 200).length;
      expect(verified).toBeLessThanOrEqual(1);
      // A provider that receives a code twice may revoke its tokens (RFC 6749, section 4.1.2). Then no one is signed in.
      for (const { response } of responses) expect([200, 400, 502]).toContain(response.status);
      expect(polls.filter(({ api_token }) => api_token !== undefined)).toHaveLength(verified);
      for (const { status } of polls) {
        expect(verified === 1 ? ["verified", "claimed"] : ["pending"]).toContain(status);
      }
    },
  );

  test.each([50])("followed by %i concurrent polls returns one token", async (racers) => {
    const { start, visitor, callback } = await waitingSignIn();
    await visitor.request(callback);

    const polls = await race(racers, () => pollSignIn(start.poll_token));

    expect(polls.filter(({ api_token }) => api_token !== undefined)).toHaveLength(1);
    expect(new Set(polls.map(({ status }) => status))).toEqual(new Set(["verified", "claimed"]));
  });

  test("opened by two people concurrently signs one of them in, for one token", async () => {
    const start = await startSignIn();
    const [one, two] = [await waitingSignIn(start), await waitingSignIn(start)];

    const responses = await Promise.all(
      [one, two].map(({ visitor, callback }) => visitor.request(callback, { headers: json })),
    );

    expect(responses.map(({ response }) => response.status).toSorted()).toEqual([200, 400]);
    const polls = await Promise.all([pollSignIn(start.poll_token), pollSignIn(start.poll_token)]);
    expect(polls.filter(({ api_token }) => api_token !== undefined)).toHaveLength(1);
  });
});

describe("sign-in cookies and proofs", () => {
  const authorize = (code: string, proof: string, cookie: string) =>
    fetchPage(`${authorizePath}?code=${code}&proof=${proof}`, { headers: { ...json, cookie } });

  test("that are forged, swapped, truncated or missing do not lead to the provider", async () => {
    const [own, other] = await Promise.all([startSignIn(), startSignIn()]);
    const [ownSteps, otherSteps] = await Promise.all([cookiesOf(own), cookiesOf(other)]);
    const proof = ownSteps.link.searchParams.get("proof") ?? "";
    const otherProof = otherSteps.link.searchParams.get("proof") ?? "";
    const named = (name: string, cookie: string) => cookie.replace(/^[^=]*/, name);
    const ownName = `__Host-dl_verify_${own.code}`;
    const forgeries: readonly (readonly [string, string])[] = [
      ["", ownSteps.verify],
      [proof, ""],
      [otherProof, ownSteps.verify],
      [proof, otherSteps.verify],
      [proof, named(ownName, otherSteps.verify)],
      [otherProof, named(ownName, otherSteps.verify)],
      [proof, named(ownName, ownSteps.continued)],
      [proof, ownSteps.verify.slice(0, -1)],
      [proof, ownSteps.verify.replace(/=1\.\d+/, "=1.99999999999")],
      [proof, `${ownName}=1.99999999999.x.${"A".repeat(43)}`],
      [proof.slice(0, -1), ownSteps.verify],
      [proof.toLowerCase(), ownSteps.verify],
    ];

    for (const [givenProof, cookie] of forgeries) {
      expectError(await authorize(own.code, givenProof, cookie), "invalid_arg");
    }
    // The genuine pair is accepted, so the refusals above have no other reason.
    expect((await authorize(own.code, proof, ownSteps.verify)).status).toBe(302);
  });

  test("of the verify page, or of another sign-in, do not open the callback", async () => {
    const { start, callback } = await waitingSignIn();
    const other = await startSignIn();
    const [{ verify }, { continued }] = await Promise.all([cookiesOf(start), cookiesOf(other)]);
    const name = `__Host-dl_continue_${start.code}`;

    for (const cookie of ["", verify, verify.replace(/^[^=]*/, name), continued.replace(/^[^=]*/, name)]) {
      expectError(await fetchPage(callback, { headers: { ...json, cookie } }), "invalid_arg");
    }
    expect((await pollSignIn(start.poll_token)).status).toBe("pending");
  });

  test("of another browser show no token of this sign-in", async () => {
    const { start } = await waitingSignIn();

    for (const cookie of ["", `__Host-dl_own_${start.code}=guess`, `__Host-dl_own_${start.code}=`]) {
      const body = `code=${start.code}`;
      const response = await fetchPage("/login/token", { method: "POST", body, headers: { cookie } });
      expectErrorPage(response, 400);
    }
  });
});

test("guessed device codes have a limit, after which even a valid code is refused", async () => {
  const { code } = await startSignIn();
  const from = unusedLoopbackAddress();
  const open = (guess: string) => fetchPage(`/verify?code=${guess}`, { from });

  const responses = await race(50, () => open("BBBB-BBBB"));

  const allowed = limits.unknownCodesPerQuarterHourPerAddress;
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(allowed);
  for (const refused of responses.filter(({ status }) => status !== 400)) expectErrorPage(refused, 429);
  expectErrorPage(await open(code), 429);
});
