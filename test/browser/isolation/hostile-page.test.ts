// @module-tag nightly

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../../support/open-browser.ts";
import { longMs } from "../../support/patience.ts";
import { toOwnPage } from "../pages/page-walks.ts";
import { addressesOfDrop, entrancesOfDrop, formAddresses, otherAddresses } from "./attacked-addresses.ts";
import {
  closeLater,
  type GuardedGround,
  guards,
  hostsOf,
  linesOf,
  passcode,
  prepareGuardedGround,
} from "./guarded-ground.ts";
import {
  attack,
  attackByBack,
  type HostileWindow,
  type Sight,
  secretsIn,
  sendForms,
} from "./hostile-attack.ts";

// A public page on an owner's host attacks everything that its visitor may read or do: docs/security.md, "Published pages".

const missingSlug = "0000000";

let browser: Browser;
/** Context of a reader who is signed in at the base host, has read the open drops and unlocked the locked ones. */
let reader: BrowserContext;
let ground: GuardedGround;
let secrets: readonly string[];
let known: string;

beforeAll(async () => {
  [browser, ground] = await Promise.all([openBrowser(), prepareGuardedGround()]);
  reader = await browser.newContext();
  const page = await reader.newPage();
  await toOwnPage(page, `${hostsOf(ground).base}/account`, ground.reader.username);
  const { drops } = ground;
  for (const guard of ["restricted later", "locked later"] as const)
    for (const address of [drops[guard].url, drops[guard].raw_url]) await page.goto(address);
  await closeLater(ground);
  for (const guard of ["locked", "locked later"] as const) {
    await page.goto(drops[guard].url);
    await page.getByLabel("Passcode").fill(passcode);
    await page.getByRole("button").click();
    await page.locator("iframe").waitFor();
  }
  await page.close();
  const cookies = (await reader.cookies()).map(({ value }) => value);
  secrets = [...ground.markers, ground.reader.username, ...cookies.filter(({ length }) => length > 8)];
}, longMs);

afterAll(() => browser.close());

test("control: a hostile page's techniques can read public content", async () => {
  const open = [{ url: ground.hostile.raw_url }];
  const window = await openHostile();

  for (const means of ["requests", "frames", "window"] as const) {
    const [sight] = await attack(window, ground.hostile.raw_url, open, { means, cookies: "no" });
    expect(sight?.seen, means).toContain("a hostile page</p>");
  }
  // A published page hides its own address.
  const [sight] = await attackByBack(window, [{ url: `${hostsOf(ground).owner}/?went=there` }], "no");
  expect(sight?.seen).toContain("?went=there");
});

describe("at every URL", () => {
  let sights: readonly Sight[];
  beforeAll(async () => {
    sights = await attackAll();
  }, longMs);

  test.each(["requests", "frames", "window", "Back"] as const)(
    "a hostile page reads no secret with %s",
    (means) => {
      const found = sights
        .filter((sight) => sight.means === means)
        .flatMap((sight) =>
          secretsIn(sight, secrets, known).map(
            (secret) => `${sight.url} with ${sight.cookies} cookies: ${secret}`,
          ),
        );

      expect(found).toEqual([]);
    },
  );

  test.each(["requests", "frames", "window"] as const)(
    "a hostile page cannot detect with %s a drop that its visitor can read",
    (means) => {
      const about = (slug: string) =>
        sights
          .filter((sight) => sight.means === means && sight.cookies === "no" && sight.slug === slug)
          .map(({ url, seen }) => [url, withoutWay(seen)].map((text) => text.replaceAll(slug, "SLUG")));
      const missing = about(missingSlug);

      expect(missing.length).toBeGreaterThan(10);
      for (const guard of ["restricted", "restricted later", "transferred"] as const) {
        const there = about(ground.drops[guard].slug);
        expect(there, guard).toEqual(missing.filter(([url]) => there.some(([one]) => one === url)));
      }
    },
  );
});

test("a hostile page cannot write in its visitor's name or sign them out", async () => {
  const { drops, hostile, owner, newOwner, readersDrop } = ground;
  const read = () =>
    Promise.all([
      ...[...Object.values(drops), hostile].map(({ slug }) =>
        (slug === drops.transferred.slug ? newOwner : owner).api.succeed("list-feedback", {
          params: { slug },
        }),
      ),
      ground.reader.api.succeed("get-drop", { params: { slug: readersDrop.slug } }),
      ground.reader.api.succeed("list-drops"),
      ground.reader.api.succeed("list-blobs"),
      linesOf(ground.reader),
    ]);
  const before = await read();

  const addresses = formAddresses(ground, [drops.restricted.slug, hostile.slug, readersDrop.slug]);
  await sendForms(await openHostile(), addresses, {
    text: "forged",
    title: "forged",
    name: "forged",
    passcode,
    form: "x",
    proof: "y",
    decision: "allow",
    allow: "allow",
    code: ground.code,
    visibility: "public",
    version: "1",
    n: "1",
    confirm: "yes",
  });

  expect(await read()).toEqual(before);
  const page = await reader.newPage();
  await page.goto(`${hostsOf(ground).base}/account`);
  expect(page.url()).toBe(`${hostsOf(ground).base}/account`);
});

/** Reduces a window's states to the final one, because the earlier ones depend on timing. */
function withoutWay(seen: string): string {
  const end = seen.startsWith('{"seen"') ? JSON.stringify(JSON.parse(seen).end) : seen;
  return end.replaceAll(/[A-Za-z0-9+/_-]{20,}=*/g, "RANDOM");
}

async function attackAll(): Promise<readonly Sight[]> {
  const { drops } = ground;
  const { owner } = hostsOf(ground);
  const entrances = entrancesOfDrop(ground, drops.restricted.slug);
  const ofOthers = guards.slice(1).flatMap((guard) => entrancesOfDrop(ground, drops[guard].slug));
  const all = [
    ...otherAddresses(ground),
    ...addressesOfDrop(ground, drops.restricted.slug),
    ...ofOthers,
    ...addressesOfDrop(ground, missingSlug),
  ];
  known = `${JSON.stringify(all)} ${await (await openHostile()).evaluate("document.documentElement.outerHTML")}`;
  const home = ground.hostile.raw_url;
  const sights: Sight[] = [];
  const note = (found: readonly Sight[]) => sights.push(...found);
  const [one, other] = await Promise.all([openHostile(), openHostile()]);
  const byRequests = async () => {
    note(await attack(one, home, all, { means: "requests", cookies: "no" }));
    note(await attack(one, home, all, { means: "frames", cookies: "no" }));
  };
  const byWindows = async () => {
    note(await attack(other, home, all, { means: "window", cookies: "no" }));
    note(await attackByBack(other, entrances, "no"));
  };
  await Promise.all([byRequests(), byWindows()]);
  // Runs last, because all requests to the host, and only those, have these cookies from now on.
  const bombed = entrances.filter(({ url }) => url.startsWith(owner) || url.includes("/login/read"));
  for (const cookies of ["9 KB of", "20 KB of"] as const) {
    note(await attack(other, home, bombed, { means: "window", cookies }));
    note(await attackByBack(other, bombed, cookies));
  }
  return sights;
}

async function openHostile(): Promise<HostileWindow> {
  const page = await reader.newPage();
  const home = ground.hostile.raw_url;
  const opened: Page[] = [];
  page.on("popup", (popup) => opened.push(popup));
  await page.goto(home);
  return {
    evaluate: (expression) => page.evaluate(expression),
    leadAndPressBack: async (expression) => {
      const left = page.waitForURL((url) => url.href !== home, { timeout: 5_000 });
      await page.evaluate(expression);
      await left.catch(() => undefined);
      if (page.url() !== home) await page.goBack();
      if (page.url() !== home) await page.goto(home);
    },
    closeOthers: async () => {
      await Promise.all(opened.splice(0).map((popup) => popup.close()));
    },
  };
}
