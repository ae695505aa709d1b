import { createHash, randomInt } from "node:crypto";
import { environmentNames, readEnvironment } from "../../functions/core/environment.ts";
import type { OperationId } from "../../functions/routes.ts";
import { scimTokens } from "../../functions/scim/scim-tokens.ts";
import { CookieJar } from "../../test/support/cookie-jar.ts";
import {
  callUnmeasured,
  type OperationCall,
  type OperationResponse,
  type Walk,
} from "../../test/support/operation-caller.ts";
import { fieldsOf } from "../../test/support/page-forms.ts";
import { authorizeQuery, visitProvider } from "../../test/support/provider-visit.ts";
import { samplePage, samplePasscode } from "../../test/support/sample-page.ts";

/** Calls operations as people in browsers, as MCP clients, and as a company's directory. */
export async function walkPeople(walk: Walk, token: string): Promise<void> {
  await walkBrowserSignIn(walk, "ann");
  await walkReader(walk, "ann-reads", token);
  const browser = await walkOwnPages(walk, "ann-owns");
  await walkClient(walk, browser);
  await walk("show-library", "nothing in it", { browser });
  await walkScim(walk, "ann-provisioned");
}

/** Parses a response of the API. */
export function parse({ text }: { readonly text: string }) {
  return JSON.parse(text);
}

/** Publishes the sample page with some fields replaced. */
export async function publish(walk: Walk, variant: string, token: string, fields = {}) {
  return parse(await walk("publish-drop", variant, { token, body: { ...samplePage, ...fields } }));
}

/**
 * Calls the operations of the device-code flow, as an agent and as the person who signs in. Calls to the identity provider are not
 * measured.
 *
 * @returns API token of the person's account
 */
export async function signIn(walk: Walk, username: string): Promise<string> {
  const started = await walk("start-sign-in", "", { body: {} });
  const { code, poll_token: pollToken } = parse(started);
  const poll = { query: { token: pollToken } };
  await walk("poll-sign-in", "pending", poll);
  const browser = new CookieJar();
  const verifyPage = await walk("show-verify-page", "", { query: { code }, browser });
  const sent = await walk("authorize-sign-in", "", { query: authorizeQuery(verifyPage), browser });
  const query = await visitProvider(sent.headers.location, username);
  await walk("complete-sign-in", "new account", { query, browser });
  const polled = await walk("poll-sign-in", "verified: returns the token", poll);
  const { status, api_token: token } = parse(polled);
  if (token === undefined) throw new Error(`The poll answered ${status} without a token.`);
  return token;
}

/** Calls operations as a person who signs in without an agent. Skips calls that `signIn` has already measured. */
async function walkBrowserSignIn(walk: Walk, username: string): Promise<void> {
  const browser = new CookieJar();
  const started = await walk("start-browser-sign-in", "", { body: "", browser });
  const code = new URL(started.headers.location ?? "").searchParams.get("code") ?? "";
  const verifyPage = await callUnmeasured("show-verify-page", "", { query: { code }, browser });
  const call = { query: authorizeQuery(verifyPage), browser };
  const sent = await callUnmeasured("authorize-sign-in", "", call);
  const query = await visitProvider(sent.headers.location, username);
  await walk("complete-sign-in", "known account", { query, browser });
  const form = { browser, body: `code=${code}` };
  await walk("reveal-token", "", form);
  await walk("undo-sign-in", "the token is ready", form);
}

/** Calls operations as a reader who signs in, opens a shared drop and a drop that is not shared, and signs out. */
async function walkReader(walk: Walk, username: string, ownerToken: string): Promise<void> {
  const browser = new CookieJar();
  const admission = { browser, query: { to: "/p/0000000" }, expectedStatus: 302 };
  const sent = await walk("admit-reader", "not signed in", admission);
  const query = await visitProvider(sent.headers.location, username);
  await walk("complete-sign-in", "reader", { browser, query, expectedStatus: 303 });
  await walk("admit-reader", "signed in", admission);
  await walk("view-drop", "not shared", { browser, params: { slug: "0000000" }, expectedStatus: 404 });
  const shared = { visibility: "people", readers: [username], context: "Why." };
  const drop = { params: { slug: (await publish(callUnmeasured, "", ownerToken, shared)).slug } };
  await walk("view-drop", "shared", { ...drop, browser });
  await walk("read-raw-page", "shared, first of a day", { ...drop, browser });
  await walk("read-raw-page", "shared, again", { ...drop, browser });
  await walk("list-reads", "1 read", { ...drop, token: ownerToken });
  await walk("sign-out-reader", "", { browser, body: "" });
}

/** Signs in to the pages at `/account`, without measuring. Returns the cookies of the session. */
export async function signInBrowser(username: string): Promise<CookieJar> {
  const browser = new CookieJar();
  const admission = { browser, query: { to: "/account" }, expectedStatus: 302 };
  const sent = await callUnmeasured("admit-reader", "", admission);
  const query = await visitProvider(sent.headers.location, username);
  await callUnmeasured("complete-sign-in", "", { browser, query, expectedStatus: 303 });
  return browser;
}

/** Opens an owner's pages and submits each of their forms, as a browser would. Returns the cookies of the owner's session. */
async function walkOwnPages(walk: Walk, username: string): Promise<CookieJar> {
  const token = await signIn(callUnmeasured, username);
  const { slug } = await publish(callUnmeasured, "", token);
  await callUnmeasured("publish-version", "", { params: { slug }, token, body: samplePage });
  await walk("show-account", "not signed in", { browser: new CookieJar(), expectedStatus: 302 });
  const browser = await signInBrowser(username);
  await walk("show-account", "1 drop", { browser });
  const drop = { browser, params: { slug } };
  await walk("show-own-drop", "2 versions", drop);
  /** Submits a form of a page. The call that returns the page is not measured. */
  const submit = async (
    page: OperationId,
    id: OperationId,
    variant: string,
    path: string,
    fields: object,
  ) => {
    const shown = await callUnmeasured(page, "", drop);
    await walk(id, variant, { ...drop, ...formOf(shown, `/account/${path.replace("$", slug)}`, fields) });
  };
  const onDrop = (id: OperationId, variant: string, form: string, fields: object) =>
    submit("show-own-drop", id, variant, `drops/$${form}`, fields);
  await onDrop("edit-own-drop", "first write of a minute", "", { title: "Another title" });
  await onDrop("edit-own-drop", "", "", { title: "Yet another" });
  await onDrop("share-own-drop", "", "/share", { visibility: "members" });
  await onDrop("share-own-drop", "a passcode", "/share", { lock: "set", passcode: samplePasscode });
  await onDrop("restore-own-version", "", "/restore", { version: "1" });
  await onDrop("delete-own-version", "", "/versions", { version: "1" });
  await onDrop("delete-own-drop", "", "/delete", { confirm: slug });
  await walk("show-own-trash", "1 drop", { browser });
  await submit("show-own-trash", "undelete-own-drop", "", "trash/$/undelete", {});
  await callUnmeasured("delete-drop", "", { params: { slug }, token });
  await submit("show-own-trash", "purge-own-drop", "", "trash/$/purge", { confirm: "yes" });
  await walkOwnFiles(walk, browser);
  const tokens = await walk("show-own-tokens", "1 token", { browser });
  const [, id = ""] = /\/account\/tokens\/(\w+)\/revoke/.exec(tokens.text) ?? [];
  const form = formOf(tokens, `/account/tokens/${id}/revoke`, {});
  await walk("revoke-own-token", "", { browser, params: { id }, ...form });
  return browser;
}

async function walkOwnFiles(walk: Walk, browser: CookieJar): Promise<void> {
  const path = "/account/files";
  const empty = await callUnmeasured("show-own-files", "", { browser });
  const { headers, fields } = formOf(empty, path, {});
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append("file", new Blob(["x".repeat(1024)], { type: "text/plain" }), "notes.txt");
  const sent = new Request("http://localhost", { method: "POST", body });
  const type = { "content-type": sent.headers.get("content-type") ?? "" };
  const upload = { browser, headers: { ...headers, ...type }, body: await sent.text() };
  await walk("upload-own-file", "1 KB", upload);
  const files = await walk("show-own-files", "1 file", { browser });
  const [, id = ""] = /\/account\/files\/(\w+)\/delete/.exec(files.text) ?? [];
  const file = { browser, params: { id } };
  await walk("edit-own-file", "", { ...file, ...formOf(files, `${path}/${id}`, { visibility: "unlisted" }) });
  const form = formOf(files, `${path}/${id}/delete`, { confirm: "yes" });
  await walk("delete-own-file", "", { ...file, ...form });
}

/** Builds the request that a browser would send for a form of a page. */
export function formOf({ status, text }: OperationResponse, action: string, filledIn: object) {
  const url = new URL(readEnvironment(environmentNames.baseUrl));
  const shown = fieldsOf({ url, response: { status, text } }, action);
  const fields: Record<string, string> = { ...shown, ...filledIn };
  return { headers: { origin: url.origin }, fields, body: new URLSearchParams(fields).toString() };
}

/** Calls the OAuth 2.1 operations as an MCP client, from registration to revocation. The signed-in owner consents in the browser. */
async function walkClient(walk: Walk, browser: CookieJar): Promise<void> {
  const redirect_uri = "http://127.0.0.1:9/callback";
  const code_verifier = "a".repeat(43);
  const client = { client_name: "Walker", redirect_uris: [redirect_uri] };
  const { client_id } = parse(await walk("register-client", "", { body: client }));
  const query = {
    response_type: "code",
    client_id,
    redirect_uri,
    code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  const asked = await walk("show-consent", "of a client", { browser, query, expectedStatus: 302 });
  const request = Object.fromEntries(new URL(asked.headers.location ?? "").searchParams);
  const page = await walk("show-consent", "", { browser, query: request });
  const form = formOf(page, "/oauth/authorize", { decision: "allow" });
  const decided = await walk("decide-consent", "", { browser, ...form });
  const code = new URL(decided.headers.location ?? "").searchParams.get("code") ?? "";
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const send = async (id: OperationId, variant: string, fields: Record<string, string>) =>
    walk(id, variant, { headers, body: new URLSearchParams(fields).toString() });
  const grant = { grant_type: "authorization_code", client_id, code, redirect_uri, code_verifier };
  const { refresh_token } = parse(await send("issue-token", "", grant));
  const refresh = { grant_type: "refresh_token", client_id, refresh_token };
  const refreshed = parse(await send("issue-token", "refresh", refresh));
  await send("revoke-grant", "", { token: refreshed.refresh_token });
}

/** Calls the SCIM operations like a company's directory: provisions a person and a group, and then removes them. */
async function walkScim(walk: Walk, username: string): Promise<void> {
  const actor = { kind: "operator", name: "bench" } as const;
  const act = { action: "create-scim-token", actor, atMs: Date.now() };
  const created = await scimTokens.create(act, randomInt);
  if (created === undefined) throw new Error("There are two SCIM tokens already.");
  const send = (variant: string, method: string, proxy: string, call: OperationCall = {}) =>
    walk("call-scim", variant, { token: created.plaintext, method, params: { proxy }, ...call });
  const patch = (variant: string, path: string, operation: object, call: OperationCall = {}) => {
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
    return send(variant, "PATCH", path, { ...call, body: { schemas, Operations: [operation] } });
  };
  const add = async (type: "User" | "Group", variant: string, fields: object): Promise<string> => {
    const body = { schemas: [`urn:ietf:params:scim:schemas:core:2.0:${type}`], ...fields };
    return parse(await send(variant, "POST", `${type}s`, { body, expectedStatus: 201 })).id;
  };
  const user = await add("User", "a new user", { userName: username });
  await send("a user by name", "GET", "Users", { query: { filter: `userName eq "${username}"` } });
  const group = await add("Group", "a new group", { displayName: `${username}'s`, members: [] });
  const member = { op: "add", path: "members", value: [{ value: user }] };
  await patch("a new member", `Groups/${group}`, member, { expectedStatus: 204 });
  await patch("a deactivation", `Users/${user}`, { op: "replace", value: { active: false } });
  await send("a deletion", "DELETE", `Users/${user}`, { expectedStatus: 204 });
  await send("a group's deletion", "DELETE", `Groups/${group}`, { expectedStatus: 204 });
  await scimTokens.revoke(created.token.id, { ...act, action: "revoke-scim-token" });
}
