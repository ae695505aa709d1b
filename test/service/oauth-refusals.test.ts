import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, unusedLoopbackAddress } from "../support/http.ts";
import {
  callback,
  connect,
  decide,
  discover,
  locationOf,
  openConsent,
  refresh,
  registerClient,
  sendTo,
  startAuthorization,
} from "../support/oauth.ts";
import { formRequest, newOwner } from "../support/own-pages.ts";
import { fieldsOf } from "../support/page-forms.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

const consentPath = "/oauth/authorize";

let client: oauth.Client;

const invalidRequests: [string, Record<string, string | undefined>, string][] = [
  ["another response type", { response_type: "token" }, "unsupported_response_type"],
  ["no response type", { response_type: undefined }, "invalid_request"],
  ["no code challenge", { code_challenge: undefined }, "invalid_request"],
  ["a plain code challenge", { code_challenge_method: "plain" }, "invalid_request"],
  ["a code challenge without a method", { code_challenge_method: undefined }, "invalid_request"],
  ["a code challenge that is not a digest", { code_challenge: "short" }, "invalid_request"],
  ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
  ["a resource that is not a URL", { resource: "mcp" }, "invalid_target"],
  ["a response in a fragment", { response_mode: "fragment" }, "invalid_request"],
];

beforeAll(async () => {
  client = await registerClient(await discover());
});

describe("an authorization request", () => {
  test.each([
    ["without a client id", { client_id: undefined }],
    ["of an unknown client", { client_id: "0".repeat(100) }],
    ["with a malformed client id", { client_id: "../USER#1" }],
    ["without a redirect URI", { redirect_uri: undefined }],
    ["with an unregistered redirect URI", { redirect_uri: "https://evil.example/cb" }],
    ["with a path below the registered redirect URI", { redirect_uri: `${callback}/../evil` }],
    ["with a query after the registered redirect URI", { redirect_uri: `${callback}?next=evil` }],
    ["with another name of the same machine", { redirect_uri: "http://localhost:9/callback" }],
    ["with a user name before the host", { redirect_uri: "http://127.0.0.1:9@evil.example/callback" }],
    ["with a script as the redirect URI", { redirect_uri: "javascript:alert(1)//callback" }],
  ])("%s is reported on a page, without a redirect", async (_case, changes) => {
    const { url } = await startAuthorization(client, changes);

    const { response } = await new Visitor().request(url);

    expectErrorPage(response, 400);
    expect(response.headers.location).toBeUndefined();
  });

  test("of a client with an altered id is reported on a page, without a redirect", async () => {
    const { url } = await startAuthorization(client, { client_id: changedId() });

    const { response } = await new Visitor().request(url);

    expectErrorPage(response, 400);
    expect(response.text).toContain("Remove the connection in the program and add it again");
  });

  test.each([
    ["client_id", client?.client_id],
    ["redirect_uri", callback],
  ])("that repeats %s is reported on a page", async (name, _value) => {
    const { url } = await startAuthorization(client);
    url.searchParams.append(name, url.searchParams.get(name) ?? "");

    expectErrorPage((await new Visitor().request(url)).response, 400);
  });

  test.each(invalidRequests)(
    "with %s is redirected to its client on the same machine, with the error and the issuer",
    async (_case, changes, code) => {
      const { url, state } = await startAuthorization(client, changes);

      const back = locationOf(await new Visitor().request(url));

      expect(back.origin + back.pathname).toBe(callback);
      const { error, state: same, iss, error_description } = Object.fromEntries(back.searchParams);
      expect({ error, same, iss }).toEqual({ error: code, same: state, iss: baseUrl() });
      expect(error_description).toMatch(/\w/);
    },
  );

  test.each(invalidRequests)(
    "with %s, from a client at https, is reported on a page that names the host, without a redirect",
    async (_case, changes) => {
      const redirect_uri = "https://evil.example/login";
      const registered = await registerClient(await discover(), { redirect_uris: [redirect_uri, callback] });
      const { url } = await startAuthorization(registered, { redirect_uri, ...changes });

      const { response } = await new Visitor().request(url);

      expectErrorPage(response, 400);
      expect(response.headers.location).toBeUndefined();
      expect(response.text).toContain("Nothing was sent to evil.example.");
      expect(elementsOf(response, "a").map(({ attribs }) => attribs.href ?? "")).not.toContainEqual(
        expect.stringContaining("evil.example"),
      );
    },
  );

  test("with a repeated parameter gets an error page that does not show the parameter's name", async () => {
    const redirect_uri = "https://evil.example/login";
    const registered = await registerClient(await discover(), { redirect_uris: [redirect_uri] });
    const { url } = await startAuthorization(registered, { redirect_uri });
    for (const value of ["1", "2"]) url.searchParams.append("call 555 to unlock", value);

    const { response } = await new Visitor().request(url);

    expectErrorPage(response, 400);
    expect(response.text).not.toContain("555");
  });

  test.each([
    ["a private-use scheme", "cursor://anysphere.cursor-mcp/oauth/callback", 302],
    ["localhost", "http://localhost:3000/callback", 302],
    ["https on the machine itself", "https://localhost:3000/callback", 400],
    ["https on a host whose name begins like the machine's", "https://127.0.0.1.evil.example/", 400],
  ])(
    "that is invalid, from a client at %s, is redirected only to the user's own machine: %s, %i",
    async (_case, uri, status) => {
      const registered = await registerClient(await discover(), { redirect_uris: [uri] });
      const { url } = await startAuthorization(registered, { redirect_uri: uri, code_challenge: undefined });

      const { response } = await new Visitor().request(url);

      expect(response.status).toBe(status);
      expect(response.headers.location?.startsWith(uri) ?? false).toBe(status === 302);
    },
  );

  test.each([
    ["plainly", {}],
    ["with prompt=none", { prompt: "none" }],
    ["with prompt=login, max_age=0 and a hint", { prompt: "login", max_age: "0", login_hint: "ada" }],
  ])(
    "from a client at https, sent %s, stays on this host until the person has decided",
    async (_case, more) => {
      const redirect_uri = "https://client.example/cb";
      const registered = await registerClient(await discover(), { redirect_uris: [redirect_uri] });
      const { url } = await startAuthorization(registered, { redirect_uri, ...more });
      const { visitor: signedIn } = await newOwner("oauth-https");

      const first = locationOf(await new Visitor().request(url));
      const second = locationOf(await new Visitor().request(first));
      const page = await signedIn.open(url);
      const denied = locationOf(await decide(signedIn, page, "deny"));

      expect([first.origin, second.origin]).toEqual([baseUrl(), baseUrl()]);
      expect([page.response.status, page.url.origin]).toEqual([200, baseUrl()]);
      expect(denied.origin + denied.pathname).toBe(redirect_uri);
      expect(denied.searchParams.get("error")).toBe("access_denied");
    },
  );

  test("from a client on a loopback address can be redirected to any port", { tags: "slow" }, async () => {
    const { url } = await startAuthorization(client, { redirect_uri: "http://127.0.0.1:49152/callback" });
    const visitor = new Visitor();

    const page = await openConsent(url, unusedUsername("oauth-port"), visitor);
    const back = locationOf(await decide(visitor, page, "allow"));

    expect(back.host).toBe("127.0.0.1:49152");
  });

  test("is refused with 429 after 120 requests from one address", { tags: "slow" }, async () => {
    const { url } = await startAuthorization(client);
    const from = unusedLoopbackAddress();
    const ask = () => fetchPage(url, { from, headers: { accept: "text/html" } });

    const statuses = (await Promise.all(Array.from({ length: 125 }, ask))).map(({ status }) => status);

    expect(statuses.filter((status) => status === 302)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });
});

describe("the consent page", () => {
  test("names the client, the redirect target and the person, and escapes the client's name", {
    tags: "slow",
  }, async () => {
    const named = await registerClient(await discover(), { client_name: "<b>Claude\u202e</b>" });
    const { url } = await startAuthorization(named);
    const { visitor, username } = await newOwner("oauth-consent");

    const { response } = await visitor.open(url);

    expect(elementsOf(response, "strong").map(textOf)).toEqual(["<b>Claude</b>"]);
    const facts = elementsOf(response, "dd").map(textOf);
    expect(facts).toContain("127.0.0.1:9");
    expect(facts).toContain(username);
    expect(response.headers["content-security-policy"]).toContain(
      "form-action 'self' https: http://127.0.0.1:9",
    );
    expect(response.headers["content-security-policy"]).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(response.headers["cross-origin-opener-policy"]).toBe("unsafe-none");
    expect(response.headers["cache-control"]).toBe("no-store");
  });

  test("reports a denial to the client, and cannot be submitted again", async () => {
    const { url, state } = await startAuthorization(client);
    const visitor = new Visitor();
    const page = await openConsent(url, unusedUsername("oauth-deny"), visitor);

    const back = locationOf(await decide(visitor, page, "deny"));
    const again = await decide(visitor, page, "allow");

    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state,
      iss: baseUrl(),
    });
    expectErrorPage(again.response, 400);
  });

  test("accepts one approval of several that are sent concurrently", { tags: "slow" }, async () => {
    const { url } = await startAuthorization(client);
    const visitor = new Visitor();
    const page = await openConsent(url, unusedUsername("oauth-twice"), visitor);

    const visits = await Promise.all([1, 2, 3].map(() => decide(visitor, page, "allow")));

    expect(visits.map(({ response }) => response.status).sort()).toEqual([303, 400, 400]);
  });

  test.each([
    ["without its proof", (fields: Fields) => ({ ...fields, proof: "" })],
    [
      "with a proof of another request",
      (fields: Fields, other: Fields) => ({ ...fields, proof: other.proof ?? "" }),
    ],
  ])("refuses a form %s", async (_case, change) => {
    const { visitor } = await newOwner("oauth-forged");
    const pages = await Promise.all(
      [1, 2].map(async () => visitor.open((await startAuthorization(client)).url)),
    );
    const [page, other] = pages as [Visit, Visit];
    const fields = change(fieldsOf(page, consentPath), fieldsOf(other, consentPath));

    const sent = await visitor.request(
      consentPath,
      formRequest(page.url, formOf({ ...fields, decision: "allow" })),
    );

    expectErrorPage(sent.response, 403);
    expect((await decide(visitor, page, "deny")).response.status).toBe(303);
  });

  test("refuses a form from another site or another person's session", async () => {
    const [mine, theirs] = [await newOwner("oauth-thief"), await newOwner("oauth-victim")];
    const page = await mine.visitor.open((await startAuthorization(client)).url);
    const body = formOf({ ...fieldsOf(page, consentPath), decision: "allow" });
    const elsewhere = formRequest(new URL("https://elsewhere.example/"), body);

    const foreign = await mine.visitor.request(consentPath, {
      ...elsewhere,
      headers: { ...elsewhere.headers, "sec-fetch-site": "cross-site" },
    });
    const others = await theirs.visitor.request(consentPath, formRequest(page.url, body));

    expectErrorPage(foreign.response, 403);
    expectErrorPage(others.response, 403);
  });

  test("redirects a form sent without a session to the sign-in, and back to the page afterwards", async () => {
    const { visitor } = await newOwner("oauth-out");
    const page = await visitor.open((await startAuthorization(client)).url);

    const sent = await decide(new Visitor(), page, "allow");

    expect(locationOf(sent).pathname).toBe("/login/read");
    expect(locationOf(sent).searchParams.get("to")).toBe(page.url.pathname + page.url.search);
    expect((await decide(visitor, page, "deny")).response.status).toBe(303);
  });

  test("returns 400 for an unknown request id", async () => {
    const { visitor } = await newOwner("oauth-none");
    for (const id of ["0".repeat(22), "..", "%2e"]) {
      expectErrorPage((await visitor.open(`${consentPath}?request=${id}`)).response, 400);
    }
  });

  test("cannot be framed", { tags: "slow" }, async () => {
    const { url } = await startAuthorization(client);
    const headers = { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site", accept: "text/html" };

    expectErrorPage(await fetchPage(url, { headers }), 403);
  });
});

describe("the token endpoint", () => {
  test("accepts a code only from its own client, and failed attempts do not use it up", async () => {
    const visitor = new Visitor();
    const { url, codeVerifier } = await startAuthorization(client);
    const page = await openConsent(url, unusedUsername("oauth-bound"), visitor);
    const code = locationOf(await decide(visitor, page, "allow")).searchParams.get("code") ?? "";
    const good = {
      grant_type: "authorization_code",
      client_id: client.client_id,
      code,
      redirect_uri: callback,
      code_verifier: codeVerifier,
    };
    const wrong = [
      { ...good, client_id: (await registerClient(await discover())).client_id },
      { ...good, redirect_uri: "http://127.0.0.1:10/callback" },
      { ...good, code_verifier: oauth.generateRandomCodeVerifier() },
      { ...good, code: `${code}0` },
    ];

    const refused = await Promise.all(wrong.map((fields) => sendTo("token", fields)));

    expect(refused.map(({ status, json }) => [status, json.error])).toEqual(
      wrong.map(() => [400, "invalid_grant"]),
    );
    const { response: _, ...rest } = { response: undefined, ...good };
    expect((await sendTo("token", { ...rest, resource: "https://elsewhere.example" })).json.error).toBe(
      "invalid_target",
    );
    expect((await sendTo("token", good)).status).toBe(200);
  });

  test("accepts a code without the redirect URI, because the code verifier protects it", async () => {
    const visitor = new Visitor();
    const { url, codeVerifier } = await startAuthorization(client);
    const page = await openConsent(url, unusedUsername("oauth-no-address"), visitor);
    const code = locationOf(await decide(visitor, page, "allow")).searchParams.get("code") ?? "";

    const { status } = await sendTo("token", {
      grant_type: "authorization_code",
      client_id: client.client_id,
      code,
      code_verifier: codeVerifier,
    });

    expect(status).toBe(200);
  });

  test.each([
    ["an id that was never issued", () => "0".repeat(22)],
    ["an altered id", changedId],
    ["an id with a character appended", () => `${client.client_id}=`],
    ["a URL without a path as its id", () => "https://client.example"],
  ])("advises a client with %s to register again", async (_case, idOf) => {
    const { status, json } = await sendTo("token", {
      grant_type: "refresh_token",
      client_id: idOf(),
      refresh_token: "0".repeat(43),
    });

    expect([status, json.error]).toEqual([400, "invalid_client"]);
    expect(json.error_description).toContain("Register again at /oauth/register");
  });

  test("accepts a refresh token only from its own client", { tags: "slow" }, async () => {
    const { tokens } = await connect(unusedUsername("oauth-other-client"));
    const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token ?? "" };

    const other = await sendTo("token", { ...fields, client_id: client.client_id });
    const nobody = await sendTo("token", fields);

    expect([other.json.error, nobody.json.error]).toEqual(["invalid_grant", "invalid_request"]);
  });

  test.each([
    [
      "JSON",
      JSON.stringify({ grant_type: "refresh_token" }),
      { "content-type": "application/json" },
      "invalid_request",
    ],
    ["an empty body", "", {}, "invalid_request"],
    ["a parameter twice", "grant_type=refresh_token&grant_type=refresh_token", {}, "invalid_request"],
    ["another grant type", "grant_type=client_credentials", {}, "unsupported_grant_type"],
    [
      "an assertion if the service accepts none",
      "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=a.b.c&client_id=a",
      {},
      "unsupported_grant_type",
    ],
    [
      "a workflow's ID token if the service accepts none",
      "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=a.b.c",
      {},
      "unsupported_grant_type",
    ],
    ["a password", "grant_type=password&username=a&password=b", {}, "unsupported_grant_type"],
    ["a missing code", "grant_type=authorization_code&client_id=x", {}, "invalid_request"],
    ["invalid UTF-8", "grant_type=refresh_token&client_id=x&refresh_token=%ff", {}, "invalid_client"],
  ])("refuses %s with OAuth's error codes", async (_case, body, headers, code) => {
    const response = await sendTo("token", body, headers);

    expect([response.status, response.json.error]).toEqual([400, code]);
    expect(response.json.error_description).toMatch(/\w/);
    expect(response.headers["cache-control"]).toBe("no-store");
  });
});

describe("token revocation", () => {
  test("returns 200 for an unknown token, and refuses another client's token", {
    tags: "slow",
  }, async () => {
    const { tokens } = await connect(unusedUsername("oauth-revocation"));

    const unknown = await sendTo("revoke", { token: "unknown" });
    const others = await sendTo("revoke", { token: tokens.access_token, client_id: client.client_id });
    const missing = await sendTo("revoke", {});

    expect([unknown.status, others.json.error, missing.json.error]).toEqual([
      200,
      "invalid_grant",
      "invalid_request",
    ]);
    expect((await sendTo("revoke", { token: tokens.refresh_token ?? "" })).status).toBe(200);
  });

  test("does not revoke an API token", { tags: "slow" }, async () => {
    const { api } = await newOwner("oauth-agent");

    const { status } = await sendTo("revoke", { token: api.token ?? "" });

    expect(status).toBe(200);
    await api.succeed("get-me");
  });
});

describe("client registration", () => {
  const register = (metadata: unknown, { headers = {}, from }: RegisterOptions = {}) =>
    fetchPage("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
      ...(from === undefined ? {} : { from }),
    });

  test.each([
    ["nothing", {}],
    ["an empty list", { redirect_uris: [] }],
    ["a string instead of a list", { redirect_uris: callback }],
    ["http on another host", { redirect_uris: ["http://example.com/callback"] }],
    [
      "http on a host whose name begins like localhost",
      { redirect_uris: ["http://localhost.evil.example/"] },
    ],
    ["http on a private address", { redirect_uris: ["http://192.168.0.1/callback"] }],
    ["a script", { redirect_uris: ["javascript:alert(1)"] }],
    ["a data URL", { redirect_uris: ["data:text/html,x"] }],
    ["an unknown private-use scheme", { redirect_uris: ["myapp://callback"] }],
    ["a fragment", { redirect_uris: ["https://example.com/#x"] }],
    ["a user name", { redirect_uris: ["https://user@example.com/"] }],
    ["a line break", { redirect_uris: ["https://example.com/\r\nset-cookie:a=b"] }],
    ["a relative URL", { redirect_uris: ["/callback"] }],
    ["a URL that is too long", { redirect_uris: [`https://example.com/${"a".repeat(500)}`] }],
    ["too many URLs", { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://example.com/${i}`) }],
    [
      "too many characters in total",
      { redirect_uris: [1, 2, 3].map((n) => `https://example.com/${"a".repeat(320)}${n}`) },
    ],
    ["a number", { redirect_uris: [7] }],
  ])("with %s as redirect URI is refused", async (_case, metadata) => {
    const { status, text } = await register(metadata);

    expect([status, JSON.parse(text).error]).toEqual([400, "invalid_redirect_uri"]);
  });

  test.each([
    ["a list", [], "invalid_client_metadata"],
    ["a name that is not a string", { redirect_uris: [callback], client_name: 7 }, "invalid_client_metadata"],
    [
      "a name that is too long",
      { redirect_uris: [callback], client_name: "n".repeat(101) },
      "invalid_client_metadata",
    ],
    [
      "only an unsupported grant type",
      { redirect_uris: [callback], grant_types: ["password"] },
      "invalid_client_metadata",
    ],
    [
      "another response type",
      { redirect_uris: [callback], response_types: ["token"] },
      "invalid_client_metadata",
    ],
    [
      "metadata that is too large",
      { redirect_uris: [callback], more: "m".repeat(5_200) },
      "invalid_client_metadata",
    ],
    ["invalid JSON", "{", "invalid_request"],
    ["an empty body", "", "invalid_request"],
  ])("with %s is refused", async (_case, metadata, code) => {
    const { status, text } = await register(metadata);

    expect([status, JSON.parse(text).error]).toEqual([400, code]);
  });

  test("issues no secret, even if one is requested, and lists what it grants", async () => {
    const { status, text } = await register({
      redirect_uris: ["https://example.com/cb?a=b"],
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "client_credentials"],
      scope: "everything",
    });

    expect(status).toBe(201);
    expect(JSON.parse(text)).toEqual({
      client_id: expect.stringMatching(/^[A-Za-z0-9_-]{40,200}$/),
      client_id_issued_at: expect.any(Number),
      redirect_uris: ["https://example.com/cb?a=b"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      scope: "drops",
    });
  });

  test("has no permission to write to the database, so that it cannot fill the storage", () => {
    expect(routes["register-client"].grants).toEqual({ secrets: ["cookieKey", "newCookieKey"] });
  });

  test("is not limited in number per address", { tags: "slow" }, async () => {
    const from = unusedLoopbackAddress();

    const responses = await Promise.all(
      Array.from({ length: 123 }, () => register({ redirect_uris: [callback] }, { from })),
    );

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  });

  test.each([
    ["another site's page, as plain text", { "content-type": "text/plain", origin: "https://evil.example" }],
    ["a page without an origin", { origin: "null" }],
    ["another site's script", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty" }],
  ])("from %s is refused", async (_case, headers) => {
    const { status, text } = await register({ redirect_uris: [callback] }, { headers });

    expect([status, JSON.parse(text).error]).toEqual([400, "invalid_request"]);
  });
});

test("other sites' pages cannot get or revoke tokens", { tags: "slow" }, async () => {
  const connection = await connect(unusedUsername("oauth-foreign"));
  const { refresh_token: token = "" } = connection.tokens;
  const { client_id } = connection.client;
  const evil = { origin: "https://evil.example" };

  const answers = [
    await sendTo("revoke", { token }, evil),
    await sendTo("token", { grant_type: "refresh_token", client_id, refresh_token: token }, evil),
  ];

  for (const { status, json } of answers) expect([status, json.error]).toEqual([400, "invalid_request"]);
  expect((await refresh(connection)).status).toBe(200);
});

/** Returns the client's sealed id with another first letter. */
function changedId(): string {
  const { client_id } = client;
  return (client_id.startsWith("A") ? "B" : "A") + client_id.slice(1);
}

interface RegisterOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

type Fields = Record<string, string>;

function formOf(fields: Fields): string {
  return new URLSearchParams(fields).toString();
}
