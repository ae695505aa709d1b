import { beforeAll, describe, expect, test } from "vitest";
import { neededScope } from "../../functions/http/route.ts";
import { type OperationId, operationIds, routeOf, routes } from "../../functions/routes.ts";
import { includesScope } from "../../functions/table/token-scope.ts";
import { type Account, anotherToken, newAccount, pageOf, publish } from "../support/accounts.ts";
import { ApiClient, pathOf } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { firstOfEach } from "../support/first-of-each.ts";
import { fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { requireDescribed } from "../support/openapi-validation.ts";
import { formRequest, newOwner } from "../support/own-pages.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { sampleCall } from "../support/sample-calls.ts";
import { confirmSignIn, enterUsername, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";

let owner: Account;
let reading: ApiClient;
let publishing: ApiClient;

beforeAll(async () => {
  owner = await newAccount("scopes");
  [reading, publishing] = await Promise.all([
    anotherToken(owner, "reads", "read"),
    anotherToken(owner, "publishes", "publish"),
  ]);
});

/** Checks that a call was refused with the token's scope and the needed one. */
function expectTooLittle(response: Parameters<typeof expectError>[0], scope: string, needed: string) {
  const { message, details } = expectError(response, "insufficient_scope");
  expect(details).toEqual({ scope, needed });
  expect(message).toContain(`"scope": "${needed}"`);
}

const refused = (["read", "publish"] as const).flatMap((scope) =>
  operationIds
    .filter((id) => routeOf(id).caller === "token" && !includesScope(scope, neededScope(routeOf(id))))
    .map((id) => [scope, id] as const),
);
const firstOfScopes: readonly (readonly [string, OperationId])[] = firstOfEach(refused, ([scope, id]) =>
  [scope, routeOf(id).resource].join(" "),
);

for (const { cases, options } of quickAndSlow(refused, (one) => firstOfScopes.includes(one)))
  test.each(cases)(
    "a token of the scope %s is refused by %s, before its body is read",
    options,
    async (scope, id) => {
      const api = scope === "read" ? reading : publishing;
      const { body, text, ...call } = sampleCall(id);

      const response = await api.call(id, { ...call, text: "{" });

      expectTooLittle(response, scope, neededScope(routeOf(id)));
    },
  );

test("a refused call does not count as a write", async () => {
  for (let calls = 0; calls < 61; calls += 1)
    expectTooLittle(await reading.call("delete-drop", { params: { slug: "aaaaaaa" } }), "read", "all");
});

describe("a token of the scope read", () => {
  test("reads its account's drops and comments, and its own metadata", async () => {
    const { slug } = await publish(owner.api);

    const { drops } = await reading.succeed("list-drops");
    await reading.succeed("list-feedback");
    const { token } = await reading.succeed("get-me");

    expect(drops.map((drop) => drop.slug)).toContain(slug);
    expect(token).toMatchObject({ label: "reads", scope: "read" });
  });

  test("can revoke itself, but no other token", async () => {
    const mine = await anotherToken(owner, "over", "read");
    const [own, other] = await Promise.all([mine, owner.api].map((api) => api.succeed("get-me")));

    expectTooLittle(
      await mine.call("revoke-token", { params: { id: other?.token.id ?? "" } }),
      "read",
      "all",
    );
    await mine.succeed("revoke-token", { params: { id: own?.token.id ?? "" } });

    expectError(await mine.call("get-me"), "unauthorized");
  });
});

describe("a token of the scope publish", () => {
  const body = { html: pageOf("two"), title: "Two" };

  test("can set the readers, passcode and expiry of a new page", async () => {
    const access = { visibility: "people", readers: ["ada@example.com"], passcode: "open sesame" };

    const drop = await publish(publishing, { ...access, expires_in_days: 3 });

    expect(drop).toMatchObject({ visibility: "people", readers: ["ada@example.com"], locked: true });
    expect(drop.expires_at).toBeGreaterThan(Date.now());
  });

  test("can change the content, description and tags of an existing page", async () => {
    const { slug } = await publish(owner.api);

    const next = await publishing.succeed("publish-version", { params: { slug }, body });
    const edited = await publishing.succeed("edit-drop", {
      params: { slug },
      body: { description: "All of it", metadata: { a: "b" } },
    });
    const upserted = await publishing.succeed("upsert-drop", { query: { "metadata.a": "b" }, body });
    await publishing.succeed("restore-version", { params: { slug }, body: { version: 1 } });

    expect([next.latest_version, upserted.latest_version, edited.metadata]).toEqual([2, 3, { a: "b" }]);
  });

  test("can send the current access settings again, as scripts do with each version", async () => {
    const access = {
      visibility: "people",
      readers: ["a@example.com", "@b.example"],
      passcode: "open sesame",
    };
    const tag = unusedUsername("repeat");
    const upsert = () =>
      publishing.succeed("upsert-drop", { query: { "metadata.tag": tag }, body: { ...body, ...access } });

    const first = await upsert();
    const again = await upsert();
    const { readers } = await publishing.succeed("edit-drop", {
      params: { slug: first.slug },
      body: { readers: ["@b.example", "a@example.com"], indexed: false, feedback: "readers", answers: "off" },
    });

    expect([again.slug, again.latest_version]).toEqual([first.slug, 2]);
    expect(readers).toHaveLength(2);
  });

  test.each([
    ["the visibility", { visibility: "unlisted" }],
    ["the readers", { visibility: "people", readers: ["ada@example.com"] }],
    ["the expiry", { expires_in_days: 3 }],
    ["the listing in search engines", { indexed: true }],
    ["the comments setting", { feedback: "readers" }],
    ["the answers setting", { answers: "readers" }],
    ["the publication of results", { answers_results: true }],
  ])("cannot change %s of an existing page with any call", async (_what, access) => {
    const tag = unusedUsername("kept");
    const before = await publish(owner.api, { metadata: { tag } });
    const { slug } = before;

    const calls = await Promise.all([
      publishing.call("edit-drop", { params: { slug }, body: { title: "Other", ...access } }),
      publishing.call("publish-version", { params: { slug }, body: { ...body, ...access } }),
      publishing.call("upsert-drop", { query: { "metadata.tag": tag }, body: { ...body, ...access } }),
      publishing.call("edit-drop", { params: { slug }, body: access }),
    ]);

    for (const response of calls) expectTooLittle(response, "publish", "all");
    expect(await owner.api.succeed("get-drop", { params: { slug } })).toEqual(before);
  });

  test.each([
    ["remove the passcode", "open sesame", ""],
    ["set the passcode", undefined, "open sesame"],
    ["change the passcode", "open sesame", "another one"],
  ])("cannot %s of an existing page with an upsert", async (_what, passcode, next) => {
    const tag = unusedUsername("gate");
    const { slug, locked } = await publish(owner.api, { metadata: { tag }, passcode });

    const response = await publishing.call("upsert-drop", {
      query: { "metadata.tag": tag },
      body: { ...body, passcode: next },
    });

    expectTooLittle(response, "publish", "all");
    const after = await owner.api.succeed("get-drop", { params: { slug } });
    expect([after.locked, after.latest_version]).toEqual([locked, 1]);
  });

  test("cannot remove the expiry of an existing page", async () => {
    const { slug } = await publish(owner.api, { expires_in_days: 3 });

    const response = await publishing.call("edit-drop", { params: { slug }, body: { expires_at: null } });

    expectTooLittle(response, "publish", "all");
  });

  test("is also limited to its scope when it publishes with an upload URL", async () => {
    const { slug } = await publish(owner.api);
    const started = await publishing.succeed("start-publish", { body: { slug, visibility: "unlisted" } });
    const fresh = await publishing.succeed("start-publish", {
      body: { title: "New", visibility: "unlisted" },
    });

    const send = ({ url }: { readonly url: string }) =>
      fetchPage(url, { method: "POST", headers: { "content-type": "text/html" }, body: pageOf("sent") });

    const [old, made] = [await send(started), await send(fresh)];

    expectTooLittle(old, "publish", "all");
    expect(made.status).toBe(201);
  });

  test("can upload a file, but not change its readers afterwards", async () => {
    const { id } = await publishing.succeed("upload-blob", sampleCall("upload-blob"));

    const response = await publishing.call("edit-blob", { params: { id }, body: { visibility: "members" } });

    expectTooLittle(response, "publish", "all");
    await owner.api.succeed("delete-blob", { params: { id } });
  });
});

describe("the scope of a sign-in", () => {
  test("is described on the verify page, and limits the token", async () => {
    const start = await startSignIn("CI", "publish");
    const visitor = new Visitor();
    const page = (await visitor.open(start.verification_url)).response.text;
    await confirmSignIn(start, unusedUsername("scoped"), visitor);
    const { api_token: token } = await pollSignIn(start.poll_token);

    const api = new ApiClient(token);
    const { tokens } = await api.succeed("list-tokens");

    expect(page).toContain("can’t delete anything");
    expect(page).not.toContain("lock and delete");
    expect(tokens.map(({ label, scope }) => [label, scope])).toEqual([["CI", "publish"]]);
    expectTooLittle(await api.call("delete-drop", { params: { slug: "aaaaaaa" } }), "publish", "all");
  });

  test("is all by default", async () => {
    const { token } = await owner.api.succeed("get-me");

    expect(token.scope).toBe("all");
  });

  test.each([["write"], ["drops"], [""], [["read"]], [null]])(
    "cannot be %j, and the error names the existing scopes",
    async (scope) => {
      const response = await new ApiClient().call("start-sign-in", { body: { scope } });

      expect(expectError(response, "invalid_arg").message).toContain("publish");
    },
  );

  test("can be chosen for a token created by hand, and is shown on the tokens page", async () => {
    const { visitor, username } = await newOwner("scoped-by-hand");
    const request = await visitor.open("/login/token");
    const chosen = new URLSearchParams({ label: "by hand", scope: "read" }).toString();

    const verify = await visitor.request("/login", formRequest(request.url, chosen));
    const verifyPage = await visitor.open(verify.response.headers.location ?? "");
    const signedIn = await visitor.open(linkTo(verifyPage, routes["authorize-sign-in"].path));
    const confirmation = await enterUsername(visitor, signedIn, username);
    const [, token] = /(hb_\w{36})/.exec((await visitor.submit(confirmation, {})).response.text) ?? [];
    const page = await visitor.open("/account/tokens");

    expect(request.response.text).toContain('<option value="read">Only read</option>');
    expect(verifyPage.response.text).toContain("can’t publish, change or delete anything");
    expect((await new ApiClient(token).succeed("get-me")).token).toMatchObject({
      label: "by hand",
      scope: "read",
    });
    expect(page.response.text).toContain("Can only read");
  });
});

describe("the MCP server with a token of the scope read", () => {
  test("lists a tool that needs a wider scope, and refuses it with 403 and that scope", async () => {
    const message = {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "publish_drop", arguments: { html: pageOf("no"), title: "No" } },
    };

    const { client } = await connectMcp(reading.token);
    const { tools } = await client.listTools();
    const response = await fetchPage(pathOf("call-mcp"), {
      method: "POST",
      headers: {
        authorization: `Bearer ${reading.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(message),
    });

    await requireDescribed("call-mcp", response);
    expect(tools.map(({ name }) => name)).toContain("publish_drop");
    expect(response.status).toBe(403);
    expect(response.headers["www-authenticate"]).toMatch(
      /^Bearer error="insufficient_scope", scope="publish", /,
    );
    expect(response.headers["x-dropleaf-challenge"]).toBeUndefined();
    const { result } = JSON.parse(response.text);
    expect(result.structuredContent.error).toMatchObject({
      code: "insufficient_scope",
      details: { scope: "read", needed: "publish" },
    });
    expect(result._meta["mcp/www_authenticate"][0]).toMatch(
      /^Bearer error="insufficient_scope", scope="publish", error_description="[^"]+", resource_metadata="http/,
    );
  });

  test("allows tools that only read", async () => {
    const { succeed } = await connectMcp(reading.token);

    expect((await succeed("whoami")).token.scope).toBe("read");
    expect((await succeed("list_drops")).drops.length).toBeGreaterThan(0);
  });
});
