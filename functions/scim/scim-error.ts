import { type HttpResponse, jsonHeaders } from "../http/response.ts";

/** Values of `scimType` that this service uses (RFC 7644, section 3.12). */
type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "uniqueness";

/** Error to send to a SCIM client (RFC 7644, section 3.12). */
export class ScimError extends Error {
  override readonly name = "ScimError";
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, message: string, scimType?: ScimType) {
    super(message);
    this.status = status;
    this.scimType = scimType;
  }
}

/** Headers of all SCIM responses (RFC 7644, section 3.1). */
export const scimHeaders = { ...jsonHeaders, "content-type": "application/scim+json; charset=utf-8" };

/** Converts an error to a response in SCIM's format. */
export function presentScimError(
  { status, message, scimType }: Pick<ScimError, "status" | "message"> & Partial<Pick<ScimError, "scimType">>,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const body = {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: message,
  };
  return { status, headers: { ...scimHeaders, ...headers }, body: JSON.stringify(body) };
}

/** Error for a missing resource or an unknown path below /scim/v2. */
export function notFound(what: string): ScimError {
  return new ScimError(404, `${what} does not exist.`);
}
