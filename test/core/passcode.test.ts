import { expect, test } from "vitest";
import { hashPasscode, matchesPasscode } from "../../functions/core/passcode.ts";

test("a passcode matches its own hash, and no other passcode does", { tags: "slow" }, async () => {
  const stored = await hashPasscode("geheim 🔑");

  await expect(matchesPasscode("geheim 🔑", stored)).resolves.toBe(true);
  await expect(matchesPasscode("geheim", stored)).resolves.toBe(false);
});

test("a stored passcode has its scrypt cost and a separate 16-byte salt", async () => {
  const [one = "", other = ""] = await Promise.all([hashPasscode("same"), hashPasscode("same")]);
  const [, cost, blockSize, parallelism, salt = ""] = one.split("$");

  expect([cost, blockSize, parallelism]).toEqual(["32768", "8", "1"]);
  expect(Buffer.from(salt, "base64url").byteLength).toBe(16);
  expect(one).not.toBe(other);
});
