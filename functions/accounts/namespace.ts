import published from "reserved-usernames" with { type: "json" };
import { type RandomInt, randomBase62 } from "../platform/identifiers.ts";

const charactersMax = 40;

/**
 * Names that the published list does not have: those that programs look for at a host of this name (mail clients, RFC 8461, OpenPGP's
 * key directory), those at which people expect a company's own service, and first parts of paths. At the origins a file's path is its
 * namespace and id.
 */
const ours =
  "assets autodiscover b blob blobs ca cdn certs crl d drop dropleaf drops enterpriseenrollment enterpriseregistration exchange " +
  "extranet gateway identity idp internal kerberos ldap library lyncdiscover mcp mta-sts ntp ocsp oembed oidc openpgpkey owa p " +
  "pay payments pki proxy radius raw saml scim sip sso time tokens verify whois";

/** Compares a label, with and without the number at its end: `mx1` is as good a name for a mail server as `mx`. */
function isReserved(label: string): boolean {
  reserved ??= new Set([...published.map(toLabel), ...ours.split(" ")]);
  return reserved.has(label) || reserved.has(label.replace(/(?<!\d)\d+$/, ""));
}
let reserved: ReadonlySet<string> | undefined;

/**
 * The name of an owner's host, from the provider's user name: a DNS label (RFC 1035, section 2.3.1) of at most 40
 * characters. The first attempt is the plain name; later ones, for names that are taken, get a suffix, as reserved names do at once.
 */
export function namespaceCandidate(username: string, attempt: number, randomInt: RandomInt): string {
  const plain = toLabel(username);
  if (attempt === 0 && !isReserved(plain)) return plain;
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
