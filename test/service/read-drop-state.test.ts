import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { onBaseHost, ownerAddress } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { signInToRead } from "../support/reader.ts";
import { expectCommonHeaders } from "../support/security-headers.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, type Visit, Visitor } from "../support/visitor.ts";

const passcode = "open sesame";
const gone = { state: "gone" };
const locked = { state: "locked" };
const open = (version: number) => ({ state: "open", latest_version: version });

let account: Account;
let other: Account;

beforeAll(async () => {
  account = await newAccount("news");
  other = await newAccount("others-news");
});

const paramsOf = ({ slug }: DropResponse) => ({ params: { slug } });
const stateAddress = ({ url, slug }: DropResponse) => `${ownerAddress(url)}/p/${slug}/state`;
const stateOf = async (address: string | URL) => JSON.parse((await fetchPage(address)).text);
const setPasscode = (drop: DropResponse, word: string) =>
  account.api.succeed("set-passcode", { ...paramsOf(drop), body: { passcode: word } });

/** Returns the URL that the viewer's script polls, read from the viewer's page. */
function askedBy({ url, response }: Visit): URL {
  const news = elementsOf(response, "p").find(({ attribs }) => attribs.id === "news");
  return new URL(news?.attribs["data-url"] ?? "none", url);
}

/** Fetch metadata of a script's request to its own host. */
const asScript = { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };

async function askAs(
  visitor: Visitor,
  address: URL | string,
  headers: Readonly<Record<string, string>> = asScript,
): Promise<ReceivedResponse> {
  return (await visitor.request(address, { headers })).response;
}

describe("the state of a drop", () => {
  test("contains the latest version, is cached by no browser, and does not count as a view", async () => {
    const drop = await publish(account.api);

    const response = await fetchPage(stateAddress(drop));

    expect([response.status, JSON.parse(response.text)]).toEqual([200, open(1)]);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.headers["cache-control"]).toBe("public, max-age=0, s-maxage=2, must-revalidate");
    expect(response.setCookies).toEqual([]);
    expectCommonHeaders(response);
    expect(await account.api.succeed("get-drop", paramsOf(drop))).toMatchObject({ view_count: 0 });
  });

  test("changes within five seconds of a new version, its deletion, a lock and the drop's deletion", {
    tags: "slow",
  }, async () => {
    const drop = await publish(account.api);
    const ask = () => stateOf(stateAddress(drop));
    expect(await ask()).toEqual(open(1));

    await account.api.succeed("publish-version", { ...paramsOf(drop), body: { html: pageOf("two") } });
    await expect.poll(ask, within(5)).toEqual(open(2));
    await account.api.succeed("delete-version", { params: { slug: drop.slug, n: 2 } });
    await expect.poll(ask, within(5)).toEqual(open(1));
    await setPasscode(drop, passcode);
    await expect.poll(ask, within(5)).toEqual(locked);
    await setPasscode(drop, "");
    await expect.poll(ask, within(5)).toEqual(open(1));
    await account.api.succeed("delete-drop", paramsOf(drop));
    await expect.poll(ask, within(5)).toEqual(gone);
  });

  test("is gone alike for a missing drop, another owner's and a restricted one", async () => {
    const drop = await publish(account.api);
    const forSome = await publish(account.api, { visibility: "people", readers: ["nobody-here"] });
    const others = await publish(other.api);

    for (const address of [
      stateAddress({ ...drop, slug: "0000000" }),
      stateAddress(forSome),
      stateAddress({ ...drop, slug: others.slug }),
      `${stateAddress(forSome)}?key=${"k".repeat(43)}`,
    ]) {
      const { status, headers, text } = await fetchPage(address);
      expect([status, text, headers["cache-control"]]).toEqual([
        200,
        '{"state":"gone"}',
        "public, max-age=0, s-maxage=2, must-revalidate",
      ]);
    }
  });
});

test("polling by a hundred readers causes at most one request to the function every two seconds", {
  tags: "nightly",
}, async () => {
  const drop = await publish(account.api);
  const outcomes: string[] = [];
  const startedMs = performance.now();
  const seconds = 5;

  const read = async (nth: number) => {
    while (performance.now() - startedMs < seconds * 1_000) {
      const address = `${stateAddress(drop)}${nth % 2 ? `?x=${nth}` : ""}`;
      const headers = { cookie: `__Host-dl_${drop.slug}=${nth}; __Host-dl_reader=${nth}`, ...asScript };
      outcomes.push(String((await fetchPage(address, { headers })).headers["x-cache"]).split(" ")[0] ?? "");
      await new Promise((done) => setTimeout(done, 2_000));
    }
  };
  await Promise.all(Array.from({ length: 100 }, (_, nth) => read(nth)));
  const lastedSeconds = (performance.now() - startedMs) / 1_000;

  expect(outcomes.length).toBeGreaterThanOrEqual(100);
  expect(outcomes.filter((outcome) => outcome !== "Hit").length).toBeLessThanOrEqual(
    Math.ceil(lastedSeconds / 2) + 1,
  );
});

describe("the state of a locked drop", () => {
  test("is returned for its viewer's key until the passcode changes, and otherwise hidden", {
    tags: "nightly",
  }, async () => {
    const drop = await publish(account.api, { passcode });
    const visitor = new Visitor();
    const viewer = await visitor.submit(await visitor.open(drop.url), { passcode });
    const asked = askedBy(viewer);

    expect(await stateOf(asked)).toEqual(open(1));
    expect(await stateOf(stateAddress(drop))).toEqual(locked);
    const wrong = new URL(asked);
    wrong.searchParams.set("key", "k".repeat(43));
    expect(await stateOf(wrong)).toEqual(locked);
    expect(asked.href.replace(/\?.*/, "")).toBe(onBaseHost(stateAddress(drop)));
    for (const address of [stateAddress(drop), onBaseHost(stateAddress(drop))])
      expect((await askAs(visitor, address)).text).toBe('{"state":"locked"}');
    expect((await fetchPage(asked)).headers["x-cache"]).toMatch(/^Hit/);
    await setPasscode(drop, "another one");
    await expect.poll(() => stateOf(asked), within(5)).toEqual(locked);
    await setPasscode(drop, "");
    await expect.poll(() => stateOf(asked), within(5)).toEqual(open(1));
  });

  test("is not returned for another drop's key, or for its own key once the drop is restricted", async () => {
    const [one, second] = [
      await publish(account.api, { passcode }),
      await publish(account.api, { passcode }),
    ];
    const visitor = new Visitor();
    const { search } = askedBy(await visitor.submit(await visitor.open(one.url), { passcode }));

    for (const address of [stateAddress(second), onBaseHost(stateAddress(second))])
      expect(await stateOf(address + search)).toEqual(locked);
    await account.api.succeed("edit-drop", { ...paramsOf(one), body: { visibility: "members" } });
    for (const address of [stateAddress(one), onBaseHost(stateAddress(one))])
      await expect.poll(() => stateOf(address + search), within(5)).toEqual(gone);
  });
});

test("the state of a restricted drop is returned uncached to signed-in readers while they have access", async () => {
  const name = unusedUsername("reader");
  const drop = await publish(account.api, { visibility: "people", readers: [name] });
  const visitor = new Visitor();
  const asked = askedBy(await signInToRead(drop.url, name, visitor));
  const told = async () => JSON.parse((await askAs(visitor, asked)).text);

  const response = await askAs(visitor, asked);

  expect(asked.href).toBe(`${onBaseHost(stateAddress(drop))}?reader=1`);
  expect([response.headers["cache-control"], JSON.parse(response.text)]).toEqual(["no-store", open(1)]);
  expect(await stateOf(asked)).toEqual(gone);
  // Responses that the edge caches do not depend on the session, and an owner's host has no sessions.
  for (const address of [
    onBaseHost(stateAddress(drop)),
    `${stateAddress(drop)}?reader=1`,
    stateAddress(drop),
  ])
    expect((await askAs(visitor, address)).text).toBe('{"state":"gone"}');
  for (const site of ["same-site", "cross-site"]) {
    const headers = { "sec-fetch-dest": "empty", "sec-fetch-site": site };
    expect((await askAs(visitor, asked, headers)).text).toBe('{"state":"gone"}');
  }
  await account.api.succeed("publish-version", { ...paramsOf(drop), body: { html: pageOf("two") } });
  expect(await told()).toEqual(open(2));
  await setPasscode(drop, passcode);
  expect(await told()).toEqual(locked);
  await setPasscode(drop, "");
  await account.api.succeed("edit-drop", { ...paramsOf(drop), body: { readers: ["somebody-else"] } });
  expect(await told()).toEqual(gone);
});
