import fc from "fast-check";
import { expect, test } from "vitest";
import { networkOf } from "../../functions/http/request.ts";

test("an IPv4 address is its own network", () => {
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
});

test.each([
  ["2001:db8::1", "2001:db8:0:0:ffff:ffff:ffff:ffff"],
  ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:DB8::2"],
  ["fe80::1%eth0", "fe80::2"],
])("%s and %s are in one network", (one, other) => {
  expect(networkOf(one)).toBe(networkOf(other));
});

test.each([
  ["2001:db8:0:1::1", "2001:db8:0:2::1"],
  ["::ffff:203.0.113.7", "::ffff:203.0.113.8"],
  ["2001:db8::1", "::1"],
])("%s and %s are in two networks", (one, other) => {
  expect(networkOf(one)).not.toBe(networkOf(other));
});

test("any text given as an address has a network", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (address) => {
      expect(networkOf(address)).toEqual(expect.any(String));
    }),
    { seed: 1 },
  );
});
