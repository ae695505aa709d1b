import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { listen } from "./http-server.ts";

/** Range of ports to try. It is below the ports of outgoing connections: 32768 and up on Linux, 49152 and up by RFC 6335. */
const portMin = 12_000;
const portMax = 32_000;

/** Finds a random free loopback port that is followed by `count` - 1 free ports. Concurrent searches find different ports. */
export async function findFreePort(count = 1): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    const ports = Array.from({ length: count }, (_, index) => port + index);
    const areFree = await Promise.all(ports.map(isFree));
    if (areFree.every(Boolean)) return port;
  }
}

/** Checks a port on every address of the machine, so that servers on `localhost` are found with IPv4 and IPv6. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/** Rejects with advice if another program listens on the port. */
export async function requireFreePort(port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, port).catch((error: unknown) => {
    throw explainTakenPort(error, port);
  });
  await new Promise((resolve) => probe.close(resolve));
}

/** Replaces EADDRINUSE with an error that gives advice. */
export function explainTakenPort(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  return new Error(
    `Port ${port} is in use. Stop the program that uses it, or choose another port with PORT=<number> npm start.`,
  );
}
