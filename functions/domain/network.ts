import { isIPv6 } from "node:net";

/** The groups of an IPv6 address that name a network; the other four are its holder's to choose (RFC 4291, section 2.5.4). */
const networkGroups = 4;
const allGroups = 8;

/**
 * Whose an address is, for limits: an IPv4 address, or the network of an IPv6 one, of which everyone has 2^64 addresses
 * to come from. IPv4 addresses that are written as IPv6 stay apart.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const network = groups.slice(0, networkGroups);
  return network.every((group) => group === "0") ? groups.join(":") : `${network.join(":")}::/64`;
}

/** Its eight groups without leading zeros: the URL parser knows every way to write them (URL Standard, section 3.5). */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split("::").map((part) => part.split(":").filter(Boolean));
  return [...head, ...Array(allGroups - head.length - tail.length).fill("0"), ...tail];
}
