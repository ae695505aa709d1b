/** Input that both sides of the viewer's frame read: URLs, senders of messages, and the keys that print. */

/** Parses an address, absolute or relative to a page. Undefined for an invalid one. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * The path of a framed page in its folder, from the path of its address, which begins with `…/raw/@…/` unless the
 * folder has a host.
 */
export function pathInFolder(pathname: string): string | undefined {
  return /^(?:.*?\/raw\/@[^/]+)?\/(.*)/.exec(pathname)?.[1];
}

/** Recognizes messages of a window or of a frame inside it, at any depth. */
export function isFromWithin(outer: Window | null, source: MessageEventSource | null): boolean {
  let one = source as Window | null;
  // The top window is its own parent, and a closed one has none.
  while (one && one !== outer && one !== one.parent) one = one.parent;
  return one !== null && one === outer;
}

export function isPrintKey({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "p";
}
