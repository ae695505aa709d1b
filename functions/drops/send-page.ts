import { ApiError, type ErrorBody } from "../core/errors.ts";
import { type Operation, operation } from "../http/operation.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { isExpired } from "../policies/access.ts";
import { hashSecret } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import { pages } from "./page-objects.ts";
import { type Publication, publications } from "./publication-store.ts";
import { publishDrop } from "./publish-drop.ts";
import { publishVersion } from "./publish-version.ts";
import { sendPageRoute } from "./rows.ts";
import { upsertDrop } from "./upsert-drop.ts";

/** POST /api/publications/page: publishes the page of a started publication, with the token that started the publication. */
export const sendPage = operation(sendPageRoute, async ({ request, query, nowMs }) => {
  const publication = await publications.find(hashSecret(query.key));
  if (publication?.archiveKey === undefined) requirePage(request);
  if (publication === undefined) throw gone("This URL does not exist or is no longer valid");
  if (isExpired(publication, nowMs)) throw gone("This URL has expired");
  const { archiveKey } = publication;
  const sent = archiveKey === undefined ? request : await withArchive(request, archiveKey);
  const response = await publish(publication, sent);
  if (response.status === 401) throw gone("The token that requested this URL is no longer valid");
  if (response.status === 409 && codeOf(response) === "idempotency_key_reused")
    throw gone("Another page was already published with this URL, which accepts one");
  return response;
});

/** Uses the previously uploaded zip archive as the body of the request. */
async function withArchive(request: HttpRequest, archiveKey: string): Promise<HttpRequest> {
  const bytes = await pages.getBytes(archiveKey);
  if (bytes === undefined)
    throw new ApiError("invalid_arg", {
      message: "The zip archive is missing. First send it by PUT to upload_url, then repeat this request.",
    });
  return {
    ...request,
    headers: { "content-type": ["application/zip"] },
    contentLength: bytes.byteLength,
    bodyBytes: bytes,
    readBody: async () => bytes,
  };
}

function gone(what: string): ApiError {
  return new ApiError("not_found", {
    message: `${what}. Ask for another one with POST /api/publications, or the tool start_publish.`,
  });
}

/** Refuses bodies of other media types, such as JSON, because their text would be published as the page. */
function requirePage(request: HttpRequest): void {
  const sent = singleHeader(request, "content-type") ?? "";
  if (/^\s*(text\/(html|markdown)|application\/zip)\s*(;|$)/i.test(sent)) return;
  const given = sent === "" ? "none" : JSON.stringify(sent.slice(0, 100));
  throw new ApiError("invalid_arg", {
    message: `Send the page as the body, with Content-Type text/html, text/markdown or application/zip, not ${given}.`,
    details: { header: "content-type" },
  });
}

async function publish(publication: Publication, outer: HttpRequest): Promise<HttpResponse> {
  const { secretHash, ownerId, tokenId, isByTool, slug, query } = publication;
  // Finds the token by its id, because renewing a token changes its hash.
  const token = await getItem(keys.tokenRow(ownerId, tokenId));
  if (token === undefined) return { status: 401, headers: {}, body: "" };
  const operation = operationFor(publication);
  const { method, path } = operation.route;
  return operation.execute({
    ...outer,
    method,
    path: path.replace("{slug}", slug ?? ""),
    pathParameters: slug === undefined ? {} : { slug },
    rawQuery: query,
    headers: {
      "content-type": outer.headers["content-type"] ?? [],
      // The URL accepts one page. Sending the same page again, after a lost response, returns the same response.
      "idempotency-key": [`publication:${secretHash}`],
    },
    tokenHash: token.hash as string,
    isToolCall: isByTool,
  });
}

function codeOf({ body }: HttpResponse): string {
  return (JSON.parse(String(body)) as ErrorBody).error.code;
}

function operationFor({ slug, isUpsert }: Publication): Operation {
  if (isUpsert) return upsertDrop;
  return slug === undefined ? publishDrop : publishVersion;
}
