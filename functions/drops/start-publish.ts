import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { created } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { presentReader } from "../policies/access.ts";
import { createObjectId, createPublicationSecret, hashSecret } from "../table/identifiers.ts";
import { newAccess } from "./drop-access.ts";
import { publications } from "./publication-store.ts";
import { sendPageRoute, startPublishRoute } from "./rows.ts";
import type { PublicationStartResponse, StartPublishBody } from "./schemas.ts";
import { presignStaged, stagedArchiveKey } from "./staged-folder.ts";

/** POST /api/publications: stores the target and fields of a page, and returns a URL for sending the page. */
export const startPublish = tokenOperation(
  startPublishRoute,
  async ({ request, caller, body, site, nowMs, randomInt, act }) => {
    requireOnePlace(body, nowMs);
    const secret = createPublicationSecret(randomInt);
    const archive =
      body.archive_bytes === undefined
        ? undefined
        : stagedArchiveKey({ ownerId: caller.userId, id: createObjectId(randomInt) });
    const isStarted = await publications.start(
      {
        secretHash: hashSecret(secret),
        ownerId: caller.userId,
        tokenId: caller.token.id,
        isByTool: request.isToolCall === true,
        slug: body.slug,
        isUpsert: body.upsert === true,
        archiveKey: archive,
        query: toQuery(body),
        expiresAtMs: nowMs + limits.publicationUrlSeconds * 1000,
      },
      act,
    );
    if (!isStarted) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
    const url = `${site.baseUrl}${sendPageRoute.path}?key=${secret}`;
    const upload = archive && (await presignStaged(archive, body.archive_bytes ?? 0)).url;
    const curl = "curl -sS --fail-with-body";
    return created({
      url,
      method: "POST",
      command:
        upload === undefined
          ? `${curl} -H 'Content-Type: text/html' --data-binary @page.html '${url}'`
          : `${curl} -T folder.zip '${upload}' && ${curl} -X POST '${url}'`,
      ...(upload === undefined ? {} : { upload_url: upload }),
      expires_in: limits.publicationUrlSeconds,
    } satisfies PublicationStartResponse);
  },
);

/** Refuses an invalid publication when it is started, before the page is sent. */
function requireOnePlace(body: StartPublishBody, nowMs: number): void {
  const { slug, upsert, metadata, spa, archive_bytes: archiveBytes } = body;
  if (spa !== undefined && archiveBytes === undefined)
    throw refusal("spa", "spa is only for folders: send archive_bytes, or leave out spa");
  if (upsert && slug !== undefined)
    throw refusal("upsert", "slug already identifies the drop: send slug or upsert, not both");
  if (upsert && (metadata === undefined || metadata.size === 0))
    throw refusal("metadata", "upsert finds the drop by its metadata: send at least one key");
  // The access fields of an existing drop depend on its current access, so this check covers only new drops.
  if (!upsert && slug === undefined) newAccess(body, { isLocked: false, nowMs });
}

function refusal(field: string, message: string): ApiError {
  return new ApiError("invalid_arg", { message: `${message}.`, details: { field } });
}

/** Formats the fields as query parameters of a request whose body is the page; see docs/adr/0050-publication-bodies.md. */
function toQuery({
  slug: _,
  upsert: __,
  archive_bytes: ___,
  metadata = new Map(),
  readers = [],
  ...rest
}: StartPublishBody): string {
  const said = Object.entries(rest).filter(([, value]) => value !== undefined);
  return new URLSearchParams([
    ...said.map(([name, value]) => [name, String(value)]),
    ...readers.map((reader) => ["readers", presentReader(reader)]),
    ...[...metadata].map(([key, value]) => [`metadata.${key}`, value]),
  ]).toString();
}
