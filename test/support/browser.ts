import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium, type Page } from "playwright-core";

/** Starts Chromium with its web security as people have it. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    // Not the package's own arguments: they turn web security off.
    args: ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

/** Collects what the page complains of: uncaught errors, refused resources, breaches of its own policy. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return complaints;
}
