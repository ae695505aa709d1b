import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { connectBrowser } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Endpoint of the run's browser. */
    readonly browserEndpoint: string;
  }
}

/** The run's browser, for one file. Apart from what starts it, which is no test. */
export function openBrowser(): Promise<Browser> {
  return connectBrowser(inject("browserEndpoint"));
}
