import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResourceName } from "../../functions/http/route.ts";
import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { type Account, anotherToken, newAccount, newTeam, publish } from "../support/accounts.ts";
import { ApiClient, pathOf } from "../support/client.ts";
import { expectError, expectErrorShape } from "../support/expect-error.ts";
import { firstOfEach } from "../support/first-of-each.ts";
import { fetchPage } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { quickAndSlow, slowAndNightly } from "../support/quick-and-slow.ts";
import { sampleCall } from "../support/sample-calls.ts";
import { teamToken } from "../support/team-sign-in.ts";

/** Operations of the API that take a token and are served by the API's own function. */
const operations = operationIds.filter((id) => {
  const { caller, servedBy } = routeOf(id);
  return caller === "token" && servedBy === undefined;
});
const withParameter = operations.filter((id) => routeOf(id).path.includes("{"));
const anonymous = new ApiClient();

/** The first operation of each resource: one is enough, because route definitions refuse, not handlers. */
const firstOfResources = firstOfEach(operations, (id) => routeOf(id).resource);
const isFirst = (id: OperationId) => firstOfResources.includes(id);

/** An account and its objects. */
interface Things {
  readonly api: ApiClient;
  readonly namespace: string;
  readonly slug: string;
  /** Values for a path's `id`, by resource, or by operation for uploads that are not files yet. */
  readonly ids: Partial<Record<ResourceName | OperationId, string>>;
}

let account: Account;
let ownSlug: string;
let strangers: Things;
/** A person who owns two teams. */
let person: Things;
let team: Things;
let otherTeam: Things;

/** Pairs of a token and another account whose objects it cannot reach, even if one person owns both. */
const pairs: readonly (readonly [who: string, caller: () => ApiClient, whose: () => Things])[] = [
  ["a stranger's token, for a team", () => strangers.api, () => team],
  ["an owner's own token, for their team", () => person.api, () => team],
  ["a team's token, for its owner", () => team.api, () => person],
  ["a team's token, for its owner's other team", () => otherTeam.api, () => team],
  ["a service token, for another team", () => serviceToken, () => otherTeam],
];
let serviceToken: ApiClient;
let otherToken: ApiClient;

beforeAll(async () => {
  const [stranger, ada] = await Promise.all([newAccount("refused-stranger"), newAccount("refused-ada")]);
  account = await newAccount("refused");
  otherToken = await anotherToken(account);
  ownSlug = (await publish(account.api)).slug;
  const teams = [await newTeam(ada), await newTeam(ada)];
  const [one, other] = await Promise.all(teams.map(({ namespace }) => teamToken(ada.username, namespace)));
  strangers = await givenThings(stranger.api);
  person = await givenThings(ada.api);
  team = await givenThings(one ?? anonymous);
  otherTeam = await givenThings(other ?? anonymous);
  const { api_token: token } = await ada.api.succeed("create-team-token", {
    params: { namespace: team.namespace },
    body: { label: "Nightly report" },
  });
  serviceToken = new ApiClient(token);
});

async function givenThings(api: ApiClient): Promise<Things> {
  const { slug } = await publish(api);
  await api.succeed("publish-version", { params: { slug }, body: { html: "<p>two" } });
  const { token, account: its } = await api.succeed("get-me");
  const ids = {
    // No such request exists: only the drop in the path does.
    "dismiss-access-request": "aaaaaaa",
    tokens: token.id,
    blobs: (await api.succeed("upload-blob", sampleCall("upload-blob"))).id,
    "complete-upload": (await api.succeed("start-upload", sampleCall("start-upload"))).id,
  };
  return { api, namespace: its.namespace, slug, ids };
}

/** Returns a sample call with the path parameters of an account's objects. */
function callFor(id: OperationId, { slug, ids, namespace }: Things) {
  return sampleCall(id, { slug, id: ids[id] ?? ids[routeOf(id).resource] ?? "", namespace });
}

afterAll(async () => {
  for (const { api, ids } of [strangers, person, team, otherTeam])
    await api.succeed("delete-blob", { params: { id: ids.blobs ?? "" } });
});

const wrongTokens = [
  ["a token that was never issued", `Bearer hb_${"A".repeat(36)}`],
  ["no token after the scheme", "Bearer"],
  ["another scheme", "Basic aGI6aGI="],
  ["a token without a scheme", `hb_${"A".repeat(36)}`],
  ["two tokens in one header", `Bearer hb_${"A".repeat(36)} hb_${"B".repeat(36)}`],
  ["a very long token", `Bearer hb_${"A".repeat(4000)}`],
] as const;

for (const { cases, options } of quickAndSlow(operations, isFirst))
  test.each(cases)("%s without a token is unauthorized", options, async (id) => {
    expectError(await anonymous.call(id, sampleCall(id)), "unauthorized");
  });

describe.each(firstOfResources)("%s", (id) => {
  test.each(wrongTokens)("with %s is unauthorized", async (_case, authorization) => {
    expectError(await anonymous.call(id, { ...sampleCall(id), headers: { authorization } }), "unauthorized");
  });

  test("with two Authorization headers is unauthorized, even if one is valid", async () => {
    const good = `Bearer ${account.api.token}`;
    const headers = { authorization: [good, "Bearer hb_other"] };

    expectError(await anonymous.call(id, { ...sampleCall(id), headers }), "unauthorized");
  });

  test("with invalid input and no token is unauthorized, before anything else is checked", async () => {
    // CloudFront refuses a GET that has a body before the token is checked.
    const body = routeOf(id).method === "GET" ? {} : { text: "{" };
    const invalid = {
      params: { slug: "short", id: "%", n: "x", thread: "x", number: "x", publication: "x" },
      query: { page: "x" },
      ...body,
    };

    expectError(await anonymous.call(id, invalid), "unauthorized");
  });

  test("exists on the service's own host only", async () => {
    const [own] = (await account.api.succeed("list-drops")).drops;
    const address = ownerAddress(own?.url ?? "") + pathOf(id, sampleCall(id));
    const headers = { authorization: `Bearer ${account.api.token}`, accept: "application/json" };

    expectError(await fetchPage(address, { method: routeOf(id).method, headers }), "not_found");
  });
});

describe.each(firstOfResources.filter((id) => typeof routeOf(id).body === "object"))("%s", (id) => {
  test.each([
    ["not JSON", "{"],
    ["a form", "title=T&html=%3Cp%3E"],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1")],
  ])("with a body that is %s is invalid_json", async (_case, text) => {
    const { params = {}, query = {} } = sampleCall(id, { slug: ownSlug });
    const headers = { authorization: `Bearer ${account.api.token}`, "content-type": "application/json" };
    const body = Buffer.from(text, "latin1");

    const response = await fetchPage(pathOf(id, { params, query }), {
      method: routeOf(id).method,
      headers,
      body,
    });

    expectError(response, "invalid_json");
  });

  test("with a body that is not an object is invalid_arg", async () => {
    for (const body of ["text", 7, null, []]) {
      expectError(await account.api.call(id, { ...sampleCall(id, { slug: ownSlug }), body }), "invalid_arg");
    }
  });
});

const wrongSlugs = ["short", "toolong8", "aaaaaa-", "aaaaaaé", "aaaa aa", "aaaaaa%"];

describe.each(firstOfResources.filter((id) => routeOf(id).path.includes("{slug}")))("%s", (id) => {
  test.each(wrongSlugs)("for %j, which is not a slug, is invalid_slug", async (slug) => {
    expectError(await account.api.call(id, sampleCall(id, { slug })), "invalid_slug");
  });

  test("for a slug that was never issued is not_found", async () => {
    expectError(await account.api.call(id, sampleCall(id, { slug: "aaaaaaa" })), "not_found");
  });
});

for (const { cases, options } of quickAndSlow(withParameter, isFirst))
  describe.each(cases)("%s", options, (id) => {
    test("for another person's object is not_found, with the same text as for a missing one", async () => {
      const others = await account.api.call(id, callFor(id, strangers));
      const missing = await account.api.call(id, sampleCall(id));

      expectError(others, "not_found");
      expect(others.text.replaceAll(strangers.namespace, "nobody")).toBe(missing.text);
    });
  });

for (const { cases, options } of slowAndNightly(withParameter, isFirst))
  describe.each(cases)("%s", options, (id) => {
    test("for an object of the person's other account is not_found, with the same text as for a missing one", async () => {
      const missing = await otherToken.call(id, sampleCall(id));

      const others = await Promise.all(
        pairs.filter(isFor(id)).map(async ([who, caller, whose]) => {
          const { status, text } = await caller().call(id, callFor(id, whose()));
          return [who, status, text.replaceAll(whose().namespace, "nobody")];
        }),
      );

      expect(others).toEqual(others.map(([who]) => [who, 404, missing.text]));
      expect(others.length).toBeGreaterThan(0);
    });
  });

/** Skips calls with other rules: people change their teams with their own token, and service tokens cannot move drops. */
function isFor(id: OperationId) {
  return ([, caller]: (typeof pairs)[number]): boolean =>
    !(caller() === person.api && routeOf(id).resource === "teams") &&
    !(caller() === serviceToken && id === "move-drop");
}

describe("another account's objects", () => {
  test("are unchanged after all calls of this file", async () => {
    for (const { api, slug, namespace } of [strangers, person, team, otherTeam]) {
      const params = { slug };

      const drop = await api.succeed("get-drop", { params });

      expect(drop).toMatchObject({ title: "A page", locked: false, latest_version: 2 });
      expect(drop.url).toContain(namespace);
      expect((await api.succeed("list-versions", { params })).versions).toHaveLength(2);
      expect((await api.succeed("get-usage")).blobs.used).toBe(1);
    }
    for (const { namespace } of [team, otherTeam]) {
      const { owners, editors } = await person.api.succeed("get-team", { params: { namespace } });
      expect([owners.length, editors]).toEqual([1, []]);
    }
    expect((await account.api.succeed("list-drops")).drops.map(({ slug }) => slug)).toEqual([ownSlug]);
  });
});

describe("an unknown path of the API", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const paths = new Set(firstOfResources.map((id) => pathOf(id, sampleCall(id)).split("?")[0] ?? ""));
  const others = [...paths].flatMap((path) =>
    methods.filter((method) => !hasOperation(method, path)).map((m) => [m, path] as const),
  );

  test.each(others)("%s %s is method_not_allowed, with the allowed methods", async (method, path) => {
    const response = await fetchPage(path, {
      method,
      headers: { authorization: `Bearer ${account.api.token}` },
    });

    expectError(response, "method_not_allowed");
    const allowed = methods.filter((one) => hasOperation(one, path));
    expect(response.headers.allow?.split(", ").toSorted()).toEqual(allowed.toSorted());
  });

  test.each([
    "/api",
    "/api/",
    "/api/drop",
    "/api/drops/aaaaaaa/",
    "/api/drops/aaaaaaa/raw",
    "/api/v1/drops",
    "/API/me",
  ])("GET %s is not_found", async (path) => {
    const headers = { authorization: `Bearer ${account.api.token}`, accept: "application/json" };

    expectError(await fetchPage(path, { headers }), "not_found");
  });

  test.each([
    ["/api/me", 200],
    ["/api/drops", 200],
    ["/api/nowhere", 404],
  ])("HEAD %s has the status of GET and no body: %i", async (path, expected) => {
    const headers = { authorization: `Bearer ${account.api.token}` };

    const { status, text } = await fetchPage(path, { method: "HEAD", headers });

    expect({ status, text }).toEqual({ status: expected, text: "" });
  });

  test("HEAD requires the same token as GET", async () => {
    const { status, text } = await fetchPage("/api/me", { method: "HEAD" });

    expect({ status, text }).toEqual({ status: 401, text: "" });
  });

  test("OPTIONS allows no other site to call the API", async () => {
    const headers = { origin: "https://elsewhere.example", "access-control-request-method": "POST" };

    const response = await fetchPage("/api/drops", { method: "OPTIONS", headers });

    expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expectErrorShape(response);
  });
});

function hasOperation(method: string, path: string): boolean {
  return operationIds.some((id: OperationId) => {
    const pattern = new RegExp(`^${routeOf(id).path.replace(/\{\w+\}/g, "[^/]+")}$`);
    return routeOf(id).method === method && pattern.test(path);
  });
}
