import { Problem } from "../problem.ts";
import { isWebAddress } from "../service/fields.ts";

/** Characters of an address that a shell reads: on Windows the program that opens the browser is PowerShell. */
const shellCharacters = /[^A-Za-z0-9\-._~:/?#[\]@&+,;=%]/g;

/**
 * Opens an address in the browser.
 *
 * @throws Problem unless it is an http or https address: others start programs or open files of this machine
 */
export async function openBrowser(address: string): Promise<void> {
  if (!isWebAddress(address))
    throw new Problem(`${JSON.stringify(address)} is not an http or https address. Nothing was opened.`);
  const { default: open } = await import("open");
  await open(toShellSafe(address));
}

/** The same address without characters that a shell reads. */
export function toShellSafe(address: string): string {
  return new URL(address).href.replaceAll(
    shellCharacters,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
