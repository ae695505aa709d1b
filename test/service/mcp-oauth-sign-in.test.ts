import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { pageOf } from "../support/accounts.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { fetchAsTest } from "../support/mcp-client.ts";
import { callback, decide, locationOf, openConsent } from "../support/oauth.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";

const clientInfo = { name: "dropleaf-test", version: "1" };
const page = { title: "By OAuth", html: pageOf("by OAuth") };

/** Stores a client's sign-in state and the URL to which the client sends its user. */
class Keeper {
  readonly redirectUrl = callback;
  readonly clientMetadata = {
    client_name: "An SDK",
    redirect_uris: [callback],
    token_endpoint_auth_method: "none",
  };
  readonly #kept = new Map<string, unknown>();
  sentTo: URL | undefined;

  readonly clientInformation = () => this.#kept.get("client") as never;
  readonly saveClientInformation = (client: unknown) => void this.#kept.set("client", client);
  readonly tokens = () => this.#kept.get("tokens") as never;
  readonly saveTokens = (tokens: unknown) => void this.#kept.set("tokens", tokens);
  readonly discoveryState = () => this.#kept.get("discovery") as never;
  readonly saveDiscoveryState = (state: unknown) => void this.#kept.set("discovery", state);
  readonly codeVerifier = () => String(this.#kept.get("verifier"));
  readonly saveCodeVerifier = (verifier: string) => void this.#kept.set("verifier", verifier);
  readonly redirectToAuthorization = (url: URL) => {
    this.sentTo = url;
  };
}

/** Signs in as the user whom the client sent to the service, and allows access. Returns the parameters of the callback. */
async function signInAt({ sentTo }: Keeper): Promise<URLSearchParams> {
  const visitor = new Visitor();
  const asked = await openConsent(sentTo ?? new URL(baseUrl()), unusedUsername("mcp-oauth"), visitor);
  return locationOf(await decide(visitor, asked, "allow")).searchParams;
}

async function connectCurrent(authProvider: OAuthClientProvider) {
  const transport = new StreamableHTTPClientTransport(address(), { authProvider, fetch: fetchAsTest });
  const client = new Client(clientInfo, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  const finish = (parameters: URLSearchParams) => transport.finishAuth(parameters);
  return { finish, publish: () => client.callTool({ name: "publish_drop", arguments: page }) };
}

async function connectEarlier(authProvider: OAuthClientProvider) {
  const transport = new EarlierTransport(address(), { authProvider, fetch: fetchAsTest });
  const client = new EarlierClient(clientInfo);
  await client.connect(transport);
  const finish = (parameters: URLSearchParams) => transport.finishAuth(parameters.get("code") ?? "");
  return { finish, publish: () => client.callTool({ name: "publish_drop", arguments: page }) };
}

function address(): URL {
  return new URL("/mcp", baseUrl());
}

test.each([
  ["2026-07-28", connectCurrent],
  ["2025-11-25", connectEarlier],
] as const)(
  "the official client of revision %s needs only the address to register, get access and publish",
  async (_revision, connect) => {
    const keeper = new Keeper();
    const agent = await connect(keeper);

    await expect(agent.publish()).rejects.toThrow("Unauthorized");
    await agent.finish(await signInAt(keeper));
    const { structuredContent } = await agent.publish();

    const { raw_url } = structuredContent as { readonly raw_url: string };
    expect((await fetchPage(raw_url)).text).toContain("by OAuth");
  },
);
