import type { Page } from "playwright-core";
import type { SignInStartResponse } from "../../../functions/identity/schemas.ts";
import { pressArmed } from "../../support/browser.ts";

/** URLs of the walks. */
export interface WalkedPlaces {
  /** The service's base address, without a slash at its end. */
  readonly address: string;
  /** Drop with several versions, a description, answers to its form, and context in its latest version. */
  readonly dropUrl: string;
  readonly lockedUrl: string;
  /** Drop on the base host whose form's answers are stored. */
  readonly pollUrl: string;
  readonly ownerUrl: string;
  /** User name with which the owner signs in. */
  readonly ownerUsername: string;
}

/** Steps that open a page in a certain state. */
export interface PageWalk {
  readonly name: string;
  /** Opens the page in a window without cookies. */
  readonly open: (page: Page) => Promise<unknown>;
}

/** Returns the walks to every page that people see, and to the panels of the viewer's bar. */
export function pageWalks(places: WalkedPlaces): readonly PageWalk[] {
  const { address, dropUrl, lockedUrl, pollUrl, ownerUrl, ownerUsername } = places;
  const toOwn = (path: string) => (page: Page) => toOwnPage(page, address + path, ownerUsername);
  const slug = dropUrl.split("/").at(-1);
  return [
    { name: "home", open: at(`${address}/`) },
    { name: "login", open: at(`${address}/login`) },
    { name: "verify", open: (page) => toVerify(page, address) },
    { name: "confirmation", open: (page) => toConfirmation(page, address) },
    { name: "token-request", open: at(`${address}/login/token`) },
    { name: "browser-sign-in", open: (page) => toBrowserSignIn(page, address) },
    { name: "own-confirmation", open: (page) => toOwnConfirmation(page, address, "Grace Hopper") },
    { name: "token", open: (page) => toToken(page, address, "Grace Hopper") },
    { name: "viewer", open: at(dropUrl) },
    { name: "viewer-versions", open: pressing(dropUrl, ".versions > summary") },
    { name: "viewer-title", open: pressing(dropUrl, ".about summary") },
    { name: "viewer-context", open: (page) => toContext(page, dropUrl) },
    { name: "viewer-comments", open: (page) => toComments(page, dropUrl) },
    { name: "viewer-more", open: (page) => toMore(page, dropUrl) },
    { name: "viewer-keys", open: (page) => toKeys(page, dropUrl) },
    { name: "viewer-older", open: at(`${dropUrl}?v=1`) },
    { name: "compare", open: at(comparisonOf(dropUrl)) },
    { name: "compare-source", open: at(`${comparisonOf(dropUrl)}?view=text`) },
    { name: "feedback", open: (page) => toFeedback(page, dropUrl) },
    { name: "gate", open: at(lockedUrl) },
    { name: "gate-wrong", open: (page) => toWrongPasscode(page, lockedUrl) },
    { name: "owner", open: at(ownerUrl) },
    { name: "account", open: toOwn("/account") },
    { name: "account-drop", open: toOwn(`/account/drops/${slug}`) },
    { name: "account-answers", open: toOwn(`/account/drops/${slug}/answers`) },
    { name: "account-files", open: toOwn("/account/files") },
    { name: "account-trash", open: toOwn("/account/trash") },
    { name: "account-tokens", open: toOwn("/account/tokens") },
    { name: "consent", open: (page) => toConsent(page, address, ownerUsername) },
    { name: "not-found", open: at(`${ownerUrl}d/0000000`) },
    { name: "not-shared", open: (page) => toNotShared(page, ownerUrl) },
    { name: "signed-out", open: (page) => toSignedOut(page, ownerUrl) },
    { name: "sign-in-error", open: at(`${address}/verify?code=BBBB-BBBB`) },
    { name: "viewer-answer", open: (page) => toAnswer(page, pollUrl, ownerUsername) },
    { name: "viewer-share", open: (page) => toShare(page, `${address}/p/${slug}`, ownerUsername) },
  ];
}

/** Requests a personal token, signs in with the user name, and opens the page with the token. */
export async function toToken(page: Page, address: string, username: string): Promise<void> {
  await toOwnConfirmation(page, address, username);
  await page.getByRole("button").click();
  await page.locator("#token").waitFor();
}

/** Opens a page that requires a sign-in, signs in with the user name, and returns to the page. */
export async function toOwnPage(page: Page, url: string, username: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel("User name").fill(username);
  await page.getByRole("button").click();
  await page.waitForURL(url);
}

/** Opens a drop and its context, from the menu if the bar is narrow. */
export async function toContext(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const more = page.locator(".more > summary");
  if (await more.isVisible()) await more.click();
  await page.locator("#context-toggle").click();
  await page.locator("#context > [role=status]").waitFor({ state: "hidden" });
}

/** Opens a drop's comments in the viewer, from the menu if the bar is narrow. */
async function toComments(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const more = page.locator(".more > summary");
  if (await more.isVisible()) await more.click();
  await page.locator("#comments-toggle").click();
  await page.getByRole("link", { name: "Sign in to comment" }).waitFor();
}

/** Signs the owner in and opens the Share panel beside their page. */
async function toShare(page: Page, url: string, username: string): Promise<void> {
  await toOwnPage(page, new URL("/account", url).href, username);
  await page.goto(url);
  await page.locator("#share-toggle").click();
  await page.locator("#share .readers-now").waitFor();
}

/** Submits a page's form as a signed-in reader, so that the viewer asks whether to send their name. */
async function toAnswer(page: Page, url: string, username: string): Promise<void> {
  await toOwnPage(page, new URL("/account", url).href, username);
  await page.goto(url);
  await page.frameLocator("#page").getByRole("button").click();
  await page.getByRole("dialog", { name: "Your answer" }).waitFor();
}

/** Opens the menu with the actions that do not fit in the bar. */
async function toMore(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator(".more > summary, .rest > summary").filter({ visible: true }).click();
}

async function toKeys(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
}

/** Opens a drop's feedback page and signs in. */
async function toFeedback(page: Page, dropUrl: string): Promise<void> {
  const url = `${dropUrl.replace("/d/", "/p/")}/feedback`;
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in to comment" }).click();
  await page.getByLabel("User name").fill("Grace Hopper");
  await page.getByRole("button").click();
  await page.waitForURL((address) => address.pathname === new URL(url).pathname);
}

function comparisonOf(dropUrl: string): string {
  return `${dropUrl.replace("/d/", "/p/")}/compare`;
}

function at(url: string): PageWalk["open"] {
  return (page) => page.goto(url);
}

function pressing(url: string, selector: string): PageWalk["open"] {
  return async (page) => {
    await page.goto(url);
    await page.locator(selector).click();
  };
}

/** Opens the page on which a person connects an agent. */
export async function toVerify(page: Page, address: string): Promise<void> {
  const response = await fetch(`${address}/api/auth/start`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ label: "Report writer on Mara’s laptop" }),
  });
  const { verification_url: url } = (await response.json()) as SignInStartResponse;
  await page.goto(url);
}

async function toConfirmation(page: Page, address: string): Promise<void> {
  await toVerify(page, address);
  await signIn(page, "Mara");
}

async function toBrowserSignIn(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/login/token`);
  await page.getByRole("button").click();
}

async function toOwnConfirmation(page: Page, address: string, username: string): Promise<void> {
  await toBrowserSignIn(page, address);
  await signIn(page, username);
}

async function signIn(page: Page, username: string): Promise<void> {
  await pressArmed(page.getByRole("link", { name: /continue/i }));
  await page.getByLabel("User name").fill(username);
  await page.getByRole("button").click();
  await page.locator(".facts").waitFor();
}

/** Registers an MCP client on this machine, requests access, and signs in up to the consent page. */
export async function toConsent(page: Page, address: string, username: string): Promise<void> {
  const redirectUri = "http://127.0.0.1:33418/callback";
  const response = await fetch(`${address}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Claude Code", redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await response.json()) as { readonly client_id: string };
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: redirectUri,
    code_challenge: "a".repeat(43),
    code_challenge_method: "S256",
  });
  await page.goto(`${address}/oauth/authorize?${query}`);
  await page.getByLabel("User name").fill(username);
  await page.getByRole("button").click();
  await page.locator(".decision").waitFor();
}

async function toNotShared(page: Page, ownerUrl: string): Promise<void> {
  await page.goto(`${ownerUrl}d/0000000`);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("User name").fill("Grace Hopper");
  await page.getByRole("button").click();
  await page.locator(".facts").waitFor();
}

async function toSignedOut(page: Page, ownerUrl: string): Promise<void> {
  await toNotShared(page, ownerUrl);
  await page.getByRole("button").click();
  await page.getByRole("link", { name: "Use another account" }).waitFor();
}

async function toWrongPasscode(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("textbox").fill("not this one");
  await page.getByRole("button").click();
  await page.locator("#notice").waitFor();
}
