import { createIngestServer } from "./server.ts";

/**
 * Address to listen on. In a Lambda Web Function, AWS_LAMBDA_HTTP_ENDPOINT contains `host:port`; see "Environment
 * variables" of Web Functions, AWS Lambda developer guide. Elsewhere, the server listens on PORT on all addresses.
 *
 * @throws Error if both variables are missing
 */
function listenAddress(): { readonly host: string; readonly port: number } {
  const { AWS_LAMBDA_HTTP_ENDPOINT: endpoint, PORT: port = "" } = process.env;
  const [, host = "0.0.0.0", number = port] = /^(.*):(\d+)$/.exec(endpoint ?? "") ?? [];
  if (/^\d+$/.test(number)) return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(number) };
  throw new Error(
    `The ingest server needs AWS_LAMBDA_HTTP_ENDPOINT as host:port, or PORT; it got ${JSON.stringify(endpoint)} and ${JSON.stringify(port)}.`,
  );
}

/** Maximum wait for running requests at shutdown, in milliseconds. A container is killed after 30 s, a Web Function after a second. */
const stopMsMax = 25_000;

/** The running server. */
export const server = createIngestServer();

server.listen(listenAddress());

process.on("SIGTERM", () => {
  server.close(() => process.exit(0));
  // Closes connections that become idle during the shutdown. Otherwise, they would stay open for further requests.
  setInterval(() => server.closeIdleConnections(), 20);
  setTimeout(() => process.exit(0), stopMsMax);
});
