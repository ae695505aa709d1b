import type { ServerResponse } from "node:http";
import { TooManyRequestsError } from "../../lambda/concurrency.ts";
import { type LambdaService, PayloadTooLargeError, payloadBytesMax } from "../../lambda/lambda-service.ts";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest, AwsService, WireFormat } from "../aws-service.ts";
import { jsonWireFormat } from "../json-protocol.ts";

/** What functions of the template are called by. */
export type InvokedFunctions = Pick<LambdaService, "functionNames" | "invoke">;

/** AWS Lambda's API: Invoke, synchronous. */
export interface LambdaApiService extends AwsService {
  /** From now on, invocations reach these functions. */
  connectFunctions(functions: InvokedFunctions): void;
}

const functionArnPrefix = "arn:aws:lambda:us-east-1:000000000000:function:";

/** Serves the API for the functions that are connected to it. */
export function createLambdaApiService(): LambdaApiService {
  let functions: InvokedFunctions | undefined;
  return {
    signingName: "lambda",
    wireFormat,
    // A larger one is refused by what it is too large for.
    bodyBytesMax: 2 * payloadBytesMax,
    connectFunctions(connected) {
      functions = connected;
    },
    async handle(request, response) {
      const functionName = functionToInvoke(request);
      const resourceArn = `${functionArnPrefix}${functionName}`;
      request.authorize({ action: "lambda:InvokeFunction", resourceArn });
      if (!functions?.functionNames.includes(functionName)) {
        throw new AwsError("ResourceNotFoundException", 404, `Function not found: ${resourceArn}`);
      }
      const { payload, isFunctionError } = await invoke(functions, functionName, eventOf(request));
      response.writeHead(200, {
        "content-type": "application/json",
        "x-amz-executed-version": "$LATEST",
        "x-amzn-requestid": request.id,
        ...(isFunctionError ? { "x-amz-function-error": "Unhandled" } : {}),
      });
      response.end(payload);
    },
  };
}

/** "Invoke": the function by its name or its ARN. */
function functionToInvoke({ method, path, headers, query }: AwsRequest): string {
  const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path) ?? [];
  if (method !== "POST" || name === undefined) throw notEmulated(`${method} ${path}`);
  const type = headers["x-amz-invocation-type"] ?? "RequestResponse";
  if (type !== "RequestResponse") throw notEmulated(`The invocation type ${type}`);
  if (query.has("Qualifier")) throw notEmulated("A version or an alias");
  return decodeURIComponent(name).replace(functionArnPrefix, "");
}

function notEmulated(what: string): AwsError {
  return new AwsError("NotImplemented", 501, `${what} is not emulated: only Invoke, synchronous, is.`);
}

/** Without a body the event is an empty object. */
function eventOf({ body }: AwsRequest): string {
  const event = body.byteLength === 0 ? "{}" : body.toString("utf8");
  try {
    JSON.parse(event);
    return event;
  } catch {
    throw new AwsError("InvalidRequestContentException", 400, "Could not parse request body into json.");
  }
}

async function invoke(functions: InvokedFunctions, name: string, event: string) {
  try {
    return await functions.invoke(name, event);
  } catch (error) {
    if (error instanceof TooManyRequestsError) {
      throw new AwsError("TooManyRequestsException", 429, error.message);
    }
    if (error instanceof PayloadTooLargeError) {
      throw new AwsError("RequestTooLargeException", 413, error.message);
    }
    throw error;
  }
}

/** "Common error types" of the API reference: refusals are 403, and their code is in a header. */
const wireFormat: WireFormat = {
  refusals: {
    ...Object.fromEntries(
      Object.entries(jsonWireFormat.refusals).map(([reason, refusal]) => [
        reason,
        { ...refusal, status: 403 },
      ]),
    ),
    "body-too-large": { code: "RequestTooLargeException", status: 413 },
  } as WireFormat["refusals"],
  internalError: { code: "ServiceException", status: 500 },
  writeError(response: ServerResponse, { code, status, message }, { id }) {
    response.writeHead(status, {
      "content-type": "application/json",
      "x-amzn-errortype": code,
      "x-amzn-requestid": id,
    });
    response.end(JSON.stringify({ Type: status < 500 ? "User" : "Service", message }));
  },
};
