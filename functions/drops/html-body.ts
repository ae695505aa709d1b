import { decodeHTML } from "entities";
import { Tokenizer } from "htmlparser2";
import * as z from "zod/mini";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import {
  choice,
  flag,
  freeText,
  integer,
  metadataPrefix,
  metadataTags,
  type RawQuery,
} from "../http/query.ts";
import { validateQuery } from "../http/request-input.ts";
import type { PageBody, SentPage } from "../http/route.ts";
import { accepts, schema } from "../http/schemas.ts";
import { visibilityKinds } from "../policies/access.ts";
import { answersKinds, feedbackKinds } from "./drop-access.ts";
import { expiryTexts } from "./expiry-schemas.ts";

const blockStart = /^\uFEFF?---[ \t]*\r?\n/;

/**
 * Renders Markdown from a request's body. Its YAML block supplies fields that the query lacks. The renderer is loaded only when needed.
 *
 * @param takesTags true to use the block's tags too
 */
async function renderMarkdown(source: string, query: RawQuery, takesTags: boolean): Promise<SentPage> {
  const [{ toMarkdownPage }, block] = await Promise.all([
    import("./markdown.ts"),
    blockStart.test(source)
      ? import("./front-matter.ts").then(({ readFrontMatter }) => readFrontMatter(source))
      : undefined,
  ]);
  const hasTags = Object.keys(query).some((name) => name.startsWith(metadataPrefix));
  const tags = takesTags && !hasTags ? block?.tags : undefined;
  const described = { ...block?.texts, ...tags, ...query };
  const html = toMarkdownPage(block?.body ?? source, described.title?.[0]);
  return { html, query: described, source, warnings: block?.warnings ?? [] };
}

/** Reads a folder from a zip archive. The archive reader is loaded only when it is needed. */
async function readFolder(archive: Uint8Array, query: RawQuery): Promise<SentPage> {
  const { toFolder } = await import("../folders/sent-folder.ts");
  return { ...(await toFolder(archive, query)), query };
}

async function readTexts(files: unknown): Promise<SentPage> {
  const { toTextFolder } = await import("../folders/sent-folder.ts");
  return { ...toTextFolder(files), query: {} };
}

async function readForeignPage(page: Uint8Array, query: RawQuery): Promise<SentPage> {
  const { toPageFolder } = await import("../folders/sent-folder.ts");
  return { ...toPageFolder(page, query), query };
}

const pageQuery = /* @__PURE__ */ schema(() =>
  z.object({
    title: z.optional(freeText()),
    description: z.optional(freeText()),
    context: z.optional(freeText()),
    note: z.optional(freeText()),
    allow_secrets: z.optional(freeText()),
    original_date: z.optional(integer({ minimum: 0 })),
    spa: z.optional(flag()),
    visibility: z.optional(choice(visibilityKinds)),
    readers: z.optional(
      accepts(
        z.pipe(
          z.array(z.string()),
          z.transform((values) => values.flatMap((one) => one.split(",")).map((one) => one.trim())),
        ),
        { type: "string" },
      ),
    ),
    indexed: z.optional(flag()),
    feedback: z.optional(choice(feedbackKinds)),
    answers: z.optional(choice(answersKinds)),
    answers_results: z.optional(flag()),
    ...expiryTexts,
    metadata: z.optional(
      z.pipe(
        metadataTags,
        z.transform((tags) => Object.fromEntries(tags)),
      ),
    ),
  }),
);

/** Request body that is the page itself, with its fields as query parameters; see docs/adr/0050-publication-bodies.md. */
export const newPageBody: PageBody = /* @__PURE__ */ pageBody({ needsTitle: true });

/** Request body that is a new version's page. Without the parameter `title`, the drop keeps its title. */
export const nextPageBody: PageBody = /* @__PURE__ */ pageBody({ needsTitle: false });

/** Refuses unknown parameters, because a misspelled parameter would change the publication. */
const parameterRule = {
  kind: "query parameter",
  method: "POST",
  body: "page",
  refusesUnknownParameters: true,
} as const;

function pageBody({ needsTitle }: { readonly needsTitle: boolean }): PageBody {
  return {
    query: pageQuery,
    toFields: ({ html, query, source, folder }) => {
      const { spa, ...given } = validateQuery(pageQuery, query, parameterRule);
      if (spa !== undefined && folder === undefined)
        throw new ApiError("invalid_arg", {
          message:
            "spa is only for folders. Leave it out, or send a folder with Content-Type: application/zip.",
          details: { parameter: "spa" },
        });
      if (source === undefined) refuseJson(html);
      // The schema of the JSON body refuses an empty page.
      const isAbsent = given.title === undefined && needsTitle && html !== "";
      const title = isAbsent ? requireTitle(html, source) : given.title;
      const fields = Object.entries({ ...given, title }).filter(([, value]) => value !== undefined);
      return { ...Object.fromEntries(fields), html };
    },
    // A new version keeps its drop's tags, so the block's tags are ignored.
    renderMarkdown: (source, query) => renderMarkdown(source, query, needsTitle),
    readFolder,
    readTexts,
    readForeignPage,
    ...(needsTitle ? { findTitle } : {}),
  };
}

/** @throws ApiError `invalid_arg` for a JSON body that was sent as text/html, because the page would consist of JSON text */
function refuseJson(html: string): void {
  if (!html.trimStart().startsWith("{") || !html.trimEnd().endsWith("}")) return;
  let sent: unknown;
  try {
    sent = JSON.parse(html);
  } catch {
    return;
  }
  if (!Object.hasOwn(Object(sent), "html")) return;
  throw new ApiError("invalid_arg", {
    message:
      "The body is JSON, but was sent with the Content-Type of a page. Send it with Content-Type: application/json.",
  });
}

function requireTitle(html: string, source: string | undefined): string {
  const title = findTitle(html);
  if (title !== undefined) return title;
  const way = source === undefined ? "give it one in <title>" : "begin the Markdown with a heading";
  throw new ApiError("title_required", {
    message: `title is required: ${way}, or send ?title=.`,
    details: { parameter: "title" },
  });
}

const chunkCharacters = 16_384;

/** Returns the text of a page's first `title` element, truncated to a drop title's maximum length, or undefined without the element. */
export function findTitle(html: string): string | undefined {
  let [text, isInside, done] = ["", false, false];
  const nameAt = (from: number, to: number) => html.slice(from, to).toLowerCase();
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onattribdata() {},
      onattribend() {},
      onattribentity() {},
      onattribname() {},
      oncdata() {},
      onclosetag: (from, to) => {
        if (isInside && nameAt(from, to) === "title") done = true;
      },
      oncomment() {},
      ondeclaration() {},
      onend() {},
      onopentagend() {},
      onopentagname: (from, to) => {
        const name = nameAt(from, to);
        isInside ||= name === "title";
        // A `title` element in the body belongs to an SVG drawing.
        if (name === "body" || name === "svg") done = true;
      },
      onprocessinginstruction() {},
      onselfclosingtag() {},
      ontext: (from, to) => {
        if (isInside && !done) text += html.slice(from, to);
      },
      ontextentity() {},
    },
  );
  for (let at = 0; at < html.length && !done; at += chunkCharacters) {
    tokenizer.write(html.slice(at, at + chunkCharacters));
  }
  const title = decodeHTML(text).replace(/\s+/g, " ").trim();
  // Shortens a long text before splitting it into code points, which have at most two UTF-16 code units.
  const start = title.slice(0, 2 * limits.titleCodePointsMax);
  return title === "" ? undefined : [...start].slice(0, limits.titleCodePointsMax).join("").trim();
}
