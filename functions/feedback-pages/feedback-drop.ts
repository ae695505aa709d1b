import { isLocked } from "../drops/drop.ts";
import { feedbackOf } from "../drops/reach.ts";
import type { Author } from "../feedback/feedback.ts";
import { findServed, type ServedVersion } from "../pages/served-version.ts";
import { type Act, readerActor } from "../platform/audit.ts";
import { ApiError } from "../platform/errors.ts";
import { joinQuery } from "../platform/page-query.ts";
import type { HttpRequest } from "../platform/request.ts";
import { fetchDestination, isUntellingBrowser } from "../platform/request-origin.ts";
import { hasOwnOrigin, type SiteHost, seenPath } from "../platform/site.ts";
import { type EntranceAddress, entranceQuery } from "../readers/destination.ts";
import type { Draft } from "./draft.ts";
import type { Writer } from "./shown-feedback.ts";

/** A drop whose readers may write, and who has come to it. */
export type FoundFeedback = Extract<ServedVersion, { kind: "version" }>;

/**
 * The drop of a slug, where its readers may write, for whoever may read it. It is for windows alone, whatever its visibility: the pages
 * of an owner share an origin, and none of them is to read who has written here, or to write in a reader's name.
 *
 * @throws ApiError `not_found`, the same whether there is no such drop, it is not for whoever asks, or nobody may write
 */
export async function findFeedbackDrop(input: {
  readonly request: HttpRequest;
  readonly host: SiteHost;
  readonly slug: string;
  readonly pinned: number | undefined;
  readonly nowMs: number;
}): Promise<ServedVersion> {
  const { request, host } = input;
  const to = fetchDestination(request);
  if (to === "frame" || to === "part") throw new ApiError("not_found");
  const found = await findServed(input);
  if (found.kind !== "version") return found;
  if (feedbackOf(found.drop) === "off") throw new ApiError("not_found");
  if (hasOwnOrigin(host) && isUntellingBrowser(request)) return { kind: "base-host" };
  return found;
}

/** Where the ways through a gate and a sign-in lead back to. */
export function entranceOf(
  slug: string,
  version: number | undefined,
): EntranceAddress & { readonly slug: string } {
  return { slug, from: "feedback", version };
}

/** Where a reader leaves the drop's host to sign in, and comes back to the same version. */
export function signInPath(host: SiteHost, entrance: ReturnType<typeof entranceOf>): string {
  return seenPath(host, `/p/${entrance.slug}/read`) + joinQuery(entranceQuery(entrance).toString());
}

/** As whom somebody may write about a drop that they may read. */
export function writerOf({ drop, reader }: FoundFeedback): Writer {
  if (reader?.isBarred) return { kind: "barred" };
  if (reader !== undefined) return { kind: "signed-in", username: reader.identity.username };
  return { kind: isLocked(drop) ? "named" : "nobody" };
}

/**
 * Whose the words of a draft are.
 *
 * @throws ApiError `forbidden` for who may not write
 */
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

/** What the audit trail says of who has written: of a name that somebody has given, nothing. */
export function actOf({ reader }: FoundFeedback, act: Act): Act {
  return reader === undefined ? act : { ...act, actor: readerActor(reader.identity) };
}
