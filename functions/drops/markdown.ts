import { createContext, Script } from "node:vm";
import GithubSlugger from "github-slugger";
import MarkdownIt, { type MarkdownIt as MarkdownParser, type StateCore, type Token } from "markdown-it";
import footnotes from "markdown-it-footnote";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import markdownStyle from "./markdown.css";

interface RenderedMarkdown {
  readonly html: string;
  /** @default - no heading has text */
  readonly heading: string | undefined;
}

/** Renders GitHub's Markdown: tables, task lists, strikethrough, links, footnotes, heading ids. Removes raw HTML and unsafe addresses. */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  // Every call needs a new parser, because a parser that was stopped at the time limit may be left in an inconsistent state.
  const parser = createParser();
  const environment = {};
  // A byte order mark before a heading would turn the heading into a paragraph.
  const tokens = parser.parse(markdown.replace(/^\uFEFF/, ""), environment);
  const html = parser.renderer.render(tokens, parser.options, environment);
  return { html, heading: findHeading(tokens) };
}

function createParser(): MarkdownParser {
  // `html` is on, so that HTML is recognized and removed instead of shown as text.
  const parser = new MarkdownIt({ html: true, linkify: true }).use(footnotes);
  // Inline footnotes are not part of GitHub's dialect.
  parser.inline.ruler.disable("footnote_inline");
  // `dropUnsafe` checks all addresses at the end.
  parser.validateLink = () => true;
  linkAsGitHub(parser);
  parser.core.ruler.push("task-lists", markTasks);
  parser.core.ruler.push("heading-ids", nameHeadings);
  parser.core.ruler.push("safe-addresses", dropUnsafe);
  Object.assign(parser.renderer.rules, {
    html_block: () => "",
    html_inline: () => "",
    // A wide table scrolls on its own, so that the page does not scroll sideways.
    table_open: () => '<div class="table"><table>\n',
    table_close: () => "</table></div>\n",
  });
  return parser;
}

/** Links host names only if they begin with `www.`. Otherwise `README.md` would become a link. */
function linkAsGitHub({ linkify }: MarkdownParser): void {
  linkify.set({ fuzzyLink: true }).add("//", null);
  const match = linkify.match.bind(linkify);
  linkify.match = (text) =>
    match(text)?.filter(({ schema, raw }) => schema !== "" || /^www\./i.test(raw)) ?? null;
}

/** Converts `[ ]` and `[x]` at the start of a list item to a disabled checkbox. */
function markTasks({ tokens, Token: NewToken }: StateCore): void {
  for (const [index, token] of tokens.entries()) {
    const item = tokens[index - 2];
    const first = token.children?.[0];
    if (item?.type !== "list_item_open" || first?.type !== "text") continue;
    const [mark, ticked] = /^\[([ xX])\](?=\s)/.exec(first.content) ?? [];
    if (mark === undefined) continue;
    first.content = first.content.slice(mark.length).trimStart();
    item.attrJoin("class", "task");
    const box = new NewToken("task_box", "input", 0);
    box.attrs = [
      ["type", "checkbox"],
      ["disabled", ""],
      ...(ticked === " " ? [] : ([["checked", ""]] as [string, string][])),
    ];
    token.children?.unshift(box);
  }
}

/** Gives each heading an id from its text, as on GitHub, so that a table of contents can link to it. */
function nameHeadings({ tokens }: StateCore): void {
  const slugger = new GithubSlugger();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const name = slugger.slug(textOf(tokens[index + 1]));
    if (!/^(?:-\d+)?$/.test(name)) token.attrSet("id", name);
  }
}

const linkProtocols = new Set(["http:", "https:", "mailto:", "tel:"]);
const pictureProtocols = new Set(["http:", "https:"]);
const picturesInPlace = /^data:image\/(?:avif|gif|jpeg|png|webp)[;,]/i;

/** Removes every address whose protocol is not known to be harmless. Keeps the text of a link. */
function dropUnsafe({ tokens }: StateCore): void {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      token.attrs = token.attrs?.filter(([name, value]) => isHarmless(name, String(value))) ?? null;
    }
  }
}

function isHarmless(name: string, value: string): boolean {
  if (name === "href") return linkProtocols.has(protocolOf(value));
  if (name === "src") return pictureProtocols.has(protocolOf(value)) || picturesInPlace.test(value);
  return true;
}

/** Returns an address's protocol as browsers parse it, or an empty string for an invalid address. */
function protocolOf(address: string): string {
  return URL.parse(address, "https://page.invalid/")?.protocol ?? "";
}

function findHeading(tokens: readonly Token[]): string | undefined {
  for (const [index, token] of tokens.entries()) {
    const text = token.type === "heading_open" ? textOf(tokens[index + 1]).trim() : "";
    if (text !== "") return text;
  }
  return undefined;
}

function textOf(inline: Token | undefined): string {
  const texts = inline?.children?.map((token) => (token.type === "softbreak" ? " " : textWithin(token)));
  return texts?.join("") ?? "";
}

function textWithin({ type, content, children }: Token): string {
  if (type === "text" || type === "code_inline") return content;
  return type === "image" ? (children?.map(textWithin).join("") ?? "") : "";
}

/** Time limit of rendering, in milliseconds. A page of 1 MiB takes less than half of this time on a function's share of a processor. */
const renderMsMax = 3_000;

/**
 * Renders Markdown as one self-contained page; see docs/adr/0050-publication-bodies.md. The default title is the first heading. Empty
 * Markdown renders to an empty string.
 *
 * @throws ApiError `html_too_large`; `invalid_arg` if rendering takes too long
 */
export function toMarkdownPage(markdown: string, title: string | undefined): string {
  const bytes = Buffer.byteLength(markdown);
  if (bytes > limits.markdownBytesMax) {
    throw new ApiError("html_too_large", {
      message: `The Markdown is ${bytes} bytes; at most ${limits.markdownBytesMax} are rendered. Send it as several drops, or as HTML.`,
      details: { bytes, bytes_max: limits.markdownBytesMax },
    });
  }
  if (markdown.trim() === "") return "";
  const { html, heading } = renderInTime(markdown);
  return writePage(html, title ?? heading);
}

const render = new Script("render()");

/** Renders Markdown with its own time limit, because waiting for the function's timeout would be expensive. */
function renderInTime(markdown: string): RenderedMarkdown {
  const context = createContext({ render: () => renderMarkdown(markdown) });
  try {
    return render.runInContext(context, { timeout: renderMsMax });
  } catch (cause) {
    const isTooDeep = cause instanceof RangeError;
    if (!isTooDeep && (cause as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw cause;
    throw new ApiError("invalid_arg", {
      message: isTooDeep
        ? "The Markdown is nested too deeply. Make it simpler, or send HTML."
        : `Rendering the Markdown takes more than ${renderMsMax / 1000} seconds. Make it simpler, or send HTML. The call counts as a write.`,
      details: { field: "markdown" },
      cause,
    });
  }
}

/** Content security policy of a rendered page, as a second line of defence. Rendered Markdown contains no scripts. */
const policy = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'";

function writePage(body: string, title: string | undefined): string {
  const titled = title === undefined ? "" : `<title>${escapeText(title)}</title>\n`;
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
${titled}<style>${markdownStyle}</style>
</head>
<body>
${body}</body>
</html>
`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
