import { hashPasscode, matchesPasscode } from "../core/passcode.ts";
import type { FolderContent } from "../folders/folder.ts";
import type { KnownContents } from "../folders/pack-folder.ts";
import { requestDigest, respondOnce, type StoreResponse } from "../http/idempotency.ts";
import type { Operation, OperationInput } from "../http/operation.ts";
import { created, type HttpResponse, ok, requireMatch, withEntityTag } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { classifyHost, type Site } from "../http/site.ts";
import { type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { reviewPublication, withSecrets } from "../secrets/secret-review.ts";
import { createObjectId, createSlug } from "../table/identifiers.ts";
import type { Caller } from "../table/tokens.ts";
import {
  type AppliedChange,
  addVersion,
  changeWarnings,
  createDrop,
  type Drop,
  type DropChanges,
  isGuarded,
  isLocked,
  type PageContent,
  type StoredPage,
  type Version,
  withChanges,
  withGate,
} from "./drop.ts";
import { changedAccess, newAccess, requireAllowed } from "./drop-access.ts";
import { countOpenFeedback, requireScopeOfChange } from "./owned-drops.ts";
import { toStoredPage } from "./page-content.ts";
import { knownContents, pages } from "./page-objects.ts";
import { presentPublication, writtenVersion } from "./presenter.ts";
import { drops, requireVersionQuota } from "./store.ts";

/** Input of an operation that publishes a page. */
export type PublicationInput<Row extends Route> = TokenOperationInput<Row> & {
  readonly body: PublicationBody;
};

type PublicationBody = PageContent & { readonly passcode?: string | undefined };

/** The parts that differ between the operations that publish a page. */
interface PublicationParts<Row extends Route> {
  /** Content that must be equal in all requests with the same Idempotency-Key. The passcode is compared separately. */
  readonly content: (input: PublicationInput<Row>) => unknown;
  /** Stores the page. Adds the writes from `keep`, which store the response. */
  readonly publish: (input: PublicationInput<Row>, keep: StoreResponse) => Promise<HttpResponse>;
}

/** Defines an operation that scans a page for secrets, and publishes it only once for each Idempotency-Key. */
export function publicationOperation<Row extends Route>(
  route: Row,
  { content, publish }: PublicationParts<Row>,
): Operation {
  return tokenOperation(route, async (given) => {
    // All operations that publish have a body of this type.
    const input = given as PublicationInput<Row>;
    const body: PublicationBody = input.body;
    const review = reviewPublication(body, input.act);
    const digest = () => requestDigest(content(input));
    const request = { ...input, operation: route.id, digest, passcode: body.passcode };
    const response = await respondOnce(request, (keep) => publish({ ...input, act: review.act }, keep));
    return withSecrets(response, review);
  });
}

type Publication = PageContent & DropChanges & { readonly passcode?: string | undefined };

/** A new drop whose page is already stored, but whose row is not. */
export interface NewDrop {
  readonly drop: Drop;
  readonly version: Version;
  readonly passcodeHash: string | undefined;
  /** A 201 response with the drop and warnings about its page. */
  readonly response: HttpResponse;
}

/**
 * Creates a drop and stores its page, but not its row, which must never refer to a missing page. @throws ApiError `invalid_arg` as
 * `newAccess` does
 */
export async function createStoredDrop(
  { caller, site, nowMs, randomInt }: Pick<VersionInput, "caller" | "site" | "nowMs" | "randomInt">,
  body: Publication & { readonly title: string },
): Promise<NewDrop> {
  const reach = newAccess(body, { isLocked: hasPasscode(body), nowMs });
  const slug = createSlug(randomInt);
  const page = toStoredPage(slug, createObjectId(randomInt), body);
  const warningsFor = await reviewPage(page, body.folder, site);
  const passcodeHash = body.passcode ? await hashPasscode(body.passcode) : undefined;
  await pages.put(page);
  const { drop, version } = createDrop(caller, body, page, { slug, passcodeHash, reach, nowMs });
  const answer = created(presentPublication(site, drop, version), writtenVersion(drop));
  const response = withWarnings(withEntityTag(answer, drop), warningsFor(drop));
  return { drop, version, passcodeHash, response };
}

/** Checks if a publication has a passcode. The empty string means no passcode. */
export function hasPasscode({ passcode }: Pick<Publication, "passcode">): boolean {
  return passcode !== undefined && passcode !== "";
}

/** Maximum number of warnings about a folder. Warnings about forms do not count. */
const pageWarningsMax = 8;

/** Warns about mistakes that readers would see, addresses that do not work on this service, and forms that do not accept answers. */
async function reviewPage(
  { bytes, source }: StoredPage,
  folder: FolderContent | undefined,
  site: Site,
): Promise<(drop: Drop) => readonly string[]> {
  const isOwnHost = (host: string) => classifyHost(site, host).kind !== "unknown";
  const { AnswerFormCheck } = await import("./answer-form-check.ts");
  const forms = new AnswerFormCheck();
  if (folder === undefined) {
    const { Mistakes } = await import("../folders/page-check.ts");
    const mistakes = new Mistakes();
    const page = { text: toByteText(bytes), source: source && toByteText(source.bytes), isOwnHost };
    mistakes.check(page, forms.visitorOf(page));
    return (drop) => [...mistakes.warnings(), ...forms.warnings(drop)];
  }
  const { addressWarnings, findAddresses } = await import("../folders/address-warnings.ts");
  const found = findAddresses(folder.files, folder.spa, isOwnHost, (page) => [forms.visitorOf(page)]);
  // An unrestricted folder has its own host, if the service has a domain.
  return (drop) => [
    ...addressWarnings(found, site.baseDomain !== undefined && !isGuarded(drop)).slice(0, pageWarningsMax),
    ...forms.warnings(drop),
  ];
}

/** Decodes bytes as Latin-1, so that each character stands for one byte. */
function toByteText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

interface VersionInput
  extends Pick<OperationInput<Route>, "ifMatch" | "site" | "nowMs" | "randomInt" | "act"> {
  readonly caller: Caller;
  readonly body: Publication;
}

interface VersionTarget {
  readonly found: Drop;
  /** Stored contents that the new version may share. @default - those of the latest version */
  readonly known?: KnownContents | undefined;
  /** Checks if the current drop should still get the version. @default - always */
  readonly isStillMeant?: (current: Drop) => boolean;
}

/**
 * Adds a version to the caller's drop. Returns undefined if the drop was deleted in the meantime, or `isStillMeant` returns false.
 *
 * @throws ApiError `insufficient_scope`, `precondition_failed`, `version_limit_reached`, `quota_exceeded`, and `invalid_arg` as for an edit
 */
export async function addVersionTo(
  { found, known, isStillMeant = () => true }: VersionTarget,
  { caller, body, ifMatch, site, nowMs, randomInt, act }: VersionInput,
  keep: StoreResponse,
): Promise<HttpResponse | undefined> {
  // A precondition only applies to a request that would succeed without it (RFC 9110, section 13.2.1).
  const requireWritable = (drop: Drop) => {
    const staysLocked = body.passcode === undefined ? isLocked(drop) : hasPasscode(body);
    requireAllowed(changedAccess(drop, body, { isLocked: staysLocked, nowMs }).visibility);
    requireVersionQuota(drop);
    requireMatch(ifMatch, drop);
  };
  requireWritable(found);
  const lock = await lockOf(body.passcode, found);
  requireScopeOfChange(caller.token, found, withChanges(withLock(found, lock, nowMs), body, nowMs));
  const shared = known ?? (body.folder && (await knownContents(found)));
  const page = toStoredPage(found.slug, createObjectId(randomInt), body, shared);
  const warningsFor = await reviewPage(page, body.folder, site);
  // Stores the page first, so that a row never refers to a missing object.
  const [openFeedback] = await Promise.all([countOpenFeedback(found.slug), pages.put(page)]);
  const present = (applied: AppliedChange) => {
    const { drop } = applied;
    const answer = ok(presentPublication(site, drop, page, openFeedback), writtenVersion(drop));
    const warnings = [...changeWarnings(applied, body), ...warningsFor(drop)];
    return withWarnings(withEntityTag(answer, drop), warnings);
  };
  let response: HttpResponse | undefined;
  const applied = await drops.change(
    found,
    act,
    (current) => {
      if (!isStillMeant(current)) return undefined;
      requireWritable(current);
      // Changes the passcode first, so that one request can remove the passcode and turn indexing on.
      const changed = addVersion(withLock(current, lock, nowMs), page, body, nowMs);
      requireScopeOfChange(caller.token, current, changed.drop);
      return changed;
    },
    (change) => {
      response = present(change);
      return keep(response, lock ?? undefined);
    },
  );
  return applied && response;
}

/** Returns the passcode hash to lock with, null to unlock, or undefined to leave the lock unchanged. */
async function lockOf(passcode: string | undefined, { gate }: Drop): Promise<string | null | undefined> {
  if (passcode === undefined) return undefined;
  if (passcode === "") return null;
  // Sending the same passcode again must not end readers' access.
  const isSame = gate.kind === "locked" && (await matchesPasscode(passcode, gate.passcodeHash));
  return isSame ? gate.passcodeHash : hashPasscode(passcode);
}

function withLock(drop: Drop, lock: string | null | undefined, nowMs: number): Drop {
  const current = drop.gate.kind === "locked" ? drop.gate.passcodeHash : null;
  return lock === undefined || lock === current ? drop : withGate(drop, lock, nowMs);
}
