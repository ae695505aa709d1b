/** Parsing that both sides of the viewer's frame share: URLs, and the keys that print. */

/** An address, absolute or of a page; undefined for what is none. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

export function isPrintKey({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "p";
}
