import { type Address, addressesOf } from "../http/missing-address.ts";
import { operationIds, routeOf } from "../routes.ts";

/** `addresses.json`: what a program may have meant that asks for an address which is nobody's. */
export function writeAddresses(): readonly Address[] {
  return addressesOf(operationIds.map(routeOf));
}
