import { type Drop, isGuarded } from "../drops/drop.ts";
import { served } from "../drops/served.ts";
import { ApiError } from "../platform/errors.ts";
import type { HttpRequest } from "../platform/request.ts";
import { isUntellingBrowser } from "../platform/request-origin.ts";
import { hasOwnOrigin, type SiteHost } from "../platform/site.ts";
import { isOpenToAll } from "../platform/visibility.ts";
import { findReader } from "../readers/find-reader.ts";
import { mayRead, type Reader } from "../readers/may-read.ts";
import { findPassSession } from "../readers/pass.ts";
import type { ReaderSession } from "../readers/session.ts";
import { readerSessions } from "../readers/session-store.ts";
import { hasGatePass, isViewerAsking } from "./gate.ts";

/**
 * What a serving URL leads to: a version of a drop, or the gate in front of it. `base-host`: a browser that does not
 * tell a window from a script may see a guarded drop on the service's own host only, where no page has an origin.
 */
export type ServedVersion =
  | { readonly kind: "gate" }
  | { readonly kind: "base-host" }
  | {
      readonly kind: "version";
      readonly drop: Drop;
      readonly version: number;
      readonly pageKey: string;
      readonly hasContext: boolean;
      /** Whose session it is shown to; undefined where nobody had to say who they are. */
      readonly session: string | undefined;
      /** Who has signed in to read it, also where nobody had to. @default - nobody */
      readonly reader: Reader | undefined;
    };

/** Which drop is asked for, and by whom. */
interface DropRequest {
  readonly request: HttpRequest;
  readonly host: SiteHost;
  readonly slug: string;
  /** As `isViewerAsking` takes it. @default - none */
  readonly proof?: string | undefined;
  readonly nowMs: number;
}

/**
 * The version at a serving URL: the latest, or the one that `?v=` pins. Of a locked drop nothing is said without a
 * cookie, not even which versions there are.
 *
 * @throws ApiError `not_found` for an unknown slug or version, a deleted drop, what is not for whoever asks, and on another
 *   owner's host.
 */
export async function findServed(
  input: DropRequest & { readonly pinned: number | undefined },
): Promise<ServedVersion> {
  const { request, host, slug, pinned } = input;
  const [{ drop, session, reader }, version] = await Promise.all([
    requireDropFor(input),
    pinned === undefined ? undefined : served.findVersion(slug, pinned),
  ]);
  if (isGuarded(drop) && hasOwnOrigin(host) && isUntellingBrowser(request)) return { kind: "base-host" };
  if (!(await hasGatePass(request, drop, input))) return { kind: "gate" };
  if (pinned === undefined) return { kind: "version", drop, session, reader, ...drop.latest };
  if (version === undefined) throw new ApiError("not_found", { message: "The drop has no such version." });
  const { pageKey, hasContext } = version;
  return { kind: "version", drop, session, reader, version: pinned, pageKey, hasContext };
}

/**
 * The drop of a slug, on the hosts that serve it, for whom its owner lets read it. Of a suspended account's there is nothing to be
 * seen. Who the request's pass is of, and what they may, is looked up each time: what was taken from them is taken at once.
 *
 * @throws ApiError `not_found`, the same whether there is no such drop or it is not for whoever asks
 */
export async function requireDrop(input: DropRequest): Promise<Drop> {
  return (await requireDropFor(input)).drop;
}

/** The same, with who the request's pass names, and where only some may read the drop, by which session. */
async function requireDropFor(input: DropRequest): Promise<{
  readonly drop: Drop;
  readonly session: string | undefined;
  readonly reader: Reader | undefined;
}> {
  const { request, host, slug, proof } = input;
  const [pointer, session] = await Promise.all([served.findPointer(slug), findSession(input)]);
  const isServedHere =
    host.kind === "base" || (host.kind === "owner" && host.namespace === pointer?.namespace);
  const [drop, reader] = await Promise.all([
    served.findShownDrop(isServedHere ? pointer : undefined, slug),
    session ? findReader(session) : undefined,
  ]);
  if (drop === undefined || !(await isShown(drop, reader, () => isViewerAsking(request, slug, proof)))) {
    throw new ApiError("not_found");
  }
  return { drop, session: isOpenToAll(drop) ? undefined : session?.reference, reader };
}

/** Whose pass a request brings. */
async function findSession({ request, slug, nowMs }: DropRequest): Promise<ReaderSession | undefined> {
  const reference = await findPassSession(request, slug, nowMs);
  return reference === undefined ? undefined : readerSessions.find(reference, nowMs);
}

async function isShown(
  drop: Drop,
  reader: Reader | undefined,
  isFromViewer: () => Promise<boolean>,
): Promise<boolean> {
  return isOpenToAll(drop) || (mayRead(drop, reader) && (await isFromViewer()));
}
