import { ApiError } from "../runtime/errors.ts";
import { limits } from "../runtime/limits.ts";
import { warnAboutInvisibleCharacters } from "../runtime/text.ts";
import { refuseContentEncoding, refuseFormAsFile } from "./body-form.ts";
import { readJsonBody } from "./input-hints.ts";
import { type ByteBody, type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";
import type { Route } from "./route.ts";
import { validate } from "./validation.ts";

/** A body as the row's schema makes it, and what there is to say of it. */
export interface ReadBody {
  readonly body: unknown;
  /** Whether it was a page, of which the query says the rest. @default false */
  readonly isPage?: true;
  readonly warnings: readonly string[];
}

/**
 * Reads the body as the row says.
 *
 * @param renderAfterWrite spends the caller's write, then renders Markdown
 * @throws ApiError for what breaks a rule
 */
export async function readBody(
  route: Route,
  request: HttpRequest,
  renderAfterWrite: (render: () => Promise<ReadBody>) => Promise<ReadBody>,
): Promise<ReadBody> {
  const { body: rule } = route;
  if (rule === undefined || rule === "page") return { body: undefined, warnings: [] };
  if (rule === "bytes") return { body: requireBlobBody(request), warnings: [] };
  const bytes = await request.readBody();
  if (rule === "form") return { body: bytes, warnings: [] };
  const { page: pageRule, renderMarkdown } = rule;
  const query = parseQuery(request.rawQuery);
  if (pageRule !== undefined && isHtml(route, request)) {
    refuseContentEncoding(request, "invalid_arg", bytes);
    refuseLargePage(bytes);
    const said = validate(pageRule, { html: decodePage(bytes), query }) as object;
    const body = validate(rule.json, said) as object;
    return { body, isPage: true, warnings: warnAboutInvisibleCharacters(said, body) };
  }
  if (pageRule !== undefined && renderMarkdown !== undefined && isMarkdown(route, request)) {
    refuseContentEncoding(request, "invalid_arg", bytes);
    const text = decodePage(bytes);
    return renderAfterWrite(async () => {
      const page = await renderMarkdown(text, query);
      const said = validate(pageRule, page) as object;
      const body = validate(rule.json, said) as object;
      return {
        body: { ...body, source: page.source },
        isPage: true,
        warnings: warnAboutInvisibleCharacters(said, body),
      };
    });
  }
  return readJsonBody(route, rule, request, bytes);
}

/** Tells a body that is a page as it is from one that is JSON, whatever its type says. */
export function isHtml({ body }: Route, request: HttpRequest): boolean {
  const isPage = typeof body === "object" && body.page !== undefined;
  return isPage && mediaTypeOf(request) === "text/html";
}

/** Tells a body that is Markdown, and to be rendered. */
export function isMarkdown({ body }: Route, request: HttpRequest): boolean {
  const isRendered = typeof body === "object" && body.renderMarkdown !== undefined;
  return isRendered && mediaTypeOf(request) === "text/markdown";
}

/** Refuses a page by its bytes, before anything is sought in it. */
function refuseLargePage({ byteLength: bytes }: Uint8Array): void {
  if (bytes <= limits.htmlBytesMax) return;
  throw new ApiError("html_too_large", {
    message: `html is ${bytes} bytes in UTF-8; at most ${limits.htmlBytesMax} are allowed.`,
    details: { field: "html", bytes, bytes_max: limits.htmlBytesMax },
  });
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text whose bytes in UTF-8 are these. */
function decodePage(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw new ApiError("invalid_arg", {
      message: "The page is not UTF-8: send it in that encoding, and not compressed.",
      details: { field: "html" },
      cause,
    });
  }
}

/** A body to be streamed: what its length says is said now, before anything is spent. */
function requireBlobBody(request: HttpRequest): ByteBody {
  const { contentLength, bodyBytes, bodyStream } = request;
  refuseFormAsFile(request);
  refuseContentEncoding(request, "invalid_arg");
  if (contentLength === 0) throw new ApiError("empty_blob");
  if (contentLength !== undefined && contentLength > limits.blobBytesMax)
    throw new ApiError("blob_too_large", {
      message: `The body is ${contentLength} bytes; a blob may have at most ${limits.blobBytesMax}.`,
      details: { bytes: contentLength, bytes_max: limits.blobBytesMax },
    });
  return { contentLength, bytes: bodyBytes, stream: bodyStream };
}
