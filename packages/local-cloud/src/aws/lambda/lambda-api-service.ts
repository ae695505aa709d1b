import type { ServerResponse } from "node:http";
import { TooManyRequestsError } from "../../lambda/concurrency.ts";
import {
  type LambdaService,
  PayloadTooLargeError,
  payloadBytesMax,
  TenantError,
} from "../../lambda/lambda-service.ts";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest, WireFormat } from "../aws-service.ts";
import { forbidding } from "../json-protocol.ts";

/** Calls functions of the template. */
export interface InvokedFunctions extends Pick<LambdaService, "functionNames" | "invoke" | "requireTenant"> {
  /** Stores the event, and invokes the function asynchronously. */
  invokeLater(functionName: string, event: string, tenantId: string | undefined): void;
}

/** Maximum payload of an asynchronous invocation; see "Lambda quotas". */
const laterPayloadBytesMax = 1_048_576;

/** Length and alphabet of a tenant id; see `TenantId` in "Invoke", AWS Lambda API reference. */
const tenantIdPattern = /^[a-zA-Z0-9._:/=+\-@ ]{1,256}$/;

const functionArnPrefix = "arn:aws:lambda:us-east-1:000000000000:function:";

/** Serves Lambda's Invoke operation, synchronous and asynchronous, for the connected functions. */
export function createLambdaApiService() {
  let functions: InvokedFunctions | undefined;
  return {
    signingName: "lambda",
    wireFormat,
    // The endpoint accepts larger bodies than Lambda, so that an event above Lambda's limit is refused with Lambda's error.
    bodyBytesMax: 2 * payloadBytesMax,
    /** Sets the functions that Invoke can call. */
    connectFunctions(connected: InvokedFunctions): void {
      functions = connected;
    },
    async handle(request: AwsRequest, response: ServerResponse): Promise<void> {
      const functionName = functionToInvoke(request);
      const resourceArn = `${functionArnPrefix}${functionName}`;
      request.authorize({ action: "lambda:InvokeFunction", resourceArn });
      if (!functions?.functionNames.includes(functionName)) {
        throw new AwsError("ResourceNotFoundException", 404, `Function not found: ${resourceArn}`);
      }
      const tenantId = tenantOf(request);
      const event = eventOf(request);
      try {
        if (request.headers["x-amz-invocation-type"] === "Event") {
          functions.requireTenant(functionName, tenantId);
          if (Buffer.byteLength(event) > laterPayloadBytesMax)
            throw new PayloadTooLargeError(laterPayloadBytesMax);
          functions.invokeLater(functionName, event, tenantId);
          response.writeHead(202, { "x-amzn-requestid": request.id }).end();
          return;
        }
        const { payload, isFunctionError } = await functions.invoke(functionName, event, tenantId);
        response.writeHead(200, {
          "content-type": "application/json",
          "x-amz-executed-version": "$LATEST",
          "x-amzn-requestid": request.id,
          ...(isFunctionError ? { "x-amz-function-error": "Unhandled" } : {}),
        });
        response.end(payload);
      } catch (error) {
        throw refusalOf(error);
      }
    },
  };
}

/** Returns the name of the function to invoke, from the name or ARN in the path; see "Invoke". */
function functionToInvoke({ method, path, headers, query }: AwsRequest): string {
  const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path) ?? [];
  if (method !== "POST" || name === undefined) throw notEmulated(`${method} ${path}`);
  const type = headers["x-amz-invocation-type"] ?? "RequestResponse";
  if (type !== "RequestResponse" && type !== "Event") throw notEmulated(`The invocation type ${type}`);
  if (query.has("Qualifier")) throw notEmulated("The parameter Qualifier (a version or an alias)");
  return decodeURIComponent(name).replace(functionArnPrefix, "");
}

function tenantOf({ headers }: AwsRequest): string | undefined {
  const tenantId = headers["x-amz-tenant-id"];
  if (tenantId === undefined) return undefined;
  if (tenantIdPattern.test(String(tenantId))) return String(tenantId);
  throw new AwsError("InvalidParameterValueException", 400, "The tenant ID has an invalid form.");
}

function notEmulated(what: string): AwsError {
  return new AwsError("NotImplemented", 501, `${what} is not emulated. Only Invoke is emulated.`);
}

/** Returns the event in a request's body. An empty body is read as an empty object. */
function eventOf({ body }: AwsRequest): string {
  const event = body.byteLength === 0 ? "{}" : body.toString("utf8");
  try {
    JSON.parse(event);
    return event;
  } catch {
    throw new AwsError("InvalidRequestContentException", 400, "Could not parse request body into json.");
  }
}

/** Converts a refused invocation's error to an error of the Lambda API. Returns other errors unchanged. */
function refusalOf(error: unknown): unknown {
  if (error instanceof TooManyRequestsError) return new AwsError(error.name, 429, error.message);
  if (error instanceof PayloadTooLargeError)
    return new AwsError("RequestTooLargeException", 413, error.message);
  return error instanceof TenantError ? new AwsError(error.name, 400, error.message) : error;
}

/** Errors of the Lambda API. Refusals have status 403, with the error code in a header; see "Common error types", AWS Lambda API reference. */
const wireFormat: WireFormat = {
  refusals: { ...forbidding(), "body-too-large": { code: "RequestTooLargeException", status: 413 } },
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
