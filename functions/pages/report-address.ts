import { environmentNames, findEnvironment } from "../platform/environment.ts";

/**
 * Where visitors report a page: the operator's contact, and where that is a mailbox, a message that names the page.
 * Undefined where the operator has named none. RFC 6068, section 2.
 */
export function reportAddress(pageUrl: string): string | undefined {
  const contact = findEnvironment(environmentNames.securityContact);
  const isBareMailbox = contact?.startsWith("mailto:") && !contact.includes("?");
  return isBareMailbox ? `${contact}?subject=${encodeURIComponent(`Report: ${pageUrl}`)}` : contact;
}
