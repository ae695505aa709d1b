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

/** Input of a page for administrators. */
export interface AdministratorInput<Row extends Route> extends Omit<SignedInInput<Row>, "act"> {
  /** The path of the page, to which another sign-in returns. */
  readonly destination: Destination;
  /** Makes the proof of a form with this path. */
  readonly proofOf: (path: string) => string;
}

/** Input of a form for administrators. */
export type AdministratorFormInput<Row extends Route> = AdministratorInput<Row> & {
  readonly fields: URLSearchParams;
  /** The audit line of an act, which has the name of the operator's command that does the same. */
  readonly actOf: (action: string) => Act;
};

/** Longest time since the sign-in of a session that may administer: 15 minutes. */
const signInMsMax = 15 * 60 * 1000;

type DestinationOf<Row extends Route> = (input: Pick<OperationInput<Row>, "path" | "query">) => Destination;

/**
 * A page for administrators: people whom the setting `administrators` names, and who have signed in within the last 15 minutes. Others who
 * have signed in get the response of a page that does not exist.
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

/** A form for administrators. Its `change` returns the path to show. A refusal shows the page again with the problem. */
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
      actOf: (action: string) => ({ ...act, action, actor: administratorActor(signedIn) }),
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

/** @throws ApiError `not_found` for anyone who is not an administrator */
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

/**
 * Reads a field in which the administrator repeats a name before an act that cannot be undone, or that readers notice.
 *
 * @throws ApiError `invalid_arg` for another name
 */
export function requireTypedName(fields: URLSearchParams, name: string): void {
  if (fields.get("confirm")?.trim() === name) return;
  throw new ApiError("invalid_arg", { message: administrationText.notConfirmed(name) });
}
