import { ApiError } from "../core/errors.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { page } from "../html/page.ts";
import { formProofs, requireFormProof } from "../http/form-proof.ts";
import type { Operation, OperationInput } from "../http/operation.ts";
import { parseForm } from "../http/request.ts";
import { type HttpResponse, isUnavailable, seeOther, toApiError } from "../http/response.ts";
import { neededTeamRole, type Route, requireTeamRole } from "../http/route.ts";
import { patterns } from "../http/schemas.ts";
import { requireOwnPage } from "../http/site.ts";
import type { PageDestination } from "../identity/destination.ts";
import { readerSessions } from "../identity/readers.ts";
import {
  type SignedIn,
  type SignedInInput,
  sessionOperation,
  signedInPage,
  withActing,
} from "../identity/signed-in-page.ts";
import type { TeamRole } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { keys } from "../table/keys.ts";
import { refundRate, spendRate, windowStarts } from "../table/rate-limits.ts";
import { minuteRules, type RateRule, writeRules } from "../table/rate-rules.ts";
import { withWriteCount } from "../table/table.ts";
import { accountText } from "./account-text.ts";
import { renderNoAccountPage } from "./no-account-page.tsx";
import type { FormFields } from "./problem.ts";
import { renderSignedOutPage } from "./signed-out-page.tsx";
import { switchAccountRoute } from "./team-rows.ts";

/** Account whose pages a signed-in person manages: the person's own account or a team's. */
export interface Owner {
  readonly userId: string;
  readonly namespace: string;
  /** The person's role in the team. @default - the account is the person's own */
  readonly role?: TeamRole | undefined;
}

/** Input of an operation that shows or changes an owner's page. */
export type OwnerInput<Row extends Route> = SignedInInput<Row> & { readonly owner: Owner };

/** Defines a page for signed-in people with an account. People without an account get a page that explains how to get one. */
export function ownerPage<Row extends Route>(
  route: Row,
  pageOf: (input: Pick<SignedInInput<Row>, "path" | "query">) => PageDestination,
  run: (input: OwnerInput<Row>) => Promise<HttpResponse>,
): Operation {
  return signedInPage(route, pageOf, async (input) => {
    const { signedIn, owner } = await findOwner(input.signedIn, route, input.path);
    if (owner !== undefined) return run({ ...input, signedIn, owner });
    return page("signed-in", noAccountPage({ ...input, signedIn }, pageOf(input)));
  });
}

/** Renders the page for a person without an account, or for a former member. */
function noAccountPage(
  { signedIn, site }: Pick<SignedInInput<Route>, "signedIn" | "site">,
  destination: PageDestination,
): RenderPage {
  return (nonce) => renderNoAccountPage({ signedIn, baseUrl: site.baseUrl, destination, nonce });
}

/** Time to live of the item that counts an owner's writes, in seconds. Longer than a day, because one limit applies per day. */
const writeCountSeconds = 2 * 24 * 60 * 60;

/** Renders a page. The nonce allows the page's styles. */
export type RenderPage = (nonce: string) => string;

/** Functions that process a form on an owner's page. */
interface FormParts<Row extends Route, Fields extends FormFields, Value> {
  /** Returns the page with the form. */
  readonly pageOf: (input: Pick<OperationInput<Row>, "path">) => PageDestination;
  /** Parses the request's body into fields. @default - `parseForm` */
  readonly parse?: (input: OperationInput<Row>) => Promise<Fields>;
  /** Converts the fields to the requested change. @throws ApiError for invalid fields, which do not count as a write */
  readonly read: (fields: Fields) => Value;
  /** Makes the change, and returns the path of the page to show. Must be idempotent, because a form may be sent twice. */
  readonly change: (input: OwnerInput<Row>, value: Value, fields: Fields) => Promise<Changed>;
  /** Renders the page again with the submitted values and the problem. */
  readonly showAgain: (input: OwnerInput<Row>, fields: Fields, error: ApiError) => Promise<RenderPage>;
}

/** A completed change, and the path of the page to show after it. */
export interface Changed {
  readonly path: string;
  /** Ids to write to the request's log entry. @default - the ids in the path */
  readonly wrote?: HttpResponse["wrote"];
}

/**
 * Defines an operation for a form on an owner's page. The request must come from a page of this host, with a CSRF token for the session and
 * the form's path. After an error, shows the form again with the submitted values.
 */
export function ownerForm<Row extends Route, Value, Fields extends FormFields = URLSearchParams>(
  route: Row,
  parts: FormParts<Row, Fields, Value>,
): Operation {
  return sessionOperation(route, async (input) => {
    const { request, site } = input;
    requireOwnPage(request, site);
    const fields = (await (parts.parse?.(input) ?? request.readBody().then(parseForm))) as Fields;
    if (input.signedIn === undefined) throw signedOut(fields, parts.pageOf(input));
    const { signedIn, owner } = await findOwner(input.signedIn, route, input.path);
    if (owner === undefined) {
      const renderPage = noAccountPage({ signedIn, site }, parts.pageOf(input));
      throw new ApiError("forbidden", { renderPage, pageKind: "signed-in" });
    }
    // Refuses an editor without showing the form again, because an editor's page does not have this form.
    if (owner.role !== undefined) requireTeamRole(owner.role, route);
    const known = { ...input, signedIn, owner } as OwnerInput<Row>;
    try {
      // If the CSRF token is invalid, the form is shown again with a new token. Owners who have signed in again can then resend the form.
      await requireFormProof(proofSession(signedIn, owner), request.path, fields);
      const { path, wrote } = await changeOnce(parts, known, fields);
      return { ...seeOther(`${site.baseUrl}${path}`), ...(wrote ? { wrote } : {}) };
    } catch (error) {
      throw await shownAgain(parts, known, fields, error);
    }
  });
}

async function changeOnce<Row extends Route, Fields extends FormFields, Value>(
  { read, change }: FormParts<Row, Fields, Value>,
  input: OwnerInput<Row>,
  fields: Fields,
): Promise<Changed> {
  const value = read(fields);
  const refund = await spendWrite(input.owner.userId, input.nowMs);
  return withWriteCount(async (mayHaveWritten) => {
    try {
      return await change(input, value, fields);
    } catch (error) {
      // An invalid request does not count as a write, even if only the change itself could detect the error.
      if (error instanceof ApiError && error.status === 400) await refund(writeRules);
      // Ignores a failed refund, so that the caller gets the original error.
      if (isUnavailable(error) && !mayHaveWritten()) await refund(minuteRules).catch(() => {});
      throw error;
    }
  });
}

/**
 * Counts a write against the owner's limit. All browsers of an owner share one limit, which is as high as the limit of a token.
 *
 * @returns a function that refunds the write for the given rate rules
 * @throws ApiError `rate_limited` or `daily_quota_exceeded`, without counting the write
 */
async function spendWrite(userId: string, nowMs: number) {
  const key = keys.rateWindow("browser", userId);
  const ttl = Math.ceil(nowMs / 1000) + writeCountSeconds;
  const item = await spendRate({ key, rules: writeRules, nowMs, set: { ttl } });
  return (rules: readonly RateRule[]) => refundRate(key, rules, windowStarts(item, rules));
}

/** Adds to an error the page that shows the form again, except for `not_found` and internal errors, after which no page can be shown. */
async function shownAgain<Row extends Route, Fields extends FormFields, Value>(
  { showAgain }: FormParts<Row, Fields, Value>,
  input: OwnerInput<Row>,
  fields: Fields,
  thrown: unknown,
): Promise<unknown> {
  const error = toApiError(thrown);
  if (error.code === "not_found" || error.code === "internal_error") return thrown;
  // If the table is unavailable, the form cannot be rendered. The error is then returned without a page.
  const renderPage = await showAgain(input, fields, error).catch((failed: unknown) =>
    error.code === "unavailable" ? undefined : Promise.reject(failed),
  );
  const { message, retryAfterSeconds, cause } = error;
  return new ApiError(error.code, {
    message,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(renderPage === undefined ? {} : { renderPage, pageKind: "signed-in" as const }),
  });
}

function signedOut(fields: FormFields, destination: PageDestination): ApiError {
  return new ApiError("forbidden", {
    message: accountText.signedOut.lead,
    renderPage: (nonce) => renderSignedOutPage({ fields, destination, nonce }),
  });
}

/**
 * Finds the account whose pages a person manages. Finds none for a person without an account, and for a former member. For a drop's page,
 * this is the account that owns the drop, so that a link from the viewer works for all of the person's accounts. For other pages, this is
 * the chosen account.
 */
async function findOwner(
  found: SignedIn,
  { path }: Pick<Route, "path">,
  { slug }: { readonly slug?: string },
) {
  const signedIn = await withActing(found);
  const chosen = ownerOf(signedIn);
  const { acting, reader } = signedIn;
  if (!acting?.teams.length || slug === undefined || !path.startsWith("/account/drops/"))
    return { signedIn, owner: chosen };
  const ownerId = (await publicDrops.findPointer(slug))?.ownerId;
  const owner =
    ownerId === reader.userId
      ? ownerOf(found)
      : (acting.teams.find(({ userId }) => userId === ownerId) ?? chosen);
  const dropOwner = owner?.userId === chosen?.userId ? undefined : owner?.namespace;
  return { signedIn: { ...signedIn, acting: { ...acting, dropOwner } }, owner };
}

/**
 * Returns the account that a member has chosen. Returns undefined for former members, who cannot change their pages; see
 * docs/adr/0045-account-pages.md.
 */
function ownerOf({ reader: { userId, namespace, isMember }, acting }: SignedIn): Owner | undefined {
  if (!isMember) return undefined;
  if (acting?.team !== undefined) return acting.team;
  return userId !== undefined && namespace !== undefined ? { userId, namespace } : undefined;
}

/** Stores the account that the person has chosen for this session. */
export function selectAccount({ session }: SignedIn, { role, ...account }: Owner, act: Act): Promise<void> {
  return readerSessions.selectTeam(session, role && account, { ...act, action: switchAccountRoute.id });
}

/** Checks whether a person may use a form. Some forms are only for a team's owners. */
export function mayUse({ role }: Owner, row: Pick<Route, "method" | "teamRole">): boolean {
  return role !== "editor" || neededTeamRole(row) === "editor";
}

/** Returns the session name in an owner's CSRF tokens. Includes the team, so that a form for one account cannot change another account. */
function proofSession({ session }: SignedIn, { userId, role }: Owner): string {
  return role === undefined ? session.reference : `${session.reference} ${userId}`;
}

/** Returns a function that creates the CSRF token for a form's path. */
export function ownerProofs({ signedIn, owner }: Pick<OwnerInput<Route>, "signedIn" | "owner">) {
  return formProofs(proofSession(signedIn, owner));
}

/** Reads a positive integer from a form. Returns undefined for any other value. */
export function readPositiveInteger(fields: FormFields, name: string): number | undefined {
  const sent = fields.get(name) ?? "";
  return patterns.positiveInteger.test(sent) ? Number(sent) : undefined;
}

/** Reads the version number from a form. @throws ApiError `invalid_arg` */
export function readVersionNumber(fields: FormFields): number {
  const version = readPositiveInteger(fields, "version");
  if (version !== undefined) return version;
  const message = "Choose a version.";
  throw new ApiError("invalid_arg", { message, details: { field: "version" } });
}
