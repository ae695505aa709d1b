import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import type { OriginHandler } from "../cloudfront/origin-fetch.ts";
import { fromRawHeaders, type HttpRequest, type HttpResponse, readBody } from "../http-message.ts";
import type { Template } from "../template.ts";
import { createServerProcess, type ServerProcess } from "./server-process.ts";
import { findServerPrograms, type ProgramSurroundings, type ServerProgram } from "./server-program.ts";

/** The servers of the template, as origins. */
export interface ServerOrigins {
  readonly handler: OriginHandler;
  /** By the name of the program, for tests that look at a process. */
  readonly processes: ReadonlyMap<string, ServerProcess>;
  stop(): Promise<void>;
}

/** Settings of `createServerOrigins`. */
export interface ServerOriginsOptions extends ProgramSurroundings {
  readonly template: Template;
  readonly log: (line: string) => void;
}

/** An answer of the server is small: the contract's JSON. */
const answerBytesMax = 6 * 1024 * 1024;

/** "HTTP requests and responses" of Web Functions: headers that Lambda removes. */
const removedHeaders =
  /^(connection|keep-alive|upgrade|expect|te|trailer|proxy-.*|x-real-ip|x-http-method-override|x-http-method|x-method-override|lambda-web-.*)$/i;

/** Prepares every server of the template; a process starts with the first request for its host. */
export async function createServerOrigins(options: ServerOriginsOptions): Promise<ServerOrigins> {
  const { template, log } = options;
  const programs = await findServerPrograms(template, options);
  const agent = new Agent({ keepAlive: true });
  const servers = new Map(
    programs.map((program) => [program.domainName, { program, process: createServerProcess(program, log) }]),
  );
  return {
    handler(request, origin) {
      const server = servers.get(origin.domainName);
      return server && forward(request, server.program, server.process, agent);
    },
    processes: new Map([...servers.values()].map(({ program, process }) => [program.name, process])),
    async stop() {
      agent.destroy();
      await Promise.all([...servers.values()].map(({ process }) => process.stop()));
    },
  };
}

/** Passes a body on as it comes; the server may answer before it has all of it. */
async function forward(
  request: HttpRequest,
  program: ServerProgram,
  process: ServerProcess,
  agent: Agent,
): Promise<HttpResponse> {
  const port = await process.port();
  const { method, path, query, headers, body } = request;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpRequest({
      agent,
      host: "127.0.0.1",
      port,
      method,
      path: query === undefined ? path : `${path}?${query}`,
      headers: headers.filter(([name]) => !removedHeaders.test(name)).flat() as never,
      timeout: program.timeoutSeconds * 1000,
    });
    outgoing.once("response", resolve);
    outgoing.once("error", (error) => {
      body.unpipe(outgoing);
      reject(error);
    });
    outgoing.once("timeout", () => outgoing.destroy(new Error(`${program.name} did not answer in time`)));
    // A viewer that goes away takes its request along, so that the server sees the body cut off.
    body.once("error", () => outgoing.destroy());
    body.pipe(outgoing);
  });
  const bytes = await readBody(answer, answerBytesMax);
  if (bytes === undefined) throw new Error(`${program.name} answered more than ${answerBytesMax} bytes`);
  return {
    statusCode: answer.statusCode ?? 502,
    headers: fromRawHeaders(answer.rawHeaders),
    body: bytes,
    answeredBy: program.name,
  };
}
