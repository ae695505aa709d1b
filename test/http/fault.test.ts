import { expect, test } from "vitest";
import { redactError } from "../../functions/core/log.ts";

test("an error is logged with its name and position, without its message", () => {
  const fault = redactError(new TypeError("secret\n    at secret"));

  expect(fault.fault).toBe("TypeError");
  expect(JSON.stringify(fault)).not.toContain("secret");
  expect(fault.at.some((line) => line.includes("fault.test.ts"))).toBe(true);
});

test("a thrown value that is not an error is logged with its type only", () => {
  expect(redactError("secret")).toEqual({ fault: "string", at: [] });
});
