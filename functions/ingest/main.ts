import { createIngestServer } from "./server.ts";

/**
 * Address to listen on. A Lambda Web Function gives `host:port` in AWS_LAMBDA_HTTP_ENDPOINT (AWS Lambda developer
 * guide, "Environment variables" of Web Functions); elsewhere it is PORT on all addresses.
 *
 * @throws Error without either
 */
function listenAddress(): { readonly host: string; readonly port: number } {
  const { AWS_LAMBDA_HTTP_ENDPOINT: endpoint, PORT: port = "" } = process.env;
  const [, host = "0.0.0.0", number = port] = /^(.*):(\d+)$/.exec(endpoint ?? "") ?? [];
  if (/^\d+$/.test(number)) return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(number) };
  throw new Error(
    `The ingest server needs AWS_LAMBDA_HTTP_ENDPOINT as host:port, or PORT; it got ${JSON.stringify(endpoint)} and ${JSON.stringify(port)}.`,
  );
}

/** Limit of the wait for running requests: below the 30 s after which a container is killed; a Web Function has a second. */
const stopMsMax = 25_000;

/** The running server. */
export const server = createIngestServer();

server.listen(listenAddress());

process.on("SIGTERM", () => {
  server.close(() => process.exit(0));
  // A connection that becomes idle while the server stops would stay open for another request.
  setInterval(() => server.closeIdleConnections(), 20);
  setTimeout(() => process.exit(0), stopMsMax);
});
