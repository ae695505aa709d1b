import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { type Artefact, sourceOf } from "./artefact.ts";
import { type Comparison, compareVisits, findUnsteady, isBlank, type Verdict, worseOf } from "./compare.ts";
import type { PlainServer } from "./plain-server.ts";
import { corpusPasscode, type PublishedArtefact } from "./publish.ts";
import { allWidths, type Visit, visit, type Way, type WayName, type Width } from "./visit.ts";

/** Results of an artefact, as stored in docs/measured/corpus.json. */
export interface MeasuredArtefact {
  readonly name: string;
  readonly source: string;
  readonly kind: string;
  /** For each way of opening the artefact, the worse verdict of the two widths. */
  readonly results: Readonly<Partial<Record<WayName, Verdict>>>;
  /** Differences from the page on the plain server, and the viewer's notices. */
  readonly differences: readonly (Omit<Comparison, "verdict"> & {
    readonly way: WayName;
    readonly width: Width;
  })[];
  /** Warnings in the response to the publication. */
  readonly warnings: readonly string[];
  /** Error message of the service, if the service refused the artefact. */
  readonly refusal?: string;
  /** Steps that fail even on the plain server, because the artefact's definition is wrong. */
  readonly undone?: readonly string[];
}

export interface MeasureOptions {
  readonly browser: Browser;
  readonly plain: PlainServer;
  readonly measuredWays: readonly WayName[];
  /** Widths to measure. @default - all widths */
  readonly measuredWidths?: readonly Width[];
  /** Folder for pictures of differing pages, beside the plain server's pictures. @default - pictures are not saved */
  readonly picturesDirectory?: string;
  /** Cookies of a signed-in reader, for the way `restricted`. @default - no cookies */
  readonly reader?: BrowserContextOptions["storageState"];
}

/** Opens an artefact at both widths, on the plain server and in every way on the service. Compares the results. */
export async function measureArtefact(
  artefact: Artefact,
  { addresses, warnings, refusal }: PublishedArtefact,
  { browser, plain, reader, measuredWays, measuredWidths = allWidths, picturesDirectory }: MeasureOptions,
): Promise<MeasuredArtefact> {
  const { name, kind } = artefact;
  const about = { name, source: sourceOf(artefact), kind };
  const results: Partial<Record<WayName, Verdict>> = {};
  if (refusal !== undefined) {
    for (const way of measuredWays) results[way] = "different";
    return { ...about, results, differences: [], warnings, refusal };
  }
  const differences: MeasuredArtefact["differences"][number][] = [];
  const undone = new Set<string>();
  for (const width of measuredWidths) {
    const see = (way: Way, truth?: Visit, storageState?: MeasureOptions["reader"]) =>
      inNewContext(browser, storageState, (context) => visit(context, way, width, artefact, truth));
    const plainWay = { address: plain.addressOf(name), isFramed: false };
    const truth = await see(plainWay);
    for (const [step, problem] of Object.entries(truth.problems)) undone.add(`${width} ${step}: ${problem}`);
    if (truth.looks.open && isBlank(truth.looks.open)) undone.add(`${width} open: the page is blank`);
    let again: Visit | undefined;
    for (const way of measuredWays) {
      const storageState = way === "restricted" ? reader : undefined;
      const seen = await see(wayTo(way, addresses[way] ?? ""), truth, storageState);
      let compared = compareVisits(truth, seen);
      if (compared.verdict !== "same") {
        again ??= await see(plainWay);
        compared = compareVisits(truth, seen, findUnsteady(truth, again));
        if (picturesDirectory !== undefined)
          await savePictures(join(picturesDirectory, `${name}-${width}`), { plain: truth, [way]: seen });
      }
      const { verdict, ...rest } = compared;
      results[way] = worseOf(results[way] ?? "same", verdict);
      if (verdict !== "same" || rest.notices.length > 0) differences.push({ way, width, ...rest });
    }
  }
  return { ...about, results, differences, warnings, ...(undone.size > 0 ? { undone: [...undone] } : {}) };
}

async function savePictures(start: string, visits: Readonly<Record<string, Visit>>): Promise<void> {
  for (const [way, { looks }] of Object.entries(visits))
    for (const [step, { picture }] of Object.entries(looks))
      await writeFile(`${start}-${step}-${way}.png`, picture);
}

function wayTo(name: WayName, address: string): Way {
  return { address, isFramed: name !== "raw", ...(name === "locked" ? { enter: unlock } : {}) };
}

async function unlock(page: Page): Promise<void> {
  if ((await page.locator("iframe").count()) > 0) return;
  await page.getByLabel("Passcode").fill(corpusPasscode);
  await page.getByRole("button", { name: "Open" }).click();
  await page.locator("iframe").waitFor();
  await page.waitForLoadState("load");
}

async function inNewContext<Value>(
  browser: Browser,
  storageState: MeasureOptions["reader"],
  use: (context: BrowserContext) => Promise<Value>,
): Promise<Value> {
  const settings = { reducedMotion: "reduce", locale: "en-US", timezoneId: "UTC" } as const;
  const context = await browser.newContext({ ...settings, ...(storageState && { storageState }) });
  try {
    await context.addInitScript(seedRandom);
    return await use(context);
  } finally {
    await context.close();
  }
}

/** Seeds the page's random numbers, so that they are the same at each visit. Many charts use random positions. */
function seedRandom(): void {
  let state = 1;
  Math.random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
