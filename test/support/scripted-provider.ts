import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Replaces an endpoint's good response: with another response, or any other behaviour. */
export type Misdeed =
  | { readonly status?: number; readonly type?: string; readonly body: string; readonly location?: string }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** The identity provider's responses in one sign-in. */
export interface Script {
  /** @default - a good access token, and an ID token where there are `claims` */
  readonly token?: Misdeed;
  /** Claims of the ID token that override valid ones. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** @default - the profile */
  readonly userinfo?: Misdeed;
  readonly profile?: Readonly<Record<string, unknown>>;
  /** GitHub's list of addresses. @default - an empty list */
  readonly emails?: Misdeed;
  /** GitHub's membership response by organization name. @default - not a member */
  readonly organizations?: Readonly<Record<string, Misdeed>>;
}

/** A scriptable identity provider. The code of a sign-in's callback names its script. */
export interface ScriptedProvider {
  readonly address: string;
  /** People on the authorization page: their names, and the codes of their scripts. */
  readonly people: Map<string, string>;
  /** Response of the key set endpoint. @default - no key set */
  keys: Misdeed | undefined;
  /** Response of the discovery document. @default - a valid document */
  description: Misdeed | undefined;
  /** Stores a script and returns its code. */
  prepare(script: Script): string;
  stop(): Promise<void>;
}

/** Starts a response and never ends it. */
export const hang: Misdeed = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write("{");
};

/** The connection ends without a response. */
export const hangUp: Misdeed = (request) => request.socket.destroy();

/**
 * Starts the provider on a free port.
 *
 * @param prompts the `prompt_values_supported` of its description; Google, Okta and Microsoft Entra ID name none
 */
export async function startScriptedProvider(
  prompts: readonly string[] | undefined = ["none", "login"],
): Promise<ScriptedProvider> {
  const scripts = new Map<string, Script>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider: ScriptedProvider = {
    address,
    people: new Map(),
    keys: undefined,
    description: undefined,
    prepare(script) {
      const code = `script-${scripts.size}`;
      scripts.set(code, script);
      return code;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const scriptOf = ({ headers }: IncomingMessage) =>
    scripts.get((headers.authorization ?? "").replace(/^Bearer /i, ""));
  const endpoints: Readonly<Record<string, (request: IncomingMessage, body: string) => Misdeed>> = {
    "/.well-known/openid-configuration": () => provider.description ?? json(describe(address, prompts)),
    "/keys": () => provider.keys ?? { status: 404, body: "" },
    "/authorize": ({ url = "" }) => chooser(provider.people, new URL(url, address).searchParams),
    "/token": (_request, body) => {
      const form = new URLSearchParams(body);
      const code = form.get("code") ?? "";
      const { token, claims } = scripts.get(code) ?? {
        token: { status: 400, ...json({ error: "invalid_grant" }) },
      };
      const id = claims === undefined ? {} : { id_token: idToken(address, claims) };
      return token ?? json({ access_token: code, token_type: "bearer", scope: "read", ...id });
    },
    "/userinfo": (request) => {
      const script = scriptOf(request);
      return script?.userinfo ?? json(script?.profile ?? {});
    },
    "/user/emails": (request) => scriptOf(request)?.emails ?? json([]),
    "/user/memberships/orgs/example-inc": (request) =>
      scriptOf(request)?.organizations?.["example-inc"] ?? { status: 404, ...json({ message: "Not Found" }) },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const endpoint = endpoints[new URL(request.url ?? "/", address).pathname];
    send(endpoint?.(request, body) ?? { status: 404, body: "" }, request, response);
  };
  return provider;
}

function send(misdeed: Misdeed, request: IncomingMessage, response: ServerResponse): void {
  if (typeof misdeed === "function") {
    misdeed(request, response);
    return;
  }
  const { status = 200, type = "application/json", body, location } = misdeed;
  response.writeHead(status, { "content-type": type, ...(location === undefined ? {} : { location }) });
  response.end(body);
}

/** Builds a successful JSON response. */
export function json(value: unknown): { readonly body: string } {
  return { body: JSON.stringify(value) };
}

/** The page on which a person chooses an identity. */
function chooser(people: ReadonlyMap<string, string>, query: URLSearchParams): Misdeed {
  const links = [...people].map(([name, code]) => {
    const back = new URLSearchParams({ code, state: query.get("state") ?? "" });
    return `<p><a href="${query.get("redirect_uri")}?${back}">${name}</a></p>`.replace("&", "&amp;");
  });
  const body = `<!doctype html><title>Choose</title><p id="prompt">${query.get("prompt") ?? ""}</p>${links.join("")}`;
  return { type: "text/html", body };
}

function describe(issuer: string, prompts: readonly string[] | undefined): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    ...(prompts === undefined ? {} : { prompt_values_supported: prompts }),
  };
}

/**
 * The signature is not checked: the token arrives directly from the provider (OpenID Connect Core, section 3.1.3.7).
 */
function idToken(issuer: string, claims: Readonly<Record<string, unknown>>): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const good = { iss: issuer, aud: "dropleaf-local", sub: "1", iat: nowSeconds, exp: nowSeconds + 60 };
  const parts = [{ alg: "RS256" }, { ...good, ...claims }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return [...parts, "c2lnbmF0dXJl"].join(".");
}
