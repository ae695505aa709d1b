import { DomUtils } from "htmlparser2";
import { elementsOf, textOf, type Visit, type Visitor } from "./visitor.ts";

/** A form of a drop's feedback page, as a browser would send it. */
export interface FeedbackForm {
  readonly url: URL;
  readonly fields: Readonly<Record<string, string>>;
}

/** Fetch metadata of a page opened in a window. */
export const inWindow = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" } as const;

/** Values typed into a feedback form. */
export interface Typed {
  readonly quote?: string;
  /** CSS selector of the marked element. */
  readonly selector?: string;
  /** Marked region: `x,y,width,height`, in fractions of the page. */
  readonly region?: string;
  readonly text?: string;
  readonly name?: string;
}

/** Finds the form that starts a thread, or replies to one. */
export function feedbackForm(page: Visit, thread?: number): FeedbackForm {
  for (const form of elementsOf(page.response, "form")) {
    const inputs = DomUtils.getElementsByTagName("input", form, true);
    const areas = DomUtils.getElementsByTagName("textarea", form, true);
    const fields = Object.fromEntries([
      ...inputs.map(({ attribs }) => [attribs.name, attribs.value ?? ""]),
      ...areas.map((area) => [area.attribs.name, textOf(area)]),
    ]) as Record<string, string>;
    if (fields.thread === (thread === undefined ? undefined : String(thread)))
      return { url: new URL(form.attribs.action ?? "", page.url), fields };
  }
  throw new Error(
    `There is no form for ${thread ?? "a new thread"} at ${page.url} (${page.response.status}).`,
  );
}

/** Sends a form as a browser does from its page. Returns the response and follows no redirect. */
export function sendForm(
  visitor: Visitor,
  { url, fields }: FeedbackForm,
  typed: Typed = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  return visitor.request(url, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: url.origin,
      ...inWindow,
      ...headers,
    },
    body: new URLSearchParams({ ...fields, ...typed }).toString(),
  });
}

/** Posts a comment and returns the page that the reader is redirected to. */
export async function say(visitor: Visitor, page: Visit, typed: Typed, thread?: number): Promise<Visit> {
  const sent = await sendForm(visitor, feedbackForm(page, thread), typed);
  if (sent.response.status !== 303) throw new Error(`${sent.response.status}: ${sent.response.text}`);
  return visitor.open(new URL(sent.response.headers.location ?? "", sent.url), { headers: inWindow });
}

/** Reads the threads on the page: quote, comments and authors. */
export function threadsOf(page: Visit): { quote: string | undefined; comments: string[][] }[] {
  return elementsOf(page.response, "article").map((article) => {
    const [quote] = DomUtils.getElementsByTagName("blockquote", article, true);
    const items = DomUtils.getElementsByTagName("li", article, true).filter(({ attribs }) => attribs.id);
    return {
      quote: quote && textOf(quote),
      comments: items.map((item) => {
        const [author, text] = DomUtils.getElementsByTagName("p", item, true);
        const [name] = author ? DomUtils.getElementsByTagName("b", author, true) : [];
        return [name ? textOf(name) : "", text ? textOf(text) : ""];
      }),
    };
  });
}
