import { baseUrl } from "./http.ts";
import { type Visit, Visitor } from "./visitor.ts";

/** Options of a request that sends an answer. */
export interface Sending {
  /** @default "vote" */
  readonly form?: string;
  /** @default - the base host */
  readonly host?: string;
  /** Headers in addition to those that a script of the page's viewer sends. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** @default - a new browser */
  readonly visitor?: Visitor;
  /** The loopback address to come from. @default - one of the test file's own */
  readonly from?: string;
  /** Parameters in addition to the form's name. */
  readonly query?: Readonly<Record<string, string>>;
}

const ofScript = { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };

/** Sends an answer as a script of the page's viewer does. */
export function sendAnswer(slug: string, body: string, sending: Sending = {}): Promise<Visit> {
  const {
    form = "vote",
    host = baseUrl(),
    headers = {},
    visitor = new Visitor(),
    from,
    query = {},
  } = sending;
  const address = new URL(`${host}/p/${slug}/answers?${new URLSearchParams({ form, ...query })}`);
  return visitor.request(address, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      ...ofScript,
      ...headers,
    },
    body,
    ...(from === undefined ? {} : { from }),
  });
}

/** Parses the JSON of a response. */
export function replyOf({ response }: Visit) {
  return JSON.parse(response.text);
}

/** The body of the service's own form, whose button showed a user name. */
export function signedBody(answer: string, username: string): string {
  return String(new URLSearchParams({ answer, username, form: "f1" }));
}
