import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { listen } from "./http-server.ts";

/**
 * Below the ports that operating systems use for outgoing connections (32768 and up on Linux, 49152 and up by RFC 6335), which
 * could take a free port before it is used.
 */
const portMin = 12_000;
const portMax = 32_000;

/**
 * Finds a free loopback port that is followed by `count` - 1 free ones, such as for an identity provider. It is a random one, so that processes
 * which search at the same time find different ports.
 */
export async function findFreePort(count = 1): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    const ports = Array.from({ length: count }, (_, index) => port + index);
    const areFree = await Promise.all(ports.map(isFree));
    if (areFree.every(Boolean)) return port;
  }
}

/** On every address of the machine, so that a server on `localhost` counts in either version of IP. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/** Rejects with what to do when something else listens on the port. */
export async function requireFreePort(port: number): Promise<void> {
  const probe = createServer();
  try {
    await listen(probe, port);
  } catch (error) {
    throw explainTakenPort(error, port);
  }
  await new Promise((resolve) => probe.close(resolve));
}

/** Replaces EADDRINUSE by an error that says what to do. */
export function explainTakenPort(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  return new Error(
    `Port ${port} is in use. Stop what uses it, or choose another with PORT=<number> npm start.`,
  );
}
