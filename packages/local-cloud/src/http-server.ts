import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import { finished, pipeline } from "node:stream/promises";
import { fromRawHeaders, type HttpRequest, type HttpResponse, splitTarget } from "./http-message.ts";

/** A listening server with one handler. */
export interface RunningServer {
  readonly port: number;
  /** Stops the server like `stopServer`. The default grace period is 10 seconds. */
  stop(graceSeconds?: number): Promise<void>;
}

/** Port and handler of a server. */
export interface HttpServerOptions {
  /** Port to listen on. 0 selects any free port. */
  readonly port: number;
  readonly handle: (request: HttpRequest) => Promise<HttpResponse>;
  /** Called with errors of `handle`. The client receives a 500 response. */
  readonly onError: (error: unknown) => void;
}

/** Maximum header size. It exceeds the emulators' limits, so that the client receives an emulator's own error. */
const maxHeaderBytes = 96 * 1024;
const keepAliveMs = 65_000;

/** Serves HTTP/1.1 with keep-alive. Rejects if the port is taken. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: keepAliveMs },
    (request, response) => {
      void serve(options, request, response);
    },
  );
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  });
  await listen(server, options.port);
  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceSeconds = 10) => stopServer(server, graceSeconds),
  };
}

/** Resolves when the server listens on the loopback address. Rejects if the port is taken. */
export function listen(server: NetServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

/** Refuses new connections, waits for running requests up to `graceSeconds`, then closes the remaining connections. */
export function stopServer(server: Server, graceSeconds: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
    // A connection whose last request ends while the server stops would otherwise stay open for another request.
    const closeIdle = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(closeIdle);
      resolve();
    });
  });
}

async function serve(
  options: HttpServerOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const response = await options.handle(toRequest(incoming));
    // The response is lost if the connection closes while the request's body is still arriving (RFC 9112, section 9.6).
    if (!outgoing.shouldKeepAlive) await finished(incoming.resume());
    await send(incoming, outgoing, response);
  } catch (error) {
    if (incoming.socket.destroyed) return;
    options.onError(error);
    if (outgoing.headersSent) outgoing.destroy();
    else
      outgoing
        .writeHead(500, { "content-type": "text/plain" })
        .end("The local cloud failed. See its log for the reason.\n");
  } finally {
    // A response may be sent before the body was read. Draining the body keeps the connection usable.
    incoming.resume();
  }
}

function toRequest(incoming: IncomingMessage): HttpRequest {
  return {
    method: incoming.method ?? "GET",
    ...splitTarget(incoming.url ?? "/"),
    headers: fromRawHeaders(incoming.rawHeaders),
    body: incoming,
    peer: {
      address: (incoming.socket.remoteAddress ?? "127.0.0.1").replace(/^::ffff:/, ""),
      port: incoming.socket.remotePort ?? 0,
    },
  };
}

async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: HttpResponse,
): Promise<void> {
  outgoing.sendDate = false;
  outgoing.writeHead(response.statusCode, response.headers.flat());
  if (incoming.method === "HEAD" || response.statusCode === 204 || response.statusCode === 304) {
    outgoing.end();
    if (!Buffer.isBuffer(response.body)) response.body.destroy();
    return;
  }
  if (Buffer.isBuffer(response.body)) outgoing.end(response.body);
  else await pipeline(response.body, outgoing);
}
