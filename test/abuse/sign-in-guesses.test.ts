import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { rateLimiter } from "../../functions/table/rate-limits.ts";
import { gateDropRule, gateNetworkRule } from "../../functions/table/rate-rules.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse, unusedLoopbackAddress } from "../support/http.ts";
import { onBaseHost } from "../support/owner-address.ts";
import { race } from "../support/race.ts";
import { startSignIn } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { givenPerson, openStores, setUses } from "./given-person.ts";

beforeAll(openStores);

describe("guessed device codes", () => {
  test("at /verify share one limit per visitor, whatever source addresses are forged", {
    tags: "slow",
  }, async () => {
    const { code, verification_url: right } = await startSignIn();
    const from = unusedLoopbackAddress();
    const visitor = new Visitor();
    const login = await visitor.open("/login", { from });
    const action = new URL("/verify", login.url);
    const guess = (index: number) => {
      action.searchParams.set("code", `BBBB-BB${String.fromCharCode(66 + (index % 5))}C`);
      return fetchPage(action, { from, headers: forgedAddress(index) });
    };

    const responses = await race(40, (index) => guess(index));

    const allowed = limits.unknownCodesPerQuarterHourPerAddress;
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(allowed);
    for (const response of responses.filter(({ status }) => status !== 400)) expectErrorPage(response, 429);
    expectErrorPage(await fetchPage(right, { from, headers: forgedAddress(99) }), 429);
    expect((await fetchPage(right, { from: unusedLoopbackAddress() })).text).toContain(code);
  });

  test.each(["/api/auth/idp/authorize?proof=guess&code=", "/api/auth/idp/callback?code=guess&state="])(
    "at %s do not reveal whether a code exists",
    async (address) => {
      const { code } = await startSignIn();
      const headers = { accept: "application/json" };

      const [known, unknown] = await Promise.all(
        [code, "BBBB-BBBB"].map((guessed) => fetchPage(address + guessed, { headers })),
      );

      expect(expectError(known as ReceivedResponse, "invalid_arg")).toEqual(
        expectError(unknown as ReceivedResponse, "invalid_arg"),
      );
    },
  );
});

describe("guessed passcodes", () => {
  test("from many addresses share the drop's limit, and a reader with the cookie can still read", {
    tags: "slow",
  }, async () => {
    const { api } = await givenPerson("guessed-from-everywhere");
    const drop = await publish(api, { html: pageOf("behind the gate"), passcode: "the right one" });
    const guess = (passcode: string) => {
      const body = new URLSearchParams({ passcode }).toString();
      const address = `/p/${drop.slug}/unlock`;
      return fetchPage(address, { method: "POST", body, from: unusedLoopbackAddress() });
    };
    const cookie = ((await guess("the right one")).setCookies[0] ?? "").replace(/;.*$/, "");
    const left = 4;
    await setUses(gateDropRule, drop.slug, limits.wrongPasscodesPerDayPerDrop - left);

    const responses = await race(10, (index) => guess(`wrong ${index}`));
    const late = await guess("the right one");

    expect(responses.filter(({ status }) => status === 403)).toHaveLength(left);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10 - left);
    expect([late.status, late.setCookies]).toEqual([429, []]);
    expect(Number(late.headers["retry-after"])).toBeGreaterThan(60 * 60);
    expect((await fetchPage(onBaseHost(drop.raw_url), { headers: { cookie } })).text).toContain(
      "behind the gate",
    );
  });

  test("from one network, with a new cookie each time, do not use up other visitors' attempts", {
    tags: "slow",
  }, async () => {
    const { api } = await givenPerson("guessed-from-one-network");
    const drop = await publish(api, { passcode: "the right one" });
    const [from, elsewhere] = [unusedLoopbackAddress(), unusedLoopbackAddress()];
    const left = 3;
    const spent = limits.wrongPasscodesPerDayPerNetwork - left;
    await setUses(gateNetworkRule, `${drop.slug}#${from}`, spent);
    await setUses(gateDropRule, drop.slug, spent);

    const responses = await race(10, (index) => guessAt(drop, `wrong ${index}`, { from, id: `${index}` }));
    const late = await guessAt(drop, "the right one", { from, id: "late" });
    const others = await guessAt(drop, "the right one", { from: elsewhere, id: "other" });

    expect(responses.filter(({ status }) => status === 403)).toHaveLength(left);
    expect([late.status, others.status]).toEqual([429, 303]);
    expect(Number(late.headers["retry-after"])).toBeGreaterThan(60 * 60);
  });

  test("of a reader who then unlocks the page do not count, and others' attempts do not block this reader", {
    tags: "nightly",
  }, async () => {
    const { api } = await givenPerson("mistaken");
    const drop = await publish(api, { passcode: "the right one" });
    const at = { from: unusedLoopbackAddress(), id: "mine" };
    const wrong = [await guessAt(drop, "wrong", at), await guessAt(drop, "wrong again", at)];
    const right = await guessAt(drop, "the right one", at);

    expect(wrong.map(({ status }) => status)).toEqual([403, 403]);
    const left = await rateLimiter.check(gateDropRule, drop.slug, Date.now());
    expect(left).toBe(limits.wrongPasscodesPerDayPerDrop);
    await setUses(gateDropRule, drop.slug, limits.wrongPasscodesPerDayPerDrop);
    const [, known = ""] = right.setCookies.map((line) => line.replace(/;.*$/, ""));
    const forged = known.replace(/\.1\..*$/, `.1.${"A".repeat(43)}`);
    const again = [];
    for (const passcode of [
      ...Array(limits.wrongPasscodesPerDayPerOpener - 1).fill("wrong"),
      "the right one",
    ]) {
      again.push((await guessAt(drop, passcode, { ...at, cookie: known })).status);
    }

    expect(again).toEqual([...Array(limits.wrongPasscodesPerDayPerOpener - 1).fill(403), 303]);
    for (const cookie of [forged, known.replace(drop.slug, "0000000"), ""]) {
      expect((await guessAt(drop, "the right one", { ...at, cookie })).status).toBe(429);
    }
    // The cookie is not valid for a new passcode.
    const params = { slug: drop.slug };
    await api.succeed("set-passcode", { params, body: { passcode: "another one" } });
    expect((await guessAt(drop, "another one", { ...at, cookie: known })).status).toBe(429);
  });
});

/** Sends a passcode with the given visitor id, or with a cookie from an earlier unlock. */
function guessAt(
  { slug }: DropResponse,
  passcode: string,
  { from, id, cookie }: { readonly from: string; readonly id: string; readonly cookie?: string },
): Promise<ReceivedResponse> {
  const body = new URLSearchParams({ passcode }).toString();
  const headers = { cookie: cookie ?? `__Host-dl_tries_${slug}=${id.padEnd(22, "_")}` };
  return fetchPage(`/p/${slug}/unlock`, { method: "POST", body, headers, from });
}

/** Headers in which proxies or this service pass a visitor's address. */
function forgedAddress(index: number): Readonly<Record<string, string>> {
  const address = `203.0.113.${index}`;
  return {
    "x-forwarded-for": address,
    "x-real-ip": address,
    "true-client-ip": address,
    forwarded: `for=${address}`,
    "cloudfront-viewer-address": `${address}:443`,
    "x-dropleaf-address": address,
  };
}
