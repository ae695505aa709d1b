import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, splitTarget } from "../http-message.ts";
import type { AccessControl } from "./access-control.ts";
import { AwsError, Refusal } from "./aws-error.ts";
import type { AwsService, Log, WireFormat } from "./aws-service.ts";
import { jsonWireFormat } from "./json-protocol.ts";
import { s3WireFormat } from "./s3/s3-errors.ts";
import { parseQuery, readSignature, type SignedParts, sha256Hex, verifySignature } from "./signature.ts";

/**
 * Responds to one request. Finds the service by the signature's credential scope, verifies the signature, and calls the service. Errors have
 * the service's own format.
 */
export async function respondTo(
  { id, message, response }: { id: string; message: IncomingMessage; response: ServerResponse },
  services: ReadonlyMap<string, AwsService>,
  accessControl: AccessControl,
  log: Log,
): Promise<void> {
  const { path, query: rawQuery = "" } = splitTarget(message.url ?? "/");
  // Error format of requests whose service is not found yet. Only requests to AWS JSON services have an `x-amz-target` header.
  let wireFormat = message.headers["x-amz-target"] ? jsonWireFormat : s3WireFormat;
  try {
    const parts: SignedParts = {
      method: message.method ?? "GET",
      path,
      query: parseQuery(rawQuery),
      headers: message.headers,
    };
    const claim = readSignature(parts);
    if (!claim) throw new Refusal("unsigned", "The request must be signed with Signature Version 4.");
    const service = services.get(claim.service);
    if (!service) {
      throw new AwsError(
        "UnknownService",
        501,
        `The service "${claim.service}" is not emulated; there are ${[...services.keys()].join(", ")}.`,
      );
    }
    wireFormat = service.wireFormat;
    const caller = accessControl.callerOf(claim.accessKeyId);
    if (!caller)
      throw new Refusal("unknown-key", "The access key ID you provided does not exist in our records.");
    const body = await bodyOf(message, service);
    const payloadHash = payloadHashOf(parts, body, service);
    await verifySignature(claim, parts, payloadHash, caller.secretAccessKey, Date.now());
    const { authorize, mayAccess } = caller;
    const query = new Map(parts.query);
    const verified = { id, query, body, stream: message, payloadHash, authorize, mayAccess };
    await service.handle({ ...parts, ...verified }, response);
  } catch (error) {
    respondError(error, wireFormat, { id, path, response }, log);
  }
}

/** Returns the payload's hash. The endpoint verifies the hash only if it reads the whole body. The service verifies the hash of a stream. */
function payloadHashOf(parts: SignedParts, body: Buffer, service: AwsService): string {
  const declared =
    parts.headers["x-amz-content-sha256"] ??
    parts.query.find(([name]) => name === "X-Amz-Content-Sha256")?.[1];
  if (service.bodyBytesMax === undefined) return String(declared ?? "UNSIGNED-PAYLOAD");
  const actual = sha256Hex(body);
  if (declared !== undefined && declared !== actual) {
    throw new Refusal(
      "wrong-payload-hash",
      "The body's SHA-256 does not match the signed x-amz-content-sha256.",
    );
  }
  return actual;
}

async function bodyOf(message: IncomingMessage, { bodyBytesMax }: AwsService): Promise<Buffer> {
  if (bodyBytesMax === undefined) return Buffer.alloc(0);
  const body = await readBody(message, bodyBytesMax);
  if (body) return body;
  throw new Refusal("body-too-large", `The request's body is larger than ${bodyBytesMax} bytes.`);
}

function respondError(
  error: unknown,
  wireFormat: WireFormat,
  { id, path, response }: { id: string; path: string; response: ServerResponse },
  log: Log,
): void {
  if (response.destroyed) return; // The client has disconnected.
  if (response.headersSent) {
    log(`aws: a response was interrupted: ${describe(error)}`);
    response.destroy();
    return;
  }
  wireFormat.writeError(response, toAwsError(error, wireFormat, log), { id, path });
}

function toAwsError(error: unknown, wireFormat: WireFormat, log: Log): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof Refusal) {
    const { code, status } = wireFormat.refusals[error.reason];
    return new AwsError(code, status, error.message);
  }
  log(`aws: ${describe(error)}`);
  const { code, status } = wireFormat.internalError;
  return new AwsError(code, status, "The local cloud failed. See its log for the reason.");
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
