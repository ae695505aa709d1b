import { createServer } from "node:net";

const portMax = 65_534;

/** A free loopback port whose successor is free too: the local identity provider takes that one. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = await listenBriefly(0);
    if (port <= portMax && (await listenBriefly(port + 1).catch(() => undefined)) !== undefined) return port;
  }
}

function listenBriefly(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
