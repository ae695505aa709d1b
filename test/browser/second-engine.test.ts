// @module-tag nightly

import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { newAccount, pageOf, publish } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { Firefox, type FirefoxWindow, firefoxProgram } from "../support/firefox.ts";
import { baseUrl } from "../support/http.ts";
import { longMs } from "../support/patience.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { addressesOfDrop, entrancesOfDrop } from "./isolation/attacked-addresses.ts";
import {
  closeLater,
  type GuardedGround,
  guards,
  passcode,
  prepareGuardedGround,
} from "./isolation/guarded-ground.ts";
import { attack, attackByBack, type Sight, secretsIn } from "./isolation/hostile-attack.ts";

// The other tests use Chromium. Debian packages Firefox. On a machine without it, these tests pass with a warning.

if (firefoxProgram === undefined) {
  test("Firefox is not installed: only Chromium has opened the pages", () => {
    process.stderr.write(
      "Firefox is not installed (Debian: apt-get install firefox-esr): only Chromium opened the pages.\n",
    );

    expect(spawnSync("firefox-esr", ["--version"]).error).toMatchObject({ code: "ENOENT" });
  });
} else {
  let firefox: Firefox;
  let window: FirefoxWindow;
  let api: ApiClient;

  beforeAll(async () => {
    [firefox, { api }] = await Promise.all([Firefox.start(), newAccount("engine")]);
    window = await firefox.open();
  });

  afterAll(() => firefox?.close());

  describe("in Firefox, a reader", () => {
    test("sees a page in its viewer, and picks another version", async () => {
      const { slug, url } = await publish(api, { html: pageOf("the first words") });
      await api.succeed("publish-version", { params: { slug }, body: { html: pageOf("the second words") } });
      await window.goTo(url);
      const frame = await window.shows("the second words");
      expect(await frame.evaluate("origin")).toBe("null");

      await window.evaluate("document.querySelector('.versions > summary').click()");
      await window.evaluate("document.querySelector('.versions a[href*=\"v=1\"]').click()");
      await window.shows("the first words");

      expect(await window.evaluate("location.search")).toBe("?v=1");
    });

    test("unlocks a page only with the right passcode", async () => {
      const drop = await publish(api, { html: pageOf("words behind the gate"), passcode });
      await window.goTo(drop.url);

      await window.fill("Passcode", "close sesame");
      await window.press("Open");
      await window.shows("Wrong passcode");
      expect(await cookieOf(drop)).toBeUndefined();
      await window.fill("Passcode", passcode);
      await window.press("Open");
      await window.shows("words behind the gate");

      expect(await cookieOf(drop)).toMatchObject({ httpOnly: true, secure: true });
    });

    test("can sign in to read a page that is shared with them, and comment on it", async () => {
      const username = unusedUsername("fox");
      const fields = { visibility: "people", readers: [username], feedback: "readers" };
      const drop = await publish(api, { html: pageOf("words for one"), ...fields });
      await window.goTo(drop.url);
      await window.shows("This page isn’t available");

      await window.press("Sign in");
      await window.shows("User name");
      await window.fill("User name", username);
      await window.evaluate("document.querySelector('button').click()");
      await window.shows("words for one");
      await window.goTo(`${baseUrl()}/p/${drop.slug}/raw`);
      await window.shows("words for one");
      await window.goTo(`${baseUrl()}/p/${drop.slug}/feedback`);
      if (await window.evaluate("document.querySelector('textarea') === null")) await window.press("Sign in");
      await window.fill("Your comment", "Said in Firefox.");
      await window.press("Send");
      await window.shows("Said in Firefox.");

      const { comments } = await api.succeed("list-feedback", { query: { slug: drop.slug } });
      expect(comments).toMatchObject([{ text: "Said in Firefox.", author: { signed_in: true } }]);
    });

    test("can comment on a selection in the panel beside the page", async () => {
      const username = unusedUsername("fox");
      const fields = { visibility: "people", readers: [username], feedback: "readers" };
      const drop = await publish(api, { html: pageOf("words to quote"), ...fields });
      const other = await firefox.open();
      await other.goTo(drop.url);
      await other.press("Sign in");
      await other.shows("User name");
      await other.fill("User name", username);
      await other.evaluate("document.querySelector('button').click()");
      const frame = await other.shows("words to quote");
      const panel = "document.querySelector('#comments > div').shadowRoot";
      const field = (name: string) => `${panel}.querySelector('[name=${name}]')`;

      await expect
        .poll(async () => {
          await frame.evaluate("getSelection().selectAllChildren(document.body)");
          return other.evaluate("document.querySelector('#comment').hidden");
        })
        .toBe(false);
      await other.evaluate("document.querySelector('#comment').click()");
      await expect
        .poll(() => other.evaluate(`${panel}?.querySelector('[name=quote]')?.value`))
        .toContain("words to quote");
      await other.evaluate(
        `${field("text")}.value = "Said beside the page."; ${field("text")}.form.requestSubmit()`,
      );
      await expect.poll(() => other.evaluate(`${panel}.textContent`)).toContain("Said beside the page.");

      const { comments } = await api.succeed("list-feedback", { query: { slug: drop.slug } });
      expect(comments).toMatchObject([{ text: "Said beside the page.", thread: { selector: "html>body" } }]);
    });

    async function cookieOf({ slug }: DropResponse) {
      const cookies = await window.context.cookies();
      return cookies.find(({ name }) => name === `__Host-dl_${slug}`);
    }
  });

  describe("in Firefox, a hostile page on the owner's host", () => {
    let ground: GuardedGround;
    let reader: FirefoxWindow;
    let secrets: readonly string[];
    const sights: Sight[] = [];

    beforeAll(async () => {
      [ground, reader] = await Promise.all([prepareGuardedGround(), firefox.open()]);
      const { drops, hostile } = ground;
      await reader.goTo(`${baseUrl()}/account`);
      await reader.fill("User name", ground.reader.username);
      await reader.evaluate("document.querySelector('button').click()");
      await reader.standsAt(`${baseUrl()}/account`);
      await closeLater(ground);
      await reader.goTo(drops.locked.url);
      await reader.fill("Passcode", passcode);
      await reader.press("Open");
      await reader.shows(ground.markers[guards.indexOf("locked")] ?? "");
      const cookies = (await reader.context.cookies()).map(({ value }) => value);
      secrets = [...ground.markers, ground.reader.username, ...cookies.filter(({ length }) => length > 8)];
      const home = hostile.raw_url;
      await reader.goTo(home);
      await reader.standsAt(home);
      const page = {
        evaluate: (expression: string) => reader.evaluate(expression),
        leadAndPressBack: async (expression: string) => {
          await reader.evaluate(expression);
          await reader.leaves(home);
          await reader.backTo(home);
        },
        closeOthers: () => reader.closeOthers(),
      };
      // Guards differ only in the service, and the tests in Chromium attack each of them.
      const all = [
        ...addressesOfDrop(ground, drops.restricted.slug),
        ...entrancesOfDrop(ground, drops.locked.slug),
      ];
      const entrances = entrancesOfDrop(ground, drops.restricted.slug);
      for (const means of ["requests", "frames"] as const)
        sights.push(...(await attack(page, home, all, { means, cookies: "no" })));
      sights.push(...(await attack(page, home, entrances, { means: "window", cookies: "no" })));
      sights.push(...(await attack(page, home, entrances, { means: "window", cookies: "20 KB of" })));
      sights.push(...(await attackByBack(page, entrances, "20 KB of")));
    }, longMs);

    test.each(["requests", "frames", "window", "Back"] as const)("reads no secret by %s", (means) => {
      const tried = sights.filter((sight) => sight.means === means);
      const known = JSON.stringify([...sights.map(({ url }) => url), ground.hostile.raw_url]);

      expect(tried.length).toBeGreaterThan(0);
      expect(tried.flatMap((sight) => secretsIn(sight, secrets, known))).toEqual([]);
    });
  });
}
