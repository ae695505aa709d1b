import { toLowerAscii } from "../policies/access.ts";

/** Maximum length of an address. An SMTP path has at most 256 characters, including two brackets (RFC 5321, section 4.5.3.1.3). */
const charactersMax = 254;

/** Local part in the form of a dot-string (RFC 5321, section 4.1.2). Quoted local parts are not accepted. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

const domainName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Normalizes an e-mail address to lower case. Returns undefined for other strings. Accepts only ASCII, because
 * similar-looking letters would make different addresses look the same.
 */
export function parseEmailAddress(text: string): string | undefined {
  const address = toLowerAscii(text.trim());
  const at = address.indexOf("@");
  const isAddress = at > 0 && localPart.test(address.slice(0, at)) && domainName.test(address.slice(at + 1));
  return isAddress && address.length <= charactersMax ? address : undefined;
}

/** Normalizes an e-mail domain. Returns undefined for other strings. Accepts Punycode (`xn--`). */
export function parseEmailDomain(text: string): string | undefined {
  const domain = toLowerAscii(text.trim());
  return domainName.test(domain) && domain.length <= charactersMax ? domain : undefined;
}

/**
 * Recognizes a user name that looks like an e-mail address, even with a fullwidth or small at sign. Only a verified address proves that the
 * person owns this name.
 */
export function isAddressLike(userName: string): boolean {
  return userName.normalize("NFKC").includes("@");
}
