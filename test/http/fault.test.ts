import { expect, test } from "vitest";
import { redactError } from "../../functions/core/log.ts";

test("of an error, its kind and place are told, and not its message", () => {
  const fault = redactError(new TypeError("secret\n    at secret"));

  expect(fault.fault).toBe("TypeError");
  expect(JSON.stringify(fault)).not.toContain("secret");
  expect(fault.at.some((line) => line.includes("fault.test.ts"))).toBe(true);
});

test("of what is thrown without being an error, only the type is told", () => {
  expect(redactError("secret")).toEqual({ fault: "string", at: [] });
});
