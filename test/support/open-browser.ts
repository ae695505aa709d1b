import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { connectBrowser } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Endpoint of the run's browser. */
    readonly browserEndpoint: string;
  }
}

/** Connects a file to the run's browser. Kept apart from the code that starts the browser, which is not a test. */
export function openBrowser(): Promise<Browser> {
  return connectBrowser(inject("browserEndpoint"));
}
