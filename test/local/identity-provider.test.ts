import * as client from "openid-client";
import { afterEach, describe, expect, it } from "vitest";
import {
  type IdentityProvider,
  startIdentityProvider,
} from "../../local/identity-provider/identity-provider.ts";

const serviceAddress = "http://localhost:1";
const callbackUrl = `${serviceAddress}/api/auth/idp/callback`;
const scope = "openid profile email";

let provider: IdentityProvider;
const logged: string[] = [];
afterEach(() => provider.stop());

async function start(): Promise<void> {
  provider = await startIdentityProvider({ port: 0, serviceAddress, log: (line) => logged.push(line) });
}

/** A browser that follows redirects with its cookies, up to the redirect to the service. */
class Browser {
  private readonly cookies = new Map<string, string>();

  async open(url: string, form?: Record<string, string>): Promise<{ url: string; html: string }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      this.cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) return { url, html: await response.text() };
    const next = new URL(location, url).href;
    return next.startsWith(serviceAddress) ? { url: next, html: "" } : this.open(next);
  }
}

async function authorization(browser: Browser, form: Record<string, string>) {
  const { id, secret } = provider.client;
  const execute = [client.allowInsecureRequests];
  const configuration = await client.discovery(new URL(provider.address), id, secret, undefined, { execute });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl,
    scope,
    state: "the-state",
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const page = await browser.open(url.href);
  const back = await browser.open(page.url, form);
  return { configuration, pkceCodeVerifier, page, back: new URL(back.url) };
}

async function signIn(username: string, browser = new Browser(), facts: Record<string, string> = {}) {
  const { configuration, pkceCodeVerifier, back } = await authorization(browser, { username, ...facts });
  const checks = { pkceCodeVerifier, expectedState: "the-state", idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(configuration, back, checks);
  return client.fetchUserInfo(configuration, tokens.access_token, tokens.claims()?.sub ?? "");
}

describe("the local identity provider", () => {
  it("signs in anyone with a user name, with one form", async () => {
    await start();

    const { page, back } = await authorization(new Browser(), { username: "ada" });

    expect(page.html.match(/<form/g)).toHaveLength(1);
    expect(page.html).toContain('name="username"');
    expect(page.html).not.toContain('password"');
    expect(`${back.origin}${back.pathname}`).toBe(callbackUrl);
    expect(back.searchParams.get("state")).toBe("the-state");
  });

  it("gives a name the same subject after a restart, and another name another subject", async () => {
    await start();
    const before = await signIn("Ada Lovelace");
    const other = await signIn("grace");
    await provider.stop();
    await start();

    const after = await signIn("ada lovelace");

    expect(before.preferred_username).toBe("ada lovelace");
    expect(after.sub).toBe(before.sub);
    expect(other.sub).not.toBe(before.sub);
  });

  it("returns the values of the latest form, and whether an e-mail address is verified", async () => {
    await start();
    const address = { email: "Ada@Example.com", groups: "writers, publishers,," };

    const first = await signIn("ada", new Browser(), address);
    const second = await signIn("ada", new Browser(), { ...address, email_verified: "true" });
    const third = await signIn("ada", new Browser(), { ...address, email_verified: "false" });
    const last = await signIn("ada");

    const told = { email: "Ada@Example.com", groups: ["writers", "publishers"], sub: first.sub };
    expect(first).toMatchObject({ ...told, email_verified: false });
    expect(second).toMatchObject({ ...told, email_verified: true });
    expect(third).toMatchObject({ ...told, email_verified: false });
    expect(last).toEqual({ sub: first.sub, preferred_username: "ada", name: "ada" });
  });

  it("asks for the name at each sign-in in the same browser, so that another name can be entered", async () => {
    await start();
    const browser = new Browser();

    const first = await signIn("ada", browser);
    const second = await signIn("grace", browser);

    expect([first.preferred_username, second.preferred_username]).toEqual(["ada", "grace"]);
  });

  it("asks again if the name is empty", async () => {
    await start();
    const browser = new Browser();

    const { page } = await authorization(browser, { username: "  " }).catch(async () => ({
      page: { html: "", url: "" },
    }));

    expect(page.html).toContain("<form");
  });

  it("refuses an authorization request without PKCE or with another redirect URI", async () => {
    await start();
    const parameters = {
      client_id: provider.client.id,
      response_type: "code",
      scope,
      redirect_uri: callbackUrl,
    };
    const open = (changes: Record<string, string>) =>
      new Browser().open(`${provider.address}/auth?${new URLSearchParams({ ...parameters, ...changes })}`);

    const withoutPkce = await open({});
    const elsewhere = await open({
      redirect_uri: "http://localhost:2/",
      code_challenge: "x",
      code_challenge_method: "S256",
    });

    expect(new URL(withoutPkce.url).searchParams.get("error")).toBe("invalid_request");
    expect(elsewhere.html).toContain("redirect_uri");
  });

  it("refuses a code exchange with the wrong verifier", async () => {
    await start();
    const { configuration, back } = await authorization(new Browser(), { username: "ada" });
    const checks = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: "the-state" };

    await expect(client.authorizationCodeGrant(configuration, back, checks)).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  it("says which port is in use and how to choose another", async () => {
    await start();
    const port = Number(new URL(provider.address).port);

    await expect(startIdentityProvider({ port, serviceAddress, log: () => {} })).rejects.toThrow(
      `Port ${port} is in use. The local identity provider needs the port after the service's.`,
    );
  });
});
