import { AwsError } from "../aws-error.ts";
import type { WireFormat } from "../aws-service.ts";
import { forbidding, writeJson } from "../json-protocol.ts";

/** Errors of SQS, in AWS JSON. A header has the code of the older protocol, which the SDK returns as `Code`; see "Common error types". */
export const sqsWireFormat: WireFormat = {
  refusals: forbidding("malformed-signature", "body-too-large"),
  internalError: { code: "InternalFailure", status: 500 },
  writeError(response, { code, status, message, details }, request) {
    const fault = status < 500 ? "Sender" : "Receiver";
    response.setHeader("x-amzn-query-error", `${details.queryCode ?? code};${fault}`);
    const prefix = details.queryCode === undefined ? "com.amazon.coral.service" : "com.amazonaws.sqs";
    writeJson(response, status, request.id, { __type: `${prefix}#${code}`, message });
  },
};

/** Creates an error that the API reference lists for the operation. */
export function sqsError(code: string, message: string, queryCode = code): AwsError {
  return new AwsError(code, 400, message, { queryCode });
}

/** Creates an error whose code in the older protocol begins with the service's name. */
export function simpleQueueServiceError(code: string, message: string): AwsError {
  return sqsError(code, message, `AWS.SimpleQueueService.${code}`);
}

/** Creates the error for a parameter with an invalid value. */
export function invalidParameter(message: string): AwsError {
  return new AwsError("InvalidParameterValueException", 400, message);
}

/** Creates the error for a feature of SQS that the local cloud does not emulate. Unknown features are refused, never ignored. */
export function notEmulated(what: string): AwsError {
  return simpleQueueServiceError("UnsupportedOperation", `${what} is not emulated by the local cloud.`);
}
