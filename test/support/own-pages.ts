import { DomUtils } from "htmlparser2";
import { type Account, newAccount } from "./accounts.ts";
import { baseUrl, type SendOptions } from "./http.ts";
import { fieldsOf } from "./page-forms.ts";
import { enterUsername } from "./sign-in.ts";
import { elementsOf, type Visit, Visitor } from "./visitor.ts";

/** Opens a page that requires a sign-in, signs in, and returns to the page. */
export async function openSignedIn(path: string, username: string, visitor = new Visitor()): Promise<Visit> {
  return enterUsername(visitor, await visitor.open(path), username);
}

/** Creates a person with an account who is signed in in a browser. */
export async function newOwner(name: string): Promise<Account & { readonly visitor: Visitor }> {
  const account = await newAccount(name);
  const visitor = new Visitor();
  await openSignedIn("/account", account.username, visitor);
  return { ...account, visitor };
}

/** Fills in the page's only form with this action and sends it as a browser does. Follows the redirect. */
export function sendForm(
  visitor: Visitor,
  page: Visit,
  action: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  const body = new URLSearchParams({ ...fieldsOf(page, action), ...fields }).toString();
  return visitor.open(new URL(action, page.url), formRequest(page.url, body));
}

/** Presses a delete button on the page of a drop's answers. Follows the redirect. */
export function deleteAnswer(visitor: Visitor, page: Visit, number: number): Promise<Visit> {
  return sendAnswersForm(visitor, page, { number: String(number) });
}

/** Sends a form of the page of a drop's answers and follows the redirect. Both forms have the same CSRF proof. */
export function sendAnswersForm(
  visitor: Visitor,
  page: Visit,
  fields: Readonly<Record<string, string>>,
): Promise<Visit> {
  return sendOneForm(visitor, page, page.url.pathname, fields);
}

/** Sends a form of the page of a team's members and follows the redirect. All forms have the same CSRF proof. */
export function sendTeamForm(
  visitor: Visitor,
  page: Visit,
  fields: Readonly<Record<string, string>>,
): Promise<Visit> {
  return sendOneForm(visitor, page, "/account/team", fields);
}

/** Sends fields to an address that several forms of the page share, with the CSRF proof of the first one. */
export function sendOneForm(
  visitor: Visitor,
  page: Visit,
  action: string,
  fields: Readonly<Record<string, string>>,
): Promise<Visit> {
  const forms = elementsOf(page.response, "form").filter(({ attribs }) => attribs.action === action);
  const inputs = forms.flatMap((form) => DomUtils.getElementsByTagName("input", form, true));
  const proof = inputs.find(({ attribs }) => attribs.name === "proof")?.attribs.value ?? "";
  const body = new URLSearchParams({ proof, ...fields }).toString();
  return visitor.open(new URL(action, page.url), formRequest(page.url, body));
}

/** Builds the request of a form on the page at this URL. */
export function formRequest(from: URL, body: string): SendOptions {
  return {
    method: "POST",
    body,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: from.origin,
      "sec-fetch-site": "same-origin",
      "sec-fetch-dest": "document",
      "sec-fetch-mode": "navigate",
    },
  };
}

/** A file chosen in a browser. */
export interface ChosenFile {
  readonly name: string;
  /** Media type as the browser sends it. */
  readonly type: string;
  readonly bytes: string | Uint8Array;
}

/** Chooses a file in the upload form and sends it as a browser does. Follows the redirect. */
export async function uploadByForm(
  visitor: Visitor,
  page: Visit,
  { name, type, bytes }: ChosenFile,
  fields: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  const path = "/account/files";
  const form = new FormData();
  for (const [field, value] of Object.entries({ ...fieldsOf(page, path), ...fields }))
    form.append(field, value);
  form.append("file", new Blob([bytes as BlobPart], { type }), name);
  const sent = new Request(baseUrl(), { method: "POST", body: form });
  const { headers, ...rest } = formRequest(page.url, "");
  return visitor.open(path, {
    ...rest,
    body: new Uint8Array(await sent.arrayBuffer()),
    headers: { ...headers, "content-type": sent.headers.get("content-type") ?? "" },
  });
}
