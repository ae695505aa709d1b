import { Problem } from "../problem.ts";
import { isWebAddress } from "../service/fields.ts";

/** Characters in a URL that a shell may interpret. On Windows, PowerShell opens the browser. */
const shellCharacters = /[^A-Za-z0-9\-._~:/?#[\]@&+,;=%]/g;

/**
 * Opens a URL in the browser.
 *
 * @throws Problem unless the URL has http or https; other schemes may start programs or open local files
 */
export async function openBrowser(address: string): Promise<void> {
  if (!isWebAddress(address))
    throw new Problem(`${JSON.stringify(address)} is not an http or https address. Nothing was opened.`);
  const { default: open } = await import("open");
  await open(toShellSafe(address));
}

/** Percent-encodes the characters of a URL that a shell may interpret. */
export function toShellSafe(address: string): string {
  return new URL(address).href.replaceAll(
    shellCharacters,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
