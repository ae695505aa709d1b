import { type RandomInt, randomBase62 } from "./identifiers.ts";

const charactersMax = 40;

/**
 * Names that would be mistaken for the service's own, or that mail and certificates give a meaning (RFC 2142). The first
 * part of every path is among them: at the origins a file's path is its namespace and id.
 */
const reserved = new Set(
  (
    "abuse account accounts admin administrator api app assets auth autoconfig autodiscover b billing blob blobs blog cdn " +
    "d dashboard dev dns docs download drop dropleaf drops email files ftp git help home hostmaster imap info internal " +
    "localhost login logout mail mcp media mx news ns ns1 ns2 oauth owner p pop postmaster public raw register root " +
    "security settings sign-in signin signup smtp ssl staging static status support system test token tokens user " +
    "users verify webmail webmaster wpad www"
  ).split(" "),
);

/**
 * The name of an owner's host, from the provider's user name: a DNS label (RFC 1035, section 2.3.1) of at most 40
 * characters. The first attempt is the plain name; later ones, for names that are taken, get a suffix.
 */
export function namespaceCandidate(username: string, attempt: number, randomInt: RandomInt): string {
  const plain = toLabel(username);
  if (attempt === 0 && !reserved.has(plain)) return plain;
  const suffix = attempt < 9 ? String(attempt + 1) : randomBase62(randomInt, 6).toLowerCase();
  const stem = plain.slice(0, charactersMax - suffix.length - 1).replace(/-+$/, "");
  return `${stem}-${attempt === 0 ? "1" : suffix}`;
}

/** Letters, digits and single hyphens: no label of ours looks like an encoded one (`xn--`). */
function toLabel(username: string): string {
  const ascii = username
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}/gu, "");
  const label = ascii
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, charactersMax)
    .replace(/^-+|-+$/g, "");
  return label === "" ? "user" : label;
}
