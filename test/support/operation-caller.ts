import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { edgeHeaders, environmentNames, readEnvironment } from "../../functions/core/environment.ts";
import { type OperationId, routeOf } from "../../functions/routes.ts";
import { handlerSource } from "../../lib/bundle/function-source.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import type { CookieJar } from "./cookie-jar.ts";

/** A request to an operation, without the values that its route determines. */
export interface OperationCall {
  /** One of the route's other methods. @default - the route's method */
  readonly method?: string;
  /** The values of `{slug}`, `{id}` and `{n}` in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  /** An object is sent as JSON, a string or bytes unchanged. */
  readonly body?: object | string | Uint8Array;
  /** Browser whose cookies are sent and updated. @default - none */
  readonly browser?: CookieJar;
  /** @default - the service's own */
  readonly host?: string;
  /** @default - the success status of the operation's route */
  readonly expectedStatus?: number;
}

/** Response of a function. */
export interface OperationResponse {
  readonly status: number;
  readonly text: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a call. The variant names the case, and is empty for the usual one. */
export type Walk = (id: OperationId, variant: string, call?: OperationCall) => Promise<OperationResponse>;

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

const functionMsMax = 28_000;

/**
 * Calls an operation's Lambda handler in this process, as API Gateway does. The stack's environment must be set.
 *
 * @throws Error with the whole response when its status is unexpected
 */
export async function callOperation(id: OperationId, call: OperationCall): Promise<OperationResponse> {
  return expectStatus(id, call, await askOperation(id, call));
}

function expectStatus(id: OperationId, call: OperationCall, response: OperationResponse): OperationResponse {
  const { expectedStatus = routeOf(id).response.status } = call;
  if (response.status === expectedStatus) return response;
  throw new Error(`${id} answered ${response.status}, not ${expectedStatus}: ${response.text.slice(0, 500)}`);
}

/** Calls an operation as `callOperation` does, and accepts any status. */
export async function askOperation(
  id: OperationId,
  call: OperationCall,
  remainingMs = functionMsMax,
): Promise<OperationResponse> {
  const { file, exportName } = handlerSource(id);
  const module = (await import(resolve(projectDirectory, file))) as Record<string, Handler>;
  const handler = module[exportName];
  if (handler === undefined) throw new Error(`${file} exports no ${exportName}.`);
  const result = await handler(toEvent(id, call), {
    getRemainingTimeInMillis: () => remainingMs,
  } as Context);
  return readResult(call, result);
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

function readResult(call: OperationCall, result: APIGatewayProxyResult): OperationResponse {
  const bytes = Buffer.from(result.body, result.isBase64Encoded ? "base64" : "utf8");
  const decode = decoders[result.headers?.["content-encoding"] as keyof typeof decoders];
  const text = (decode ? decode(bytes) : bytes).toString();
  call.browser?.store(addressOf(call), (result.multiValueHeaders?.["set-cookie"] ?? []).map(String));
  const { statusCode: status, headers = {} } = result;
  return { status, text, headers: headers as Record<string, string> };
}

/** Makes a call that is not measured. */
export const callUnmeasured: Walk = (id, _variant, call = {}) => callOperation(id, call);

function addressOf({ host }: OperationCall): URL {
  const address = new URL(readEnvironment(environmentNames.baseUrl));
  if (host !== undefined) address.host = host;
  return address;
}

/** Builds the event of a REST API's proxy integration, with the fields that the functions read. */
export function toEvent(id: OperationId, call: OperationCall): APIGatewayProxyEvent {
  const { method, path } = { ...routeOf(id), ...(call.method === undefined ? {} : { method: call.method }) };
  const { params = {}, query = {}, token, body, browser } = call;
  const isWritten = typeof body === "object" && !(body instanceof Uint8Array);
  const sent = isWritten ? JSON.stringify(body) : body || undefined;
  const address = addressOf(call);
  const cookie = browser?.headerFor(address);
  const headers: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(cookie === undefined ? {} : { cookie }),
    [edgeHeaders.host]: address.host,
    [edgeHeaders.query]: new URLSearchParams(query).toString(),
    [edgeHeaders.address]: "192.0.2.1",
    ...call.headers,
  };
  return {
    httpMethod: method,
    resource: path,
    path: path.replace(/\{(\w+)\+?\}/g, (_, name: string) => params[name] ?? name),
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    pathParameters: params,
    body: sent === undefined ? null : Buffer.from(sent).toString("base64"),
    isBase64Encoded: sent !== undefined,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: "192.0.2.1" } },
  } as unknown as APIGatewayProxyEvent;
}
