import ipaddr from "ipaddr.js";

/** Of all IPv6 addresses those that are given out to the world: RFC 4291, section 2.4, and IANA's registry. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is one of the public internet: not of this machine, of a network of somebody's own, of a link, where
 * clouds have their metadata, or of what is put in front of such an address to reach it from another protocol.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast";
  return address.range() === "unicast" && address.match(globalUnicast);
}
