import { decodeHTML } from "entities";
import { Tokenizer } from "htmlparser2";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { limits } from "../http/limits.ts";
import { metadataFilterRule, query, type RawQuery } from "../http/query.ts";
import { acceptedBy, accepts, schema } from "../http/schemas.ts";
import { validate } from "../http/validation.ts";
import { visibilityKinds } from "../identity/visibility.ts";
import { feedbackKinds } from "./drop-access.ts";

/** A page that came as the body itself, and the address that it was sent to. */
export interface SentPage {
  readonly html: string;
  readonly query: RawQuery;
  /** The Markdown that it was made of. @default - it came as HTML */
  readonly source?: string;
}

/** Makes the page of Markdown that came as the body. What renders it is loaded where there is some to be rendered. */
export async function renderSentMarkdown(source: string, query: RawQuery): Promise<SentPage> {
  const { toMarkdownPage } = await import("./markdown.ts");
  return { html: toMarkdownPage(source, query.title?.[0]), query, source };
}

const parameters = /* @__PURE__ */ schema(() =>
  query(
    {
      title: { type: "string" },
      description: { type: "string" },
      context: { type: "string" },
      note: { type: "string" },
      visibility: { type: "string", enum: visibilityKinds },
      readers: { type: "string" },
      indexed: { type: "boolean" },
      feedback: { type: "string", enum: feedbackKinds },
      metadata: metadataFilterRule,
    },
    (read, sent) => ({
      title: read.optional("title"),
      description: read.optional("description"),
      context: read.optional("context"),
      note: read.optional("note"),
      visibility: sent.visibility === undefined ? undefined : read.oneOf("visibility"),
      readers: sent.readers?.flatMap((one) => one.split(",")).map((one) => one.trim()),
      indexed: read.flag("indexed"),
      feedback: sent.feedback === undefined ? undefined : read.oneOf("feedback"),
      metadata: hasTags(sent) ? Object.fromEntries(read.tags()) : undefined,
    }),
  ),
);

/** A page as a publication's body, `text/html`, with what is said of it as query parameters: the fields of the JSON body; docs/adr/0050-html-request-bodies.md. */
export const newPageBody = /* @__PURE__ */ schema(() => pageBody({ isNew: true }));

/** The same of a drop that has a title: without `title` it keeps it. */
export const nextPageBody = /* @__PURE__ */ schema(() => pageBody({ isNew: false }));

function pageBody({ isNew }: { readonly isNew: boolean }) {
  return accepts(
    z.pipe(
      z.custom<SentPage>(),
      z.transform(({ html, query: sent, source }) => {
        refuseUnknown(sent);
        // Of no page at all, the JSON body's schema tells.
        const isTitled = !isNew || html === "";
        const { title = isTitled ? undefined : requireTitle(html, source), ...fields } = validate(
          parameters,
          sent,
        );
        const said = Object.entries({ ...fields, title }).filter(([, value]) => value !== undefined);
        return { ...Object.fromEntries(said), html };
      }),
    ),
    acceptedBy(parameters) ?? {},
  );
}

function hasTags(sent: RawQuery): boolean {
  return Object.keys(sent).some((name) => name.startsWith("metadata."));
}

const names = ["title", "description", "context", "note", "visibility", "readers", "indexed", "feedback"];

/** Refuses unknown query parameters. They describe the page, so that a misspelled one would change the publication. */
function refuseUnknown(sent: RawQuery): void {
  const unknown = Object.keys(sent).find((name) => !names.includes(name) && !name.startsWith("metadata."));
  if (unknown === undefined) return;
  const way =
    unknown === "passcode"
      ? "A passcode in an address would be in logs: send JSON, or lock the drop with POST /api/drops/{slug}/passcode."
      : `With a page as the body, these say what there is to say of it: ${names.join(", ")}, metadata.<key>.`;
  throw new ApiError("invalid_arg", {
    message: `Unknown query parameter ${JSON.stringify(unknown.slice(0, 100))}. Nothing was published. ${way}`,
    details: { parameter: unknown.slice(0, 100) },
  });
}

function requireTitle(html: string, source: string | undefined): string {
  const title = findTitle(html);
  if (title !== undefined) return title;
  const way = source === undefined ? "give it one in <title>" : "begin the Markdown with a heading";
  throw new ApiError("title_required", {
    message: `The page has no title: ${way}, or send ?title=.`,
    details: { parameter: "title" },
  });
}

const chunkCharacters = 16_384;

/** The text of a page's first `title` element on one line, as far as a drop's title goes; undefined where there is none. */
export function findTitle(html: string): string | undefined {
  const search = new TitleSearch(html);
  for (let at = 0; at < html.length && !search.done; at += chunkCharacters) {
    search.tokenizer.write(html.slice(at, at + chunkCharacters));
  }
  const title = decodeHTML(search.text).replace(/\s+/g, " ").trim();
  // A code point is one or two units.
  const start = title.slice(0, 2 * limits.titleCodePointsMax);
  return title === "" ? undefined : [...start].slice(0, limits.titleCodePointsMax).join("").trim();
}

class TitleSearch {
  text = "";
  done = false;
  readonly tokenizer: Tokenizer;
  #isInside = false;

  constructor(html: string) {
    const nameAt = (from: number, to: number) => html.slice(from, to).toLowerCase();
    this.tokenizer = new Tokenizer(
      { xmlMode: false, decodeEntities: false },
      {
        onattribdata() {},
        onattribend() {},
        onattribentity() {},
        onattribname() {},
        oncdata() {},
        onclosetag: (from, to) => {
          if (this.#isInside && nameAt(from, to) === "title") this.done = true;
        },
        oncomment() {},
        ondeclaration() {},
        onend() {},
        onopentagend() {},
        onopentagname: (from, to) => {
          const name = nameAt(from, to);
          this.#isInside ||= name === "title";
          // A title in the body is one of a drawing.
          if (name === "body" || name === "svg") this.done = true;
        },
        onprocessinginstruction() {},
        onselfclosingtag() {},
        ontext: (from, to) => {
          if (this.#isInside && !this.done) this.text += html.slice(from, to);
        },
        ontextentity() {},
      },
    );
  }
}

/** Nothing further on is looked at: a page of megabytes is no path. */
const lookedAtCharacters = 4_096;

/**
 * Warns about likely mistakes in a published page, which is stored as it came.
 *
 * @param body of a publication, as its row's schema makes it
 */
export function reviewPublication({ body }: { readonly body: unknown }): readonly string[] {
  const { html } = body as { readonly html: string };
  const found = strangenessOf(html.slice(0, lookedAtCharacters).trim(), html);
  return found === undefined
    ? []
    : [`${found} It was published as it came; send the right page with PUT to the same drop.`];
}

const emptyTitle = "The page's <title> is empty, so that a browser shows its address instead.";

const beginsWithTag = /^(\ufeff)?<[a-z!?/]/i;

function strangenessOf(start: string, html: string): string | undefined {
  if (/^(```|~~~)/.test(start)) return "html begins with ```, a fence of Markdown: leave the fence out.";
  if (isJsonString(start)) return "html is JSON in JSON: it was written as a JSON string twice.";
  if (hasTag(html)) return /<title[^<>]*>\s*<\/title/i.test(start) ? emptyTitle : undefined;
  if (/^(https?|ftp):\/\/\S+$/i.test(start))
    return "html is a URL, and nothing is fetched: send the page itself.";
  if (/^data:\S+$/i.test(start)) return "html is a data URL: send the page itself.";
  if (isPath(start)) return "html is the path of a file, and not what is in it: read the file and send that.";
  if (isEscaped(start))
    return "html is escaped: its tags are written &lt;…&gt; or \\u003c…, and readers see them as text.";
  if (isBase64(start)) return "html is base64, and nothing decodes it: send the page itself.";
  if (isMarkdown(start))
    return "html is Markdown: render it, or send it as the body with Content-Type: text/markdown.";
  return "html has no tag at all: readers see it as one line of text.";
}

function hasTag(html: string): boolean {
  return /<[a-z!/][^<>]*>/i.test(html);
}

function isJsonString(start: string): boolean {
  if (beginsWithTag.test(start)) return false;
  return /^"\s*(<|\\u003c)/i.test(start) || /^\{\s*"html"\s*:/.test(start);
}

function isPath(start: string): boolean {
  if (/[\n<]/.test(start) || start.length > 512) return false;
  return (
    /^@?(file:|~?\/|\.{1,2}\/|[a-z]:\\)\S/i.test(start) || /^@?[\w./\\ -]+\.(html?|md|txt)$/i.test(start)
  );
}

function isEscaped(start: string): boolean {
  return /&lt;[a-z!/]/i.test(start) || /\\u003c[a-z!/]/i.test(start) || /^%3c[a-z!%/]/i.test(start);
}

function isBase64(start: string): boolean {
  const text = start.replace(/\s/g, "");
  if (text.length < 16 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return false;
  return hasTag(Buffer.from(text.slice(0, text.length - (text.length % 4)), "base64").toString("latin1"));
}

function isMarkdown(start: string): boolean {
  return /^#{1,6} \S/m.test(start) || /\]\(\S+\)/.test(start) || /^(- |\* |\d+\. )\S.*\n\1?/m.test(start);
}
