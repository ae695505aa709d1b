import type { Page } from "playwright-core";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { newAccount, pageOf, publish } from "../../support/accounts.ts";
import { baseUrl } from "../../support/http.ts";
import { startSignIn } from "../../support/sign-in.ts";
import type { Targets } from "./attempts.ts";

/** Passcode of the locked drop. */
export const passcode = "open sesame";

/** Page that reports to its opener or parent frame whether it has storage. */
const hostilePage = `${pageOf("a hostile page")}<script>
  let said = "allowed";
  try { localStorage.length; } catch (error) { said = error.name; }
  (opener ?? parent).postMessage(said, "*");
</script>`;

/** A hostile page and the targets of its attacks. */
export interface HostileGround {
  readonly hostile: DropResponse;
  readonly strangersOpen: DropResponse;
  readonly strangersLocked: DropResponse;
  /** Poll token of an unconfirmed sign-in. */
  readonly pollToken: string;
  readonly verificationUrl: string;
  readonly targets: Targets;
}

/** Publishes the hostile page and its targets. */
export async function prepareHostileGround(): Promise<HostileGround> {
  const [owner, stranger] = await Promise.all([newAccount("hostile"), newAccount("stranger")]);
  const hostile = await publish(owner.api, { html: hostilePage });
  const words = { html: pageOf("a stranger's page"), title: "A stranger's", context: "A stranger's" };
  const strangersOpen = await publish(stranger.api, words);
  const strangersLocked = await publish(stranger.api, { ...words, passcode });
  const script = await owner.api.succeed("upload-blob", {
    query: { filename: "worker.js" },
    text: "onfetch = () => {};",
    headers: { "content-type": "text/javascript" },
  });
  const { poll_token: pollToken, verification_url: verificationUrl } = await startSignIn();
  const base = baseUrl();
  return {
    hostile,
    strangersOpen,
    strangersLocked,
    pollToken,
    verificationUrl,
    targets: {
      ownPage: hostile.raw_url,
      ownScriptFile: script.url,
      strangers: {
        "a stranger's raw page": strangersOpen.raw_url,
        "a stranger's viewer": strangersOpen.url,
        "a stranger's owner page": new URL("/", strangersOpen.url).href,
        "a stranger's unlocked page": strangersLocked.raw_url,
        "a stranger's context": `${base}/p/${strangersOpen.slug}/context`,
        "the verify page": verificationUrl,
        "the login page": `${base}/login`,
        "the API's account": `${base}/api/me`,
        "the API's poll": `${base}/api/auth/poll?token=${pollToken}`,
      },
    },
  };
}

/** Unlocks a drop in a browser. */
export async function unlock(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Passcode").fill(passcode);
  await page.getByRole("button").click();
  await page.locator("iframe").waitFor();
}
