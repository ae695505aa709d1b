import { setTimeout as wait } from "node:timers/promises";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { type AccessibilityFinding, type Overflow, type PostForm, reportLimits } from "../report.ts";
import script from "./page-checks.client.ts?text";

/** Checks that run in an isolated world, which the page's scripts cannot reach. */
export type PageChecks = Awaited<ReturnType<typeof openPageChecks>>;

/** Time limit of axe-core. Pages that take longer get no accessibility findings. */
const accessibilityMsMax = 2_500;
/** Timeout of a check. On an idle page, a check takes less time. */
const answerMsMax = 3_000;

/** @throws Error if the page does not respond in time */
export async function openPageChecks(context: BrowserContext, page: Page) {
  const { session, executionContextId } = await withTimeout(answerMsMax, openWorld(context, page));
  const ask = <Result>(expression: string, msMax = answerMsMax) =>
    evaluate<Result>(session, executionContextId, expression, msMax);
  await ask(`${script};0`);
  return {
    /** Returns the milliseconds from the start of the load to the load event. Returns undefined if the event does not fire in time. */
    async loaded(msMax: number): Promise<number | undefined> {
      try {
        return await ask<number>("dropleafChecks.loaded()", msMax);
      } catch {
        // If the page does not respond at all, the next check throws.
        return undefined;
      }
    },
    height: () => ask<number>("dropleafChecks.measure()"),
    /** Resolves when the fonts are loaded, or after the limit. */
    async fonts(msMax: number): Promise<void> {
      const loading = ask("document.fonts.ready.then(() => 0)", msMax);
      await loading.catch(() => undefined);
    },
    overflow: () => ask<Overflow | undefined>("dropleafChecks.findOverflow()"),
    postForms: () => ask<readonly PostForm[]>("dropleafChecks.findPostForms()"),
    /** Checks accessibility. Returns undefined if the check takes too long. */
    async accessibility(): Promise<readonly AccessibilityFinding[] | undefined> {
      try {
        const found = await ask<AccessibilityFinding[]>("dropleafChecks.findFaults()", accessibilityMsMax);
        return found.slice(0, reportLimits.entriesMax);
      } catch {
        return undefined;
      }
    },
  };
}

/** Creates an isolated world for the checks; see "Page.createIsolatedWorld", Chrome DevTools Protocol. */
async function openWorld(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "dropleaf",
  });
  return { session, executionContextId };
}

async function evaluate<Result>(
  session: CDPSession,
  contextId: number,
  expression: string,
  msMax: number,
): Promise<Result> {
  const { result, exceptionDetails } = await withTimeout(
    msMax,
    session.send("Runtime.evaluate", {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
      // This timeout ends the evaluation in the page. `withTimeout` ends only the wait.
      timeout: msMax,
    }),
  );
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as Result;
}

/** @throws Error if the work takes longer than `msMax` */
export async function withTimeout<Result>(msMax: number, work: Promise<Result>): Promise<Result> {
  const ending = new AbortController();
  const late = wait(msMax, undefined, { signal: ending.signal }).then(() => {
    throw new Error(`The page took more than ${msMax} ms.`);
  });
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    ending.abort();
  }
}
