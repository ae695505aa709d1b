import type { ServerResponse } from "node:http";
import { AwsError, type RefusalReason } from "./aws-error.ts";
import type { Access, AwsRequest, AwsService, WireFormat } from "./aws-service.ts";

/**
 * Errors of the services that use AWS JSON (DynamoDB, Secrets Manager, SQS). Refused requests get status 400, except bodies that are too
 * large (413); see "Error handling with DynamoDB" and "Common error types".
 */
export const jsonWireFormat: WireFormat = {
  refusals: {
    unsigned: { code: "MissingAuthenticationTokenException", status: 400 },
    "malformed-signature": { code: "IncompleteSignatureException", status: 400 },
    "unknown-key": { code: "UnrecognizedClientException", status: 400 },
    "wrong-signature": { code: "InvalidSignatureException", status: 400 },
    "wrong-payload-hash": { code: "InvalidSignatureException", status: 400 },
    expired: { code: "InvalidSignatureException", status: 400 },
    "clock-skew": { code: "InvalidSignatureException", status: 400 },
    "unsigned-headers": { code: "InvalidSignatureException", status: 400 },
    "access-denied": { code: "AccessDeniedException", status: 400 },
    "body-too-large": { code: "RequestEntityTooLargeException", status: 413 },
  },
  internalError: { code: "InternalServerError", status: 500 },
  writeError(response, error, request) {
    writeJson(response, error.status, request.id, { __type: error.code, message: error.message });
  },
};

/** Returns the refusals with status 403, except for the given reasons; see "Common error types" of each service. */
export function forbidding(...exceptions: readonly RefusalReason[]): WireFormat["refusals"] {
  const refusals = { ...jsonWireFormat.refusals };
  for (const reason of Object.keys(refusals) as RefusalReason[]) {
    if (!exceptions.includes(reason)) refusals[reason] = { ...refusals[reason], status: 403 };
  }
  return refusals;
}

/** Parses the service prefix and the operation from `X-Amz-Target: <service>_<version>.<Operation>`. */
export function jsonTarget(request: AwsRequest): { prefix: string; operation: string } {
  const [prefix = "", operation = ""] = String(request.headers["x-amz-target"] ?? "").split(".");
  return { prefix, operation };
}

/** Creates the error for an operation that the local cloud does not emulate. */
export function unknownOperation({ prefix, operation }: ReturnType<typeof jsonTarget>): AwsError {
  return new AwsError("UnknownOperationException", 400, `${prefix}.${operation} is not emulated.`);
}

/** Parses the body of a request. Throws SerializationException if the body is not a JSON object. */
export function parseJsonInput(request: AwsRequest): Record<string, unknown> {
  const input = parseJsonObject(request.body.toString("utf8"));
  if (input) return input;
  throw new AwsError("SerializationException", 400, "The request's body is not a JSON object.");
}

/** Parses a JSON object. Returns undefined for other JSON and for invalid JSON. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Sends a response in AWS JSON. */
export function writeJson(
  response: ServerResponse,
  status: number,
  requestId: string,
  output: unknown,
): void {
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.0",
    "x-amzn-requestid": requestId,
  });
  response.end(JSON.stringify(output));
}

/** Definition of a service that uses AWS JSON. */
interface JsonService extends Pick<AwsService, "bodyBytesMax" | "signingName"> {
  /** Service prefix in `X-Amz-Target`. */
  readonly targetPrefix: string;
  readonly operations: Readonly<Record<string, (input: JsonInput) => object>>;
  /** Returns the accesses that an operation requires. */
  readonly accessesOf: (operation: string, input: JsonInput) => readonly Access[];
}

/** The parsed body of a request. */
export type JsonInput = Readonly<Record<string, unknown>>;

/** Creates a service that uses AWS JSON. It refuses operations that its definition does not contain. */
export function createJsonService(service: JsonService): AwsService {
  const { targetPrefix, operations, accessesOf, ...others } = service;
  return {
    ...others,
    wireFormat: jsonWireFormat,
    async handle(request, response) {
      const target = jsonTarget(request);
      const operation = target.prefix === targetPrefix ? operations[target.operation] : undefined;
      if (operation === undefined) throw unknownOperation(target);
      const input = parseJsonInput(request);
      for (const access of accessesOf(target.operation, input)) request.authorize(access);
      writeJson(response, 200, request.id, operation(input));
    },
  };
}
