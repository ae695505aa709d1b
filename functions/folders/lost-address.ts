/** Reason why readers cannot load an address: browsers refuse the scheme, or the host is the reader's own computer. */
type LostReason = "scheme" | "local-host";

const schemePattern = /^[a-z][a-z0-9+.-]*(?=:)/i;

/** Schemes from which every browser can load files. */
const loadableSchemes = new Set(["about", "blob", "data", "http", "https", "javascript", "ws", "wss"]);

const hostPattern = /^(?:(?:https?|wss?):)?\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i;

/** Matches the local computer's hosts, except subdomains of localhost, because a locally running service uses them for owners. */
const localHost = /^(?:localhost|127(?:\.\d{1,3}){1,3}|0\.0\.0\.0|\[::1?\])$/i;

/** Finds the reason why readers cannot load an address. Returns undefined for all other addresses, such as relative ones. */
export function lostReasonOf(address: string): LostReason | undefined {
  const trimmed = address.trimStart();
  const scheme = schemePattern.exec(trimmed)?.[0].toLowerCase();
  if (scheme !== undefined && !loadableSchemes.has(scheme)) return "scheme";
  const host = hostPattern.exec(trimmed)?.[1];
  return host !== undefined && localHost.test(host) ? "local-host" : undefined;
}
