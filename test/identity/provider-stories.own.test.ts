// @module-tag nightly

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { IdentityProvider } from "../../lib/settings/identity-provider-settings.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { ApiClient } from "../support/client.ts";
import { useService } from "../support/http.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import {
  json,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from "../support/scripted-provider.ts";
import { pollSignIn, startSignIn } from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";

/**
 * A provider with the responses that its documentation describes, and the settings that docs/members.md gives for it.
 */
interface Story {
  readonly settings: (address: string) => IdentityProvider;
  /** Response about a person of the company. */
  readonly person: (name: string) => Script;
  /** Response about a person with whom no page is shared. */
  readonly stranger: Script;
  /** Readers that the page is shared with, which include Ada. */
  readonly sharedWith: readonly string[];
  /** Words with which the refusal shows the stranger their identity. */
  readonly toldAs: readonly string[];
  /** Prompt that makes the provider offer another account. */
  readonly prompt: string;
}

const company = "example.com";

/** GitHub documentation, "Get the authenticated user" and "List email addresses for the authenticated user". */
const gitHubPerson = (id: number, login: string, email: string): Script => ({
  profile: { id, login, name: null, email: null },
  emails: json([
    { email, primary: true, verified: true, visibility: "private" },
    { email: `old-${email}`, primary: false, verified: false, visibility: null },
  ]),
});

/** Google documentation, "OpenID Connect": the ID token. The userinfo response has the same claims. */
const googlePerson = (sub: string, email: string, hd?: string): Script => {
  const claims = { sub, email, email_verified: true, name: "A person", picture: "", ...(hd ? { hd } : {}) };
  return { claims, profile: claims };
};

/** Okta documentation, "OpenID Connect & OAuth 2.0 API": groups are in the ID token, `email_verified` in the userinfo response. */
const oktaPerson = (sub: string, email: string, groups: readonly string[]): Script => ({
  claims: { sub, name: "A person", email, preferred_username: email, groups },
  profile: { sub, name: "A person", email, email_verified: true, preferred_username: email, locale: "en-US" },
});

/** Microsoft documentation, "ID token claims reference" and "Microsoft identity platform UserInfo endpoint". */
const entraPerson = (sub: string, preferred_username: string, roles: readonly string[] = []): Script => ({
  claims: { sub, oid: `oid-${sub}`, tid: "tenant", name: "A person", preferred_username, roles, ver: "2.0" },
  profile: {
    sub,
    name: "A person",
    family_name: "Person",
    given_name: "A",
    email: `${sub}@elsewhere.example`,
  },
});

const stories: Readonly<Record<string, Story>> = {
  GitHub: {
    settings: (address) => ({
      kind: "oauth2",
      authorizationEndpoint: `${address}/authorize`,
      tokenEndpoint: `${address}/token`,
      userinfoEndpoint: `${address}/userinfo`,
      emailsEndpoint: `${address}/user/emails`,
      scope: "read:user user:email",
      fields: { id: "id", username: "login" },
    }),
    person: (name) => gitHubPerson(name.length, name, `${name}@${company}`),
    stranger: gitHubPerson(77, "mallory", "mallory@elsewhere.example"),
    sharedWith: [`ada@${company}`],
    toldAs: ["mallory", "mallory@elsewhere.example"],
    prompt: "select_account",
  },
  Google: {
    settings: (issuer) => ({ kind: "oidc", issuer, fields: { username: "email", groups: "hd" } }),
    person: (name) => googlePerson(name, `${name}@${company}`, company),
    stranger: googlePerson("77", "mallory@gmail.example"),
    sharedWith: [`group:${company}`],
    toldAs: ["mallory@gmail.example"],
    prompt: "login",
  },
  Okta: {
    settings: (issuer) => ({
      kind: "oidc",
      issuer,
      scope: "openid profile email groups",
      fields: { groups: "groups" },
    }),
    person: (name) => oktaPerson(name, `${name}@${company}`, ["Everyone", "dropleaf-engineering"]),
    stranger: oktaPerson("77", `mallory@${company}`, ["Everyone", "dropleaf-sales"]),
    sharedWith: ["group:dropleaf-engineering"],
    toldAs: [`mallory@${company}`, "dropleaf-sales"],
    prompt: "login",
  },
  "Microsoft Entra ID": {
    settings: (issuer) => ({
      kind: "oidc",
      issuer,
      fields: { groups: "roles", verifiedEmail: "preferred_username" },
    }),
    person: (name) => entraPerson(name, `${name}@${company}`),
    stranger: entraPerson("ada", "mallory@guests.example"),
    sharedWith: [`Ada@${company}`],
    toldAs: ["mallory@guests.example"],
    prompt: "login",
  },
};

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe.each(Object.entries(stories))("a link shared with colleagues, with %s", (_, story) => {
  let provider: ScriptedProvider;
  let service: RunningService;
  let owner: ApiClient;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    provider = await startScriptedProvider(undefined);
    const identityProvider = story.settings(provider.address);
    service = await startService({ environmentsPerFunction: 1, identityProvider });
    useService(service);
    provider.people.set("Ada", provider.prepare(story.person("ada")));
    provider.people.set("Mallory", provider.prepare(story.stranger));
    owner = await signInAsOwner(provider, story.person("grace"));
  });

  afterAll(() => Promise.all([service.stop(), provider.stop()]));

  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
  });

  afterEach(() => context.close());

  const share = (text: string) =>
    publish(owner, { html: pageOf(text), visibility: "people", readers: story.sharedWith });

  const words = () => page.getByRole("main").innerText();

  test("shows other people the response of a missing page with their identity, and lets Ada switch accounts", async () => {
    const { url, slug } = await share("for Ada alone");
    const missing = `${slug.slice(0, -1)}${slug.endsWith("0") ? "1" : "0"}`;
    await page.goto(url);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Mallory" }).click();
    await page.getByRole("heading", { name: "This page isn’t available" }).waitFor();
    const refusal = await words();
    const [shared, absent] = await Promise.all(
      [slug, missing].map(async (one) => {
        const response = await context.request.get(`${service.address}/d/${one}`);
        return (await response.text()).replaceAll(one, "SLUG").replace(/nonce="[^"]*"/g, "");
      }),
    );

    await page.getByRole("button", { name: "Use another account" }).click();
    await page.getByRole("link", { name: "Use another account" }).click();
    const prompt = await page.locator("#prompt").innerText();
    await page.getByRole("link", { name: "Ada" }).click();

    for (const word of story.toldAs) expect(refusal).toContain(word);
    expect(refusal).not.toContain("for Ada alone");
    expect(shared).toContain("SLUG");
    expect(shared).toBe(absent);
    expect(prompt).toBe(story.prompt);
    await page.frameLocator("iframe").getByText("for Ada alone").waitFor();
  });
});

/** Signs an agent in through the whole flow. */
async function signInAsOwner(provider: ScriptedProvider, script: Script): Promise<ApiClient> {
  const start = await startSignIn();
  const visitor = new Visitor();
  await visitor.request(linkTo(await visitor.open(start.verification_url), "/api/auth/idp/authorize"));
  const query = new URLSearchParams({ code: provider.prepare(script), state: start.code });
  await visitor.request(`/api/auth/idp/callback?${query}`);
  return new ApiClient((await pollSignIn(start.poll_token)).api_token);
}
