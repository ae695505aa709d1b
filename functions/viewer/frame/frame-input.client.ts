/** Parses input on both sides of the viewer's frame: URLs, message senders, and the print key. */

/** Parses a URL, absolute or relative to `base`. Returns undefined for an invalid URL. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Returns a framed page's path in its folder. The URL's path begins with `…/raw/@…/` unless the folder has a host. */
export function pathInFolder(pathname: string): string | undefined {
  return /^(?:.*?\/raw\/@[^/]+)?\/(.*)/.exec(pathname)?.[1];
}

/** Checks that a message comes from the window or from a frame inside it, at any depth. */
export function isFromWithin(outer: Window | null, source: MessageEventSource | null): boolean {
  let one = source as Window | null;
  // The top window is its own parent. A closed window has no parent.
  while (one && one !== outer && one !== one.parent) one = one.parent;
  return one !== null && one === outer;
}

export function isPrintKey({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "p";
}
