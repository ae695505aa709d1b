import { randomBytes } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listen, stopServer } from "@dropleaf/local-cloud/http-server";

/** A running OpenID Connect provider. */
export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** Options of `startIdentityProvider`. */
export interface IdentityProviderOptions {
  /** Port of the provider. 0 means any free port. */
  readonly port: number;
  /** Address of the service. The provider redirects only to the callback of this service. */
  readonly serviceAddress: string;
  readonly log: (line: string) => void;
}

/**
 * Starts an OpenID Connect provider that asks only for a user name. It supports the authorization code flow with PKCE. The subject is
 * derived from the user name, so a person keeps the same account after a restart.
 */
export async function startIdentityProvider(options: IdentityProviderOptions) {
  const { serviceAddress, log } = options;
  const server = createServer();
  const port = await listenOn(server, options.port);
  const address = `http://localhost:${port}`;
  const client = { id: "dropleaf-local", secret: randomBytes(32).toString("base64url") };
  let provider: Promise<RequestListener> | undefined;
  server.on("request", (request, response) => {
    // Loads the provider at the first request, because its library and its key would double the start-up time.
    provider ??= import("./provider.ts").then(({ createProvider }) =>
      createProvider({ address, client, serviceAddress, log }),
    );
    provider.then(
      (listener) => listener(request, response),
      (error: Error) => {
        log(`Identity provider: ${error.stack ?? error.message}`);
        response.writeHead(500).end();
      },
    );
  });
  return {
    /** Address and issuer of the provider, such as `http://localhost:8788`. */
    address,
    client,
    stop: () => stopServer(server, 0),
  };
}

async function listenOn(server: Server, port: number): Promise<number> {
  try {
    await listen(server, port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(
      `Port ${port} is in use. The local identity provider needs the port after the service's. Choose other ports with PORT=<number> npm start.`,
    );
  }
  return (server.address() as AddressInfo).port;
}
