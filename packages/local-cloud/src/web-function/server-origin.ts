import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import type { OriginHandler } from "../cloudfront/origin-fetch.ts";
import { fromRawHeaders, type HttpRequest, type HttpResponse, readBody, targetOf } from "../http-message.ts";
import type { FunctionSurroundings } from "../lambda/lambda-function.ts";
import type { Template } from "../template.ts";
import { withinMs } from "../within-ms.ts";
import { createServerProcess, type ServerProcess } from "./server-process.ts";
import { findServerPrograms, type ServerProgram } from "./server-program.ts";
import { createWebFunctionEndpoint, type WebFunctionResponse } from "./web-function-endpoint.ts";

/** The template's servers, as origins of the distribution. */
export type ServerOrigins = ReturnType<typeof createServerOrigins>;

/** Maximum size of a server's response, in bytes. */
const responseBytesMax = 6 * 1024 * 1024;

/** Maximum time that a response waits for Node.js to report that the request body was sent. */
const lastPieceMsMax = 500;

/** Headers that Lambda removes; see "HTTP requests and responses" of Web Functions. */
const removedHeaders =
  /^(connection|keep-alive|upgrade|expect|te|trailer|proxy-.*|x-real-ip|x-http-method-override|x-http-method|x-method-override|lambda-web-.*)$/i;

/** Prepares every server of the template. A server's process starts with the first request for its host. */
export function createServerOrigins(
  options: FunctionSurroundings & { readonly template: Template; readonly log: (line: string) => void },
) {
  const { template, log } = options;
  const programs = findServerPrograms(template, options);
  const agent = new Agent({ keepAlive: true });
  const processes = new Map<string, ServerProcess>();
  const endpoints = new Map<string, (request: HttpRequest) => Promise<HttpResponse>>();
  for (const program of programs) {
    const server = createServerProcess(program, log);
    const send = async (request: HttpRequest) => forward(request, program, await server.port(), agent);
    processes.set(program.name, server);
    endpoints.set(program.domainName, createWebFunctionEndpoint(program, send, log));
  }
  const handler: OriginHandler = (request, origin) => endpoints.get(origin.domainName)?.(request);
  return {
    handler,
    /** Processes by the name of the program, for tests. */
    processes: processes as ReadonlyMap<string, ServerProcess>,
    async stop(): Promise<void> {
      agent.destroy();
      await Promise.all([...processes.values()].map((process) => process.stop()));
    },
  };
}

/** Forwards a request to the server, and passes the body on as it arrives. */
async function forward(
  request: HttpRequest,
  program: ServerProgram,
  port: number,
  agent: Agent,
): Promise<WebFunctionResponse> {
  const { method, headers, body } = request;
  const outgoing = httpRequest({
    agent,
    host: "127.0.0.1",
    port,
    method,
    path: targetOf(request),
    headers: headers.filter(([name]) => !removedHeaders.test(name)).flat() as never,
    timeout: program.timeoutSeconds * 1000,
  });
  const sent = new Promise<true>((resolve) => outgoing.once("finish", () => resolve(true)));
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", (error) => {
      body.unpipe(outgoing);
      reject(error);
    });
    outgoing.once("timeout", () => outgoing.destroy(new Error(`${program.name} did not respond in time`)));
    // The request is aborted if the viewer disconnects, so that the server detects the incomplete body.
    body.once("error", () => outgoing.destroy());
    body.pipe(outgoing);
  });
  const isAfterBody = (await withinMs(lastPieceMsMax, sent)) ?? false;
  const bytes = await readBody(incoming, responseBytesMax);
  if (bytes === undefined)
    throw new Error(`${program.name} responded with more than ${responseBytesMax} bytes`);
  const response = {
    statusCode: incoming.statusCode ?? 502,
    headers: fromRawHeaders(incoming.rawHeaders),
    body: bytes,
    servedBy: program.name,
  };
  return { response, isAfterBody };
}
