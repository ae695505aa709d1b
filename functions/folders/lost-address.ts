/** Reason why no reader's browser can load an address: its scheme has no files on the web, or its host is the reader's own computer. */
export type LostReason = "scheme" | "local-host";

const schemePattern = /^[a-z][a-z0-9+.-]*(?=:)/i;

/** Schemes that a page's files can have in every browser. */
const loadableSchemes = new Set(["about", "blob", "data", "http", "https", "javascript", "ws", "wss"]);

const hostPattern = /^(?:(?:https?|wss?):)?\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i;

/** Hosts below localhost are not among them: a service on this machine has its owners' pages there. */
const localHost = /^(?:localhost|127(?:\.\d{1,3}){1,3}|0\.0\.0\.0|\[::1?\])$/i;

/** Finds out why an address cannot load for any reader; undefined for addresses that may load, such as relative ones. */
export function lostReasonOf(address: string): LostReason | undefined {
  const trimmed = address.trimStart();
  const scheme = schemePattern.exec(trimmed)?.[0].toLowerCase();
  if (scheme !== undefined && !loadableSchemes.has(scheme)) return "scheme";
  const host = hostPattern.exec(trimmed)?.[1];
  return host !== undefined && localHost.test(host) ? "local-host" : undefined;
}
