/** RFC 5321, section 4.5.3.1.3: a path has 256 characters, two of which are its brackets. */
const charactersMax = 254;

/** What RFC 5321, section 4.1.2, calls a Dot-string; quoted local parts are nobody's address today. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

const domainName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * An e-mail address as it is compared, in lower case; undefined for a text that is none. Of ASCII alone: a letter that
 * looks like another makes another address.
 */
export function parseEmailAddress(text: string): string | undefined {
  const address = toLowerAscii(text.trim());
  const at = address.indexOf("@");
  const isAddress = at > 0 && localPart.test(address.slice(0, at)) && domainName.test(address.slice(at + 1));
  return isAddress && address.length <= charactersMax ? address : undefined;
}

/** A domain of e-mail addresses as it is compared; undefined for a text that is none. An encoded name (`xn--`) is one. */
export function parseEmailDomain(text: string): string | undefined {
  const domain = toLowerAscii(text.trim());
  return domainName.test(domain) && domain.length <= charactersMax ? domain : undefined;
}

/** What comes after the at sign. */
export function emailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** Without the letters of other scripts, of which some have an ASCII letter as their lower case: the Kelvin sign has. */
export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
