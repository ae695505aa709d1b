import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The endpoint from which a job requests its ID token. */
export interface IdTokens {
  /** Variables of a job with the permission `id-token: write`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Audiences of the requests. */
  readonly audiences: readonly string[];
  stop(): void;
}

/**
 * Starts the endpoint.
 *
 * Source: GitHub Docs, "OpenID Connect reference", "Methods for requesting the OIDC token".
 */
export async function startIdTokens(issue: (audience: string) => Promise<string>): Promise<IdTokens> {
  const secret = "of-the-job";
  const audiences: string[] = [];
  const server = createServer(async ({ headers, url = "" }, response) => {
    const audience = new URL(url, "http://localhost").searchParams.get("audience") ?? "";
    if (headers.authorization !== `Bearer ${secret}`) return response.writeHead(401).end("{}");
    audiences.push(audience);
    const body = JSON.stringify({ value: await issue(audience) });
    return response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret,
    },
    audiences,
    stop: () => server.close(),
  };
}
