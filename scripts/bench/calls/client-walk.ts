import { createHash } from "node:crypto";
import type { CookieJar } from "../../../test/support/cookie-jar.ts";
import type { OperationCall, Walk } from "./operation-caller.ts";
import { formOf } from "./own-pages-walk.ts";

const redirectUri = "http://127.0.0.1:9/callback";
const codeVerifier = "a".repeat(43);

/** The way of an MCP client, which the owner who is signed in in the browser lets in: OAuth 2.1, from registering to leaving. */
export async function walkClient(walk: Walk, browser: CookieJar): Promise<void> {
  const registered = await walk("register-client", "", {
    body: { client_name: "Walker", redirect_uris: [redirectUri] },
  });
  const { client_id: clientId } = JSON.parse(registered.text) as { readonly client_id: string };
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  const asked = await walk("show-consent", "of a client", { browser, query, expectedStatus: 302 });
  const request = Object.fromEntries(new URL(asked.headers.location ?? "").searchParams);
  const page = await walk("show-consent", "", { browser, query: request });
  const form = formOf(page, "/oauth/authorize", { decision: "allow" });
  const decided = await walk("decide-consent", "", { browser, ...form });
  const code = new URL(decided.headers.location ?? "").searchParams.get("code") ?? "";
  const issued = await walk(
    "issue-token",
    "",
    fieldsCall({
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }),
  );
  const { refresh_token: first } = JSON.parse(issued.text) as { readonly refresh_token: string };
  const refresh = { grant_type: "refresh_token", client_id: clientId, refresh_token: first };
  const refreshed = await walk("issue-token", "refresh", fieldsCall(refresh));
  const { refresh_token: token } = JSON.parse(refreshed.text) as { readonly refresh_token: string };
  await walk("revoke-grant", "", fieldsCall({ token }));
}

function fieldsCall(fields: Readonly<Record<string, string>>): OperationCall {
  return {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  };
}
