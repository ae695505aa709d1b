import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { baseUrl, fetchPage } from "./http.ts";
import type { revisions } from "./mcp-client.ts";
import { callback, decide, locationOf, openConsent } from "./oauth.ts";
import { Visitor } from "./visitor.ts";

/** Data that an SDK client stores. */
interface KeptByClient {
  /** The client's id: a registered one, or the address of its metadata. */
  readonly clientId: () => string | undefined;
  /** The address that the client sends its user to. */
  readonly asked: () => URL;
}

type Provider = OAuthClientProvider & KeptByClient;

/**
 * Connects an SDK client of either generation, given only the MCP server's address. Its first call of a tool that
 * needs an account opens the consent page, where the user signs in and allows access.
 *
 * @param metadataUrl address of the client's metadata. @default - the client registers itself
 */
export async function connectByAddress(
  revision: (typeof revisions)[number],
  username: string,
  metadataUrl?: string,
) {
  const provider = clientProvider(metadataUrl);
  const first = await open(revision, provider);
  const refused = await first.client.callTool({ name: "whoami" }).catch((error: unknown) => error);
  const visitor = new Visitor();
  const page = await openConsent(provider.asked(), username, visitor);
  const back = locationOf(await decide(visitor, page, "allow"));
  await first.finish(back.searchParams);
  const { client } = await open(revision, provider);
  return { client, refused, clientId: provider.clientId() };
}

async function open(revision: (typeof revisions)[number], authProvider: Provider) {
  const address = new URL("/mcp", baseUrl());
  const info = { name: "dropleaf-test", version: "1" };
  if (revision === "2026-07-28") {
    const client = new Client(info, { versionNegotiation: { mode: { pin: revision } } });
    const transport = new StreamableHTTPClientTransport(address, { fetch: fetchAsTest, authProvider });
    await client.connect(transport);
    return { client, finish: (back: URLSearchParams) => transport.finishAuth(back) };
  }
  const client = new EarlierClient(info);
  const transport = new EarlierTransport(address, {
    fetch: fetchAsTest,
    authProvider: authProvider as never,
  });
  await client.connect(transport);
  return { client, finish: (back: URLSearchParams) => transport.finishAuth(back.get("code") ?? "") };
}

function clientProvider(clientMetadataUrl: string | undefined): Provider {
  const kept: Record<string, unknown> = {};
  return {
    redirectUrl: callback,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: { client_name: "A client of the SDK", redirect_uris: [callback] },
    state: () => "a state of its own",
    clientInformation: () => kept.information as never,
    saveClientInformation: (information) => void Object.assign(kept, { information }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (asked) => void Object.assign(kept, { asked }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier as string,
    saveDiscoveryState: (state: unknown) => void Object.assign(kept, { state }),
    discoveryState: () => kept.state as never,
    clientId: () => (kept.information as { readonly client_id?: string } | undefined)?.client_id,
    asked: () => {
      if (kept.asked instanceof URL) return kept.asked;
      throw new Error("The client has not asked anybody to be let in.");
    },
  };
}

/** Sends requests from the test file's own address, as all other requests of the tests. */
async function fetchAsTest(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { status, headers, bytes } = await fetchPage(address, {
    method: init.method ?? "GET",
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(init.body === undefined || init.body === null ? {} : { body: String(init.body) }),
  });
  return new Response(bytes.byteLength === 0 ? null : new Uint8Array(bytes), { status, headers });
}
