import { DomUtils } from "htmlparser2";
import { type Account, newAccount } from "./accounts.ts";
import { baseUrl, type SendOptions } from "./http.ts";
import { fieldsOf } from "./page-forms.ts";
import { enterUsername } from "./sign-in.ts";
import { elementsOf, type Visit, Visitor } from "./visitor.ts";

/** Opens a page that asks who somebody is, signs in, and comes back to it. */
export async function openSignedIn(path: string, username: string, visitor = new Visitor()): Promise<Visit> {
  return enterUsername(visitor, await visitor.open(path), username);
}

/** A person with an account, signed in in a browser. */
export async function newOwner(name: string): Promise<Account & { readonly visitor: Visitor }> {
  const account = await newAccount(name);
  const visitor = new Visitor();
  await openSignedIn("/account", account.username, visitor);
  return { ...account, visitor };
}

/** Fills in the page's only form with this action, and sends it as a browser does; the redirect is followed. */
export function sendForm(
  visitor: Visitor,
  page: Visit,
  action: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  const body = new URLSearchParams({ ...fieldsOf(page, action), ...fields }).toString();
  return visitor.open(new URL(action, page.url), formRequest(page.url, body));
}

/** Presses the button that deletes an answer, on the page of a drop's answers; the redirect is followed. */
export function deleteAnswer(visitor: Visitor, page: Visit, number: number): Promise<Visit> {
  return sendAnswersForm(visitor, page, { number: String(number) });
}

/** Sends a form of the page of a drop's answers; the redirect is followed. Both of its forms have the same proof. */
export function sendAnswersForm(
  visitor: Visitor,
  page: Visit,
  fields: Readonly<Record<string, string>>,
): Promise<Visit> {
  return sendOneForm(visitor, page, page.url.pathname, fields);
}

/** Sends a form of the page of a team's people; the redirect is followed. All of its forms have the same proof. */
export function sendTeamForm(
  visitor: Visitor,
  page: Visit,
  fields: Readonly<Record<string, string>>,
): Promise<Visit> {
  return sendOneForm(visitor, page, "/account/team", fields);
}

/** Sends the fields to an address to which several forms of the page are sent, with the proof of the first. */
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

/** Request of a form on the page at this URL. */
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

/** A file that somebody chooses in a browser. */
export interface ChosenFile {
  readonly name: string;
  /** As the browser calls it. */
  readonly type: string;
  readonly bytes: string | Uint8Array;
}

/** Chooses a file in the form of the page of files, and sends it as a browser does; the redirect is followed. */
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
