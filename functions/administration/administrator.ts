import type { RenderPage } from "../account/owner-form.ts";
import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { formProofs, requireFormProof } from "../http/form-proof.ts";
import type { Operation, OperationInput } from "../http/operation.ts";
import { parseForm } from "../http/request.ts";
import { type HttpResponse, redirect, seeOther, toApiError } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { requireOwnPage } from "../http/site.ts";
import { type Destination, signInAgainPath, signInPath } from "../identity/destination.ts";
import { type SignedIn, type SignedInInput, sessionOperation } from "../identity/signed-in-page.ts";
import { canAdminister } from "../policies/access.ts";
import type { Act, Actor } from "../table/audit.ts";
import { administrationText } from "./administration-text.ts";

/** Request for an administration page, with the signed-in administrator. */
export interface AdministratorInput<Row extends Route> extends Omit<SignedInInput<Row>, "act"> {
  /** Path of the page, to return to after signing in again. */
  readonly destination: Destination;
  /** Returns the CSRF token for a form with this path. */
  readonly proofOf: (path: string) => string;
}

/** Form sent from an administration page, with the signed-in administrator. */
export type AdministratorFormInput<Row extends Route> = AdministratorInput<Row> & {
  readonly fields: URLSearchParams;
  /** Builds the data for an audit entry. The action is the name of the operator's command with the same effect. */
  readonly auditAs: (action: string) => Act;
};

/** Maximum age of an administrator's last sign-in: 15 minutes, in milliseconds. */
const signInMsMax = 15 * 60 * 1000;

type DestinationOf<Row extends Route> = (input: Pick<OperationInput<Row>, "path" | "query">) => Destination;

/**
 * Defines a page for administrators. Administrators are listed in the setting `administrators`, and must have signed in within the last 15
 * minutes. Other signed-in people get a 404 response, as for a missing page.
 */
export function administratorPage<Row extends Route>(
  route: Row,
  destinationOf: DestinationOf<Row>,
  run: (input: AdministratorInput<Row>) => Promise<HttpResponse>,
): Operation {
  return sessionOperation(route, async (input) => {
    const { signedIn, site, nowMs } = input;
    const destination = destinationOf(input);
    if (signedIn === undefined) return redirect(site.baseUrl + signInPath(destination));
    requireAdministrator(signedIn);
    if (!isRecent(signedIn, nowMs)) return redirect(site.baseUrl + signInAgainPath(destination));
    return run({ ...input, signedIn, destination, proofOf: await formProofs(signedIn.session.reference) });
  });
}

/** Defines a form for administrators. `change` returns the path to redirect to. A refused form is shown again with the problem. */
export function administratorForm<Row extends Route & { readonly body: "form" }>(
  route: Row,
  parts: {
    readonly destinationOf: DestinationOf<Row>;
    readonly change: (input: AdministratorFormInput<Row>) => Promise<string>;
    readonly showAgain: (input: AdministratorFormInput<Row>, problem: string) => Promise<RenderPage>;
  },
): Operation {
  return sessionOperation(route, async (input) => {
    const { request, site, signedIn, nowMs, act, body } = input;
    requireOwnPage(request, site);
    const destination = parts.destinationOf(input);
    if (signedIn === undefined) throw signInNeeded(signInPath(destination));
    requireAdministrator(signedIn);
    if (!isRecent(signedIn, nowMs)) throw signInNeeded(signInAgainPath(destination));
    const fields = parseForm(body as Uint8Array);
    const { reference } = signedIn.session;
    const known = {
      ...input,
      signedIn,
      destination,
      fields,
      proofOf: await formProofs(reference),
      auditAs: (action: string) => ({ ...act, action, actor: administratorActor(signedIn) }),
    };
    try {
      await requireFormProof(reference, request.path, fields);
      return seeOther(site.baseUrl + (await parts.change(known)));
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code === "not_found" || error.status >= 500) throw thrown;
      const renderPage = await parts.showAgain(known, error.message);
      throw new ApiError(error.code, { message: error.message, renderPage, pageKind: "signed-in" });
    }
  });
}

/** Requires that the signed-in person is an administrator. @throws ApiError `not_found` otherwise */
function requireAdministrator({ reader }: SignedIn): void {
  const named = findEnvironment(environmentNames.administrators);
  const administrators = named === undefined ? [] : (JSON.parse(named) as string[]);
  if (!canAdminister(reader, administrators)) throw new ApiError("not_found");
}

function administratorActor({ reader: { identity, userId } }: SignedIn): Actor {
  const { provider, id, username: name } = identity;
  return { kind: "administrator", identity: `${provider}#${id}`, personId: userId, name };
}

function isRecent({ session: { createdAtMs } }: SignedIn, nowMs: number): boolean {
  return nowMs - createdAtMs <= signInMsMax;
}

function signInNeeded(href: string): ApiError {
  const { message, label } = administrationText.signInAgain;
  return new ApiError("forbidden", { message, way: { href, label } });
}

/** Requires that the administrator has typed a name to confirm an action. @throws ApiError `invalid_arg` for another name */
export function requireTypedName(fields: URLSearchParams, name: string): void {
  if (fields.get("confirm")?.trim() === name) return;
  throw new ApiError("invalid_arg", { message: administrationText.notConfirmed(name) });
}
