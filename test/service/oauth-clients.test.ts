import { describe, expect, test } from "vitest";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import {
  decide,
  discover,
  locationOf,
  openConsent,
  registerClient,
  sendTo,
  startAuthorization,
} from "../support/oauth.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

/** The requests of a published client, from its source or documentation. */
interface RecordedClient {
  readonly name: string;
  /** A public page or file that records the requests. */
  readonly source: string;
  readonly registration: Readonly<Record<string, string | string[]>>;
  /** Redirect URI of the authorization request. */
  readonly redirectUri: string;
  /** Name or host that the consent page shows as the receiver. */
  readonly receiver: string;
}

const publicClient = {
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

const cursorRedirectUris = [
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "https://www.cursor.com/agents/mcp/oauth/callback",
  "http://localhost:8787/callback",
];

const vscode = {
  ...publicClient,
  client_name: "Visual Studio Code",
  client_uri: "https://code.visualstudio.com",
  redirect_uris: [
    "https://insiders.vscode.dev/redirect",
    "https://vscode.dev/redirect",
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
  ],
  application_type: "native",
};

const recordedClients: readonly RecordedClient[] = [
  {
    name: "Cursor, by its private-use scheme",
    source: "github.com/erp-mafia/accounted/pull/2225",
    registration: { ...publicClient, client_name: "Cursor", redirect_uris: cursorRedirectUris },
    redirectUri: "cursor://anysphere.cursor-mcp/oauth/callback",
    receiver: "Cursor",
  },
  {
    name: "Cursor, by loopback",
    source: "cursor.com/docs/mcp",
    registration: { ...publicClient, client_name: "Cursor", redirect_uris: cursorRedirectUris },
    redirectUri: "http://localhost:8787/callback",
    receiver: "localhost:8787",
  },
  {
    name: "Grok Bot",
    source: "github.com/cursor/plugins/pull/461",
    registration: {
      ...publicClient,
      client_name: "Grok Bot",
      redirect_uris: [
        ...cursorRedirectUris,
        "https://www.cursor.com/bot/mcp/oauth/callback",
        "grokbot://mcp/oauth/callback",
      ],
    },
    redirectUri: "grokbot://mcp/oauth/callback",
    receiver: "Grok Bot",
  },
  {
    name: "VS Code, by loopback",
    source: "github.com/microsoft/vscode, src/vs/base/common/oauth.ts",
    registration: vscode,
    redirectUri: "http://127.0.0.1:33418/",
    receiver: "127.0.0.1:33418",
  },
  {
    name: "VS Code, in a browser",
    source: "github.com/microsoft/vscode, src/vs/base/common/oauth.ts",
    registration: vscode,
    redirectUri: "https://vscode.dev/redirect",
    receiver: "vscode.dev",
  },
  {
    name: "Claude",
    source: "support.claude.com, “Building custom connectors via remote MCP servers”",
    registration: {
      ...publicClient,
      client_name: "Claude",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
    },
    redirectUri: "https://claude.ai/api/mcp/auth_callback",
    receiver: "claude.ai",
  },
  {
    name: "Claude Code, with a port it chooses",
    source: "github.com/anthropics/claude-code/issues/66511",
    registration: {
      ...publicClient,
      client_name: "Claude Code (dropleaf)",
      redirect_uris: ["http://localhost:3118/callback"],
    },
    redirectUri: "http://localhost:54545/callback",
    receiver: "localhost:54545",
  },
  {
    name: "ChatGPT, with its stable address",
    source: "developers.openai.com/apps-sdk/build/auth",
    registration: {
      ...publicClient,
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    },
    redirectUri: "https://chatgpt.com/connector_platform_oauth_redirect",
    receiver: "chatgpt.com",
  },
  {
    name: "ChatGPT, with an address for one connector",
    source: "github.com/BasedHardware/omi/issues/8824",
    registration: {
      ...publicClient,
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector/oauth/OUbdUMlL15Ct"],
    },
    redirectUri: "https://chatgpt.com/connector/oauth/OUbdUMlL15Ct",
    receiver: "chatgpt.com",
  },
  {
    name: "Codex",
    source: "github.com/openai/codex, codex-rs/rmcp-client/src/perform_oauth_login.rs",
    registration: {
      ...publicClient,
      client_name: "Codex",
      redirect_uris: ["http://127.0.0.1:51234/callback/zHu_pcZxCCTJ"],
      scope: "",
    },
    redirectUri: "http://127.0.0.1:51234/callback/zHu_pcZxCCTJ",
    receiver: "127.0.0.1:51234",
  },
  {
    name: "Gemini CLI",
    source: "github.com/google-gemini/gemini-cli, packages/core/src/mcp/oauth-provider.ts",
    registration: {
      ...publicClient,
      client_name: "Gemini CLI MCP Client",
      redirect_uris: ["http://localhost:7777/oauth/callback"],
      scope: "",
    },
    redirectUri: "http://localhost:7777/oauth/callback",
    receiver: "localhost:7777",
  },
  {
    name: "goose",
    source: "github.com/block/goose, crates/goose/src/oauth/mod.rs",
    registration: {
      ...publicClient,
      client_name: "goose",
      redirect_uris: ["http://127.0.0.1:40123/oauth_callback"],
    },
    redirectUri: "http://127.0.0.1:40123/oauth_callback",
    receiver: "127.0.0.1:40123",
  },
];

describe("a published client", () => {
  test.each(recordedClients.map((client) => [client.name, client] as const))(
    "%s registers, is authorized, gets tokens and calls a tool",
    async (_name, { registration, redirectUri, receiver }) => {
      const visitor = new Visitor();
      const client = await registerClient(await discover(), registration);
      const { url, codeVerifier, state } = await startAuthorization(client, {
        redirect_uri: redirectUri,
      });

      const page = await openConsent(url, unusedUsername("oauth-published"), visitor);
      const back = locationOf(await decide(visitor, page, "allow"));
      const { status, json } = await sendTo("token", {
        grant_type: "authorization_code",
        client_id: client.client_id,
        code: back.searchParams.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        resource: `${baseUrl()}/mcp`,
      });

      expect(client.redirect_uris).toEqual(registration.redirect_uris);
      expect(elementsOf(page.response, "dd").map(textOf)).toContain(receiver);
      expect(back.href.split("?")[0]).toBe(redirectUri);
      expect(back.searchParams.get("state")).toBe(state);
      expect(status).toBe(200);
      await (await connectMcp(String(json.access_token))).succeed("whoami");
    },
  );
});

describe("a registration with some unacceptable redirect URIs", () => {
  test("registers the acceptable ones, and lists them in the response", async () => {
    const { status, text } = await register([
      "javascript:alert(1)",
      "https://client.example/callback",
      "cursor://anysphere.cursor-mcp/oauth/callback/elsewhere",
      "https://client.example/callback",
      "http://127.0.0.1:9/callback",
    ]);

    expect(status).toBe(201);
    expect(JSON.parse(text).redirect_uris).toEqual([
      "https://client.example/callback",
      "http://127.0.0.1:9/callback",
    ]);
  });

  test.each([
    ["another path", "cursor://anysphere.cursor-mcp/oauth/callback/"],
    ["another host", "cursor://evil.example/oauth/callback"],
    ["a query", "cursor://anysphere.cursor-mcp/oauth/callback?next=evil"],
    ["an upper-case letter", "Cursor://anysphere.cursor-mcp/oauth/callback"],
    ["a user name", "cursor://evil@anysphere.cursor-mcp/oauth/callback"],
  ])("is refused if its only URI has a known private-use scheme with %s", async (_case, uri) => {
    const { status, text } = await register([uri]);

    expect([status, JSON.parse(text).error]).toEqual([400, "invalid_redirect_uri"]);
    expect(JSON.parse(text).error_description).toContain("redirect_uris[0]");
  });
});

function register(redirectUris: readonly string[]) {
  return fetchPage("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "A test client", redirect_uris: redirectUris }),
  });
}
