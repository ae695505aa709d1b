import { ApiError } from "../core/errors.ts";
import { isLocked } from "../drops/drop.ts";
import { feedbackOf } from "../drops/drop-access.ts";
import { findVersionForReader, type ReadableVersion } from "../gate/readable-version.ts";
import { joinQuery } from "../http/page-operation.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Destination } from "../identity/destination.ts";
import { notShared } from "../identity/not-shared-page.tsx";
import type { Draft } from "./draft.ts";
import type { Author } from "./feedback.ts";
import type { Writer } from "./shown-threads.ts";

/** A version of a drop on which readers may comment, with the current reader. */
export type FoundFeedback = Extract<ReadableVersion, { kind: "version" }>;

/**
 * Finds a drop whose page the reader may read and comment on. Searches only on the base host.
 *
 * @param to URL of the page to return to after sign-in
 * @throws ApiError `not_found`, with the same response for a missing slug, a drop that the reader may not read, and a drop without feedback
 */
export async function findFeedbackDrop(input: {
  readonly request: HttpRequest;
  readonly slug: string;
  readonly to: Destination;
  readonly pinned: number | undefined;
  readonly nowMs: number;
}): Promise<FoundFeedback | { readonly kind: "gate" }> {
  const found = await findVersionForReader({ ...input, host: { kind: "base" } });
  if (found.kind === "base-host") throw new ApiError("not_found");
  if (found.kind === "version" && feedbackOf(found.drop) === "off")
    throw notShared(input.to, found.reader?.identity);
  return found;
}

/** Returns the path of a drop's feedback page or panel, for the given version or the latest, with further query parameters. */
export function feedbackPath(
  slug: string,
  version: number | undefined,
  isPanel = false,
  ...further: readonly (string | undefined)[]
): Destination {
  const pin = version === undefined ? undefined : `v=${version}`;
  return `/p/${slug}/feedback${joinQuery(pin, isPanel ? "panel=1" : undefined, ...further)}`;
}

/** Decides how a reader may comment: signed in, under a chosen name, or not at all. */
export function writerOf({ drop, reader }: FoundFeedback): Writer {
  if (reader?.isBarred) return { kind: "barred" };
  if (reader !== undefined) return { kind: "signed-in", username: reader.identity.username };
  return { kind: isLocked(drop) ? "named" : "nobody" };
}

/** Returns the author for a draft. @throws ApiError `forbidden` for readers who may not comment */
export function authorOf({ drop, reader }: FoundFeedback, { name }: Draft, refuse: () => ApiError): Author {
  if (reader?.isBarred) throw refuse();
  if (reader !== undefined && reader.userId === drop.ownerId)
    return { kind: "owner", name: drop.ownerNamespace };
  if (reader !== undefined) {
    const { provider, id, username } = reader.identity;
    return { kind: "reader", name: username, identity: `${provider}#${id}` };
  }
  if (isLocked(drop)) return { kind: "named", name };
  throw refuse();
}
