import { ApiError } from "../core/errors.ts";
import { isFormProof, proofField } from "../http/form-proof.ts";
import type { Operation, OperationInput } from "../http/operation.ts";
import { page } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { type HttpResponse, isUnavailable, seeOther, toApiError } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { requireOwnPage } from "../http/site.ts";
import { requireTeamRole } from "../http/team-role.ts";
import type { PageDestination } from "../identity/destination.ts";
import { identityText } from "../identity/identity-text.ts";
import { type SignedInInput, sessionOperation, signedInPage } from "../identity/signed-in-page.ts";
import { keys } from "../table/keys.ts";
import { refundRate, spendRate, windowStarts } from "../table/rate-limits.ts";
import { minuteRules, type RateRule, writeRules } from "../table/rate-rules.ts";
import { withWriteCount } from "../table/table.ts";
import { accountText } from "./account-text.ts";
import { renderNoAccountPage } from "./no-account-page.tsx";
import { findOwner, type Owner, proofSession } from "./owner.ts";
import type { FormFields } from "./problem.ts";
import { renderSignedOutPage } from "./signed-out-page.tsx";

/** Input of an owner's page. */
export type OwnerInput<Row extends Route> = SignedInInput<Row> & { readonly owner: Owner };

/** A page for a signed-in person with an account. Others get a page that explains how to get one. */
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

/** The page of a person who is not, or no longer, an owner. */
function noAccountPage(
  { signedIn, site }: Pick<SignedInInput<Route>, "signedIn" | "site">,
  destination: PageDestination,
): RenderPage {
  return (nonce) => renderNoAccountPage({ signedIn, baseUrl: site.baseUrl, destination, nonce });
}

/** Time to live of the item that counts an owner's writes, in seconds. It is longer than the longest rate window, a day. */
const keptSeconds = 2 * 24 * 60 * 60;

/** Renders a page with the nonce of its styles. */
export type RenderPage = (nonce: string) => string;

/** A form of an owner's pages, in its parts. */
interface FormParts<Row extends Route, Fields extends FormFields, Value> {
  /** The page with the form. */
  readonly pageOf: (input: Pick<OperationInput<Row>, "path">) => PageDestination;
  /**
   * Parses the fields from the request's body.
   * @default - `parseForm`
   */
  readonly parse?: (input: OperationInput<Row>) => Promise<Fields>;
  /**
   * Parses the fields.
   *
   * @throws ApiError for invalid fields; the write is not counted then
   */
  readonly read: (fields: Fields) => Value;
  /** Makes the change, and returns the path to show. A form that is sent twice makes the change once. */
  readonly change: (input: OwnerInput<Row>, value: Value, fields: Fields) => Promise<Changed>;
  /** Shows the page again with the submitted values and the problem. */
  readonly showAgain: (input: OwnerInput<Row>, fields: Fields, error: ApiError) => Promise<RenderPage>;
}

/** A completed change, and the path that shows it. */
export interface Changed {
  readonly path: string;
  /**
   * For the request's line in the log.
   * @default - from the path
   */
  readonly wrote?: HttpResponse["wrote"];
}

/**
 * An operation that an owner calls with a form of our own pages. The form's origin must be this host, and its proof must belong to this
 * session and subject. An error shows the form again with its values.
 */
export function ownerForm<Row extends Route, Value, Fields extends FormFields = URLSearchParams>(
  route: Row,
  parts: FormParts<Row, Fields, Value>,
): Operation {
  return sessionOperation(route, async (input) => {
    const { request, site } = input;
    requireOwnPage(request, site);
    const parse = parts.parse ?? parseFields;
    const fields = (await parse(input)) as Fields;
    if (input.signedIn === undefined) throw signedOut(fields, parts.pageOf(input));
    const { signedIn, owner } = await findOwner(input.signedIn, route, input.path);
    if (owner === undefined) {
      const renderPage = noAccountPage({ signedIn, site }, parts.pageOf(input));
      throw new ApiError("forbidden", { renderPage, pageKind: "signed-in" });
    }
    // An editor's page has no such form to show again.
    requireTeamRole(owner.role ?? "owner", route);
    const known = { ...input, signedIn, owner } as OwnerInput<Row>;
    try {
      await requireProof(known, request.path, fields);
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
      // An invalid request does not count as a write, even if only stored data shows that it is invalid.
      if (error instanceof ApiError && error.status === 400) await refund(writeRules);
      // The caller gets the original error, even if the refund fails.
      if (isUnavailable(error) && !mayHaveWritten()) await refund(minuteRules).catch(() => {});
      throw error;
    }
  });
}

/**
 * Counts a write against the owner's limit for all browsers together, which equals that of a token.
 *
 * @returns a function that refunds it in the windows of these rules
 * @throws ApiError `rate_limited` or `daily_quota_exceeded`; then nothing is counted
 */
async function spendWrite(
  userId: string,
  nowMs: number,
): Promise<(rules: readonly RateRule[]) => Promise<void>> {
  const key = keys.rateWindow("browser", userId);
  const ttl = Math.ceil(nowMs / 1000) + keptSeconds;
  const item = await spendRate({ key, rules: writeRules, nowMs, set: { ttl } });
  return (rules) => refundRate(key, rules, windowStarts(item, rules));
}

async function parseFields<Row extends Route>({ request }: OperationInput<Row>): Promise<FormFields> {
  return parseForm(await request.readBody());
}

/** Shows the form again with a fresh proof when its session has ended and the owner has signed in again. */
async function requireProof<Row extends Route>(
  { signedIn, owner }: OwnerInput<Row>,
  path: string,
  fields: FormFields,
): Promise<void> {
  if (await isFormProof(proofSession(signedIn, owner), path, fields.get(proofField) ?? "")) return;
  throw new ApiError("forbidden", { message: identityText.staleForm });
}

/** The same refusal with the form in it. Stays unchanged if the subject of the form is missing, or the fault is ours. */
async function shownAgain<Row extends Route, Fields extends FormFields, Value>(
  { showAgain }: FormParts<Row, Fields, Value>,
  input: OwnerInput<Row>,
  fields: Fields,
  thrown: unknown,
): Promise<unknown> {
  const error = toApiError(thrown);
  if (error.code === "not_found" || error.code === "internal_error") return thrown;
  // Without the table, the form cannot be shown either.
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
