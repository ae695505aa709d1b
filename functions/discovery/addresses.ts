import { type Address, addressesOf } from "../http/address-hints.ts";
import { operationIds, routeOf } from "../routes.ts";

/** `addresses.json`: the addresses among which the error for an unknown address suggests the nearest. */
export function writeAddresses(): readonly Address[] {
  return addressesOf(operationIds.map(routeOf));
}
