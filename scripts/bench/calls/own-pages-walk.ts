import { environmentNames, readEnvironment } from "../../../functions/core/environment.ts";
import type { OperationId } from "../../../functions/routes.ts";
import { CookieJar } from "../../../test/support/cookie-jar.ts";
import { fieldsOf } from "../../../test/support/page-forms.ts";
import { samplePage, samplePasscode } from "../sample-page.ts";
import { callUnmeasured, type OperationResponse, type Walk } from "./operation-caller.ts";
import { publish } from "./publish-walk.ts";
import { signIn, visitProvider } from "./sign-in-walk.ts";

/** An owner's own pages: each form is sent as its page shows it. Returns the browser in which the owner is signed in. */
export async function walkOwnPages(walk: Walk, username: string): Promise<CookieJar> {
  const token = await signIn(callUnmeasured, username);
  const { slug } = await publish(callUnmeasured, "", token);
  await callUnmeasured("publish-version", "", { params: { slug }, token, body: samplePage });
  const browser = new CookieJar();
  await walk("show-account", "not signed in", { browser, expectedStatus: 302 });
  const going = { to: "/account" };
  const out = await callUnmeasured("admit-reader", "", { browser, query: going, expectedStatus: 302 });
  const query = await visitProvider(out.headers.location, username);
  await callUnmeasured("complete-sign-in", "", { browser, query, expectedStatus: 303 });
  await walk("show-account", "1 drop", { browser });
  const drop = { browser, params: { slug } };
  const path = `/account/drops/${slug}`;
  const send = async (id: OperationId, variant: string, form: string, fields: object) => {
    const shown = await callUnmeasured("show-own-drop", "", drop);
    await walk(id, variant, { ...drop, ...formOf(shown, path + form, fields) });
  };
  await walk("show-own-drop", "2 versions", drop);
  await send("edit-own-drop", "first write of a minute", "", { title: "Another title" });
  await send("edit-own-drop", "", "", { title: "Yet another" });
  await send("share-own-drop", "", "/share", { visibility: "members" });
  await send("share-own-drop", "a passcode", "/share", { lock: "set", passcode: samplePasscode });
  await send("restore-own-version", "", "/restore", { version: "1" });
  await send("delete-own-version", "", "/versions", { version: "1" });
  await send("delete-own-drop", "", "/delete", { confirm: slug });
  await walkOwnTrash(walk, browser, slug);
  await walkOwnFiles(walk, browser);
  const tokens = await walk("show-own-tokens", "1 token", { browser });
  const [, id = ""] = /\/account\/tokens\/(\w+)\/revoke/.exec(tokens.text) ?? [];
  const form = formOf(tokens, `/account/tokens/${id}/revoke`, {});
  await walk("revoke-own-token", "", { browser, params: { id }, ...form });
  return browser;
}

async function walkOwnTrash(walk: Walk, browser: CookieJar, slug: string): Promise<void> {
  const path = `/account/trash/${slug}`;
  const drop = { browser, params: { slug } };
  const trash = await walk("show-own-trash", "1 drop", { browser });
  await walk("undelete-own-drop", "", { ...drop, ...formOf(trash, `${path}/undelete`, {}) });
  const shown = await callUnmeasured("show-own-drop", "", drop);
  const form = formOf(shown, `/account/drops/${slug}/delete`, { confirm: slug });
  await callUnmeasured("delete-own-drop", "", { ...drop, ...form });
  const again = await callUnmeasured("show-own-trash", "", { browser });
  await walk("purge-own-drop", "", { ...drop, ...formOf(again, `${path}/purge`, { confirm: "yes" }) });
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
  await walk("delete-own-file", "", {
    ...file,
    ...formOf(files, `${path}/${id}/delete`, { confirm: "yes" }),
  });
}

/** Fields of a page's form, as a browser would send them. */
export function formOf({ status, text }: OperationResponse, action: string, filledIn: object) {
  const url = new URL(readEnvironment(environmentNames.baseUrl));
  const fields: Record<string, string> = {
    ...fieldsOf({ url, response: { status, text } }, action),
    ...filledIn,
  };
  return { headers: { origin: url.origin }, fields, body: new URLSearchParams(fields).toString() };
}
