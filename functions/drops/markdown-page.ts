import { createContext, Script } from "node:vm";
import { ApiError } from "../platform/errors.ts";
import { limits } from "../platform/limits.ts";
import markdownStyle from "./markdown.css";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";

/** What rendering may take, in milliseconds: a page of 1 MiB takes less than half of it on a function's share of a processor. */
const renderMsMax = 3_000;

/**
 * Makes one self-contained page of Markdown, with its first heading as a title where it is given none:
 * docs/adr/0054-markdown.md. Of nothing it makes no page.
 *
 * @throws ApiError `html_too_large`; `invalid_arg` for what takes too long
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

/** The function's own time is bounded much later, and costs: so it is stopped, whatever it does. */
function renderInTime(markdown: string): RenderedMarkdown {
  const context = createContext({ render: () => renderMarkdown(markdown) });
  try {
    return render.runInContext(context, { timeout: renderMsMax });
  } catch (cause) {
    const isTooDeep = cause instanceof RangeError;
    if (!isTooDeep && (cause as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw cause;
    throw new ApiError("invalid_arg", {
      message: isTooDeep
        ? "The Markdown is nested too deeply to be rendered: make it simpler, or send it as HTML."
        : `The Markdown takes more than ${renderMsMax / 1000} seconds to be rendered: make it simpler, or send it as HTML. The call counts as a write.`,
      details: { field: "markdown" },
      cause,
    });
  }
}

/** There is nothing to run in such a page, and nothing that is not shown: were something to slip in, it would stay without effect. */
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
