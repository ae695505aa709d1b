// @module-tag slow

import type { Browser, BrowserContext, Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../../support/open-browser.ts";
import { quickAndSlow } from "../../support/quick-and-slow.ts";
import { attempts, reporting } from "./attempts.ts";
import { type HostileGround, prepareHostileGround, unlock } from "./hostile-ground.ts";
import { hostilePlaces } from "./hostile-places.ts";

let browser: Browser;
/** Context of a visitor who has unlocked another owner's page, and opened a verify page. */
let visitor: BrowserContext;
let ground: HostileGround;

beforeAll(async () => {
  [browser, ground] = await Promise.all([openBrowser(), prepareHostileGround()]);
  visitor = await browser.newContext();
  const page = await visitor.newPage();
  await unlock(page, ground.strangersLocked.url);
  await page.goto(ground.verificationUrl);
});

afterAll(() => browser.close());

/** Only the place with the owner's origin, where a page could do most, runs in the quick tests. */
const places = quickAndSlow(hostilePlaces, ({ name }) => /opened directly/.test(name));

for (const { cases, options } of places)
  describe.each(cases)("a page $name", options, (place) => {
    let frame: Frame;

    beforeAll(async () => {
      // Deletes the cookies of the previous place.
      await visitor.clearCookies({ domain: new URL(ground.hostile.url).hostname });
      frame = await place.open(await visitor.newPage(), ground.hostile);
    });

    const table = attempts.map((attempt) => ({ ...attempt, outcome: attempt.outcome(place) }));

    test.each(table)("gets only $outcome when it tries to access $name", async ({ expression, outcome }) => {
      expect(await frame.evaluate(reporting(expression(ground.targets)))).toBe(outcome);
    });

    if (!place.hasOrigin)
      test("loses everything that it stored when it is loaded again", async () => {
        const left =
          "[localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length].join()";
        const reported = reporting(`(async () => ${left})()`);
        expect(await frame.evaluate(reported)).not.toBe("0,0,,0");

        await frame.goto(frame.url());

        expect(await frame.evaluate(reported)).toBe("0,0,,0");
      });

    test("cannot set cookies outside its owner's host", async () => {
      const cookies = await visitor.cookies();

      const hosts = cookies.filter(({ name }) => !name.startsWith("__Host-dl_")).map(({ domain }) => domain);
      expect(hosts).toEqual(place.hasOrigin ? [new URL(ground.hostile.url).hostname] : []);
      expect(cookies.filter(({ domain }) => domain.startsWith("."))).toEqual([]);
    });
  });
