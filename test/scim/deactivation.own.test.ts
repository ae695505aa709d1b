// @module-tag nightly

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
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
import { formRequest, openSignedIn } from "../support/own-pages.ts";
import { fieldsOf } from "../support/page-forms.ts";
import { offeredSignIn } from "../support/reader.ts";
import type { RunningService } from "../support/running-service.ts";
import {
  confirmSignIn,
  continueToProvider,
  enterUsername,
  pollSignIn,
  signIn,
  startSignIn,
  unusedUsername,
} from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";
import { createToken, Directory, startScimService } from "./scim-client.ts";

let service: RunningService;
let directory: Directory;
let members: string;
/** Address and slug of a page for members. */
let page: { readonly address: string; readonly slug: string };

const callbackPath = "/api/auth/idp/callback";

beforeAll(async () => {
  service = await startScimService();
  directory = new Directory((await createToken()).plaintext);
  members = await directory.createGroup("Publishers");
  const { token } = await givenPerson("owner");
  const text = "For members";
  const fields = { visibility: "members", title: text, html: pageOf(text), context: text };
  const { slug } = await publish(new ApiClient(token), fields);
  page = { slug, address: `${baseUrl()}/p/${slug}` };
});

afterAll(() => service.stop());

/** Creates a member through a group of the directory, with a token and a signed-in browser. */
async function givenPerson(name: string) {
  const username = unusedUsername(name);
  const id = await directory.createUser(username);
  await directory.patch(`/Groups/${members}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
  const { token } = await signIn(username);
  const browser = new Visitor();
  await openSignedIn("/account", username, browser);
  return { username, id, token, api: new ApiClient(token), browser };
}

/** Signs a reader in up to the redirect from the provider, which is not opened yet. */
async function readerOnTheWayBack(username: string) {
  const visitor = new Visitor();
  const form = await visitor.open(offeredSignIn(await visitor.open(page.address)));
  return { visitor, back: await enterUsername(visitor, form, username, { stopAt: callbackPath }) };
}

/** Signs a person in, without an agent, up to the button that shows the token. */
async function tokenToBeShown(username: string) {
  const visitor = new Visitor();
  const verify = await visitor.submit(await visitor.open("/login/token"), { label: "" });
  const provider = await visitor.open(linkTo(verify, "/api/auth/idp/authorize"));
  return { visitor, confirmation: await enterUsername(visitor, provider, username) };
}

async function reads(visitor: Visitor, address: string): Promise<boolean> {
  const { response } = await visitor.open(address);
  return response.status === 200 && response.text.includes("For members");
}

type Way = readonly [name: string, isOpen: () => Promise<boolean>];

/** Prepares every kind of access up to its last step. */
async function givenWays(person: Awaited<ReturnType<typeof givenPerson>>): Promise<readonly Way[]> {
  const { username, api, token, browser } = person;
  const isCalled = async (id: Parameters<ApiClient["call"]>[0], options = {}) =>
    (await api.call(id, options)).status < 300;
  const second = await signIn(username);
  const { slug: own } = await publish(api, { title: "Own" });
  const retried = { body: { html: "<p>x", title: "Retried" }, headers: { "idempotency-key": "retried" } };
  await api.succeed("publish-drop", retried);
  const publication = await api.succeed("start-publish", { body: {} });
  const upload = await api.succeed("start-upload", {
    body: { filename: "a.png", content_type: "image/png", size_bytes: 1 },
  });
  const mcp = await connectMcp(token);
  const connection = await connect(username);
  const server = await discover();
  const client = await registerClient(server);
  const authorize = async (visitor: Visitor) => {
    const started = await startAuthorization(client);
    return { visitor, started, consent: await openConsent(started.url, username, visitor) };
  };
  const undecided = await authorize(new Visitor());
  const decided = await authorize(new Visitor());
  const code =
    locationOf(await decide(decided.visitor, decided.consent, "allow")).searchParams.get("code") ?? "";
  const verified = await startSignIn();
  await confirmSignIn(verified, username);
  const returning = await startSignIn();
  const agentBrowser = new Visitor();
  const back = await enterUsername(
    agentBrowser,
    await continueToProvider(agentBrowser, returning),
    username,
    {
      stopAt: callbackPath,
    },
  );
  const shown = await tokenToBeShown(username);
  const reader = await readerOnTheWayBack(username);
  const ownPage = await browser.open(`/account/drops/${own}`);
  const form = fieldsOf(ownPage, `/account/drops/${own}`);
  const isRead = (path: string) => async () => reads(browser, path);

  return [
    ["an API call", () => isCalled("get-me")],
    ["publishing", () => isCalled("publish-drop", { body: { html: "<p>x", title: "Late" } })],
    ["a repeated request whose response is stored", () => isCalled("publish-drop", retried)],
    ["another token", async () => (await new ApiClient(second.token).call("get-me")).status === 200],
    [
      "a one-time publication address",
      async () => {
        const body = pageOf("Late");
        const sent = { method: "POST", body, headers: { "content-type": "text/html" } };
        return (await fetchPage(publication.url, sent)).status < 300;
      },
    ],
    [
      "the completion of an upload",
      async () => (await api.call("complete-upload", { params: { id: upload.id } })).status !== 401,
    ],
    ["the library of the API", () => isCalled("list-library")],
    [
      "a tool",
      () =>
        mcp.succeed("whoami").then(
          () => true,
          () => false,
        ),
    ],
    [
      "an access token of an MCP client",
      () =>
        connectMcp(connection.tokens.access_token).then(
          async (own) => !(await own.call("whoami")).isError,
          () => false,
        ),
    ],
    ["a refresh token", async () => (await refresh(connection)).status === 200],
    [
      "an unused authorization code",
      async () => {
        const { codeVerifier } = decided.started;
        const fields = { grant_type: "authorization_code", client_id: client.client_id, code };
        return (
          (await sendTo("token", { ...fields, redirect_uri: callback, code_verifier: codeVerifier }))
            .status === 200
        );
      },
    ],
    [
      "an open consent page",
      async () => {
        const { response } = await decide(undecided.visitor, undecided.consent, "allow");
        return (response.headers.location ?? "").includes("code=");
      },
    ],
    [
      "the consent to another client",
      async () => {
        const late = new Visitor();
        const started = await startAuthorization(client);
        const { response } = await openConsent(started.url, username, late);
        return response.text.includes('value="allow"');
      },
    ],
    ["an unclaimed device code", async () => (await pollSignIn(verified.poll_token)).api_token !== undefined],
    [
      "a sign-in that returns from the provider",
      async () => {
        const { response } = await agentBrowser.request(back.url);
        return response.status === 200 || (await pollSignIn(returning.poll_token)).api_token !== undefined;
      },
    ],
    [
      "a new sign-in",
      async () => {
        const start = await startSignIn();
        const visitor = new Visitor();
        const { response } = await enterUsername(visitor, await continueToProvider(visitor, start), username);
        return response.status === 200 || (await pollSignIn(start.poll_token)).api_token !== undefined;
      },
    ],
    [
      "a token that the browser has not shown yet",
      async () => (await shown.visitor.submit(shown.confirmation, {})).response.text.includes("hb_"),
    ],
    ["the page for members", isRead(page.address)],
    ["the raw page for members", isRead(`${page.address}/raw`)],
    ["the text of the page's context", isRead(`${page.address}/context`)],
    ["the library", isRead("/library")],
    ["the account's pages", async () => (await browser.open("/account")).response.text.includes("Own")],
    [
      "a form of the account's pages",
      async () => {
        const body = new URLSearchParams({ ...form, title: "Changed" }).toString();
        const { response } = await browser.request(`/account/drops/${own}`, formRequest(ownPage.url, body));
        return response.status < 400 && !(response.headers.location ?? "").includes("/login");
      },
    ],
    [
      "a reader's sign-in that returns from the provider",
      async () => {
        await reader.visitor.open(reader.back.url);
        return reads(reader.visitor, page.address);
      },
    ],
    [
      "a reader's new sign-in",
      async () => {
        const { visitor, back: toService } = await readerOnTheWayBack(username);
        await visitor.open(toService.url);
        return reads(visitor, page.address);
      },
    ],
  ];
}

async function openOf(ways: readonly Way[]): Promise<readonly string[]> {
  const open: string[] = [];
  for (const [name, isOpen] of ways) if (await isOpen()) open.push(name);
  return open;
}

describe("a person whom a directory deactivates", () => {
  test.each([
    [
      "by PATCH",
      (id: string) => directory.patch(`/Users/${id}`, [{ op: "Replace", path: "active", value: "False" }]),
    ],
    ["by DELETE", (id: string) => directory.send("DELETE", `/Users/${id}`)],
  ])("%s loses every kind of access immediately", async (_, deactivate) => {
    const person = await givenPerson("leaver");
    const ways = await givenWays(person);
    expect(ways.length).toBeGreaterThanOrEqual(21);

    expect((await deactivate(person.id)).status).toBeLessThan(300);

    // Each kind of access is tried only once, so it must be closed immediately.
    expect(await openOf(ways)).toEqual([]);
  });

  test("has every kind of access before the deactivation, so that the attempts are valid", async () => {
    const ways = await givenWays(await givenPerson("stayer"));

    const open = await openOf(ways);

    const closed = ways.map(([name]) => name).filter((name) => !open.includes(name));
    expect(closed).toEqual([]);
  });

  test("regains access with a new sign-in after a reactivation, while the old tokens and sessions stay ended", async () => {
    const { id, username, api, browser } = await givenPerson("returner");
    await directory.setActive(id, false);
    await directory.setActive(id, true);

    expect((await api.call("get-me")).status).toBe(401);
    expect(await reads(browser, page.address)).toBe(false);
    const account = await browser.open("/account");
    expect(new URL(account.url).port).not.toBe(new URL(baseUrl()).port);

    await enterUsername(browser, account, username);
    expect(await reads(browser, page.address)).toBe(true);
    expect((await new ApiClient((await signIn(username)).token).call("get-me")).status).toBe(200);
  });
});
