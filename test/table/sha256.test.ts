import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { Sha256 } from "../../functions/table/aws-client.ts";

const hexOf = async (sha256: Sha256) => Buffer.from(await sha256.digest()).toString("hex");

test("a digest is SHA-256 of all input, and of the input since a reset", async () => {
  const sha256 = new Sha256();

  sha256.update("a");
  sha256.update(Buffer.from("bc"));
  const first = await hexOf(sha256);
  sha256.reset();
  sha256.update("ü");

  expect(first).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(await hexOf(sha256)).toBe(createHash("sha256").update("ü").digest("hex"));
});

const bytes = Buffer.from("a key in the middle of something");

test.each<[string, string | ArrayBuffer | Uint8Array]>([
  ["a string", "a key"],
  ["bytes", bytes.subarray(2, 5)],
  ["a buffer", new Uint8Array([1, 2, 3]).buffer],
])("with %s as key, each digest is HMAC-SHA-256", async (_kind, key) => {
  const secret = key instanceof ArrayBuffer ? Buffer.from(key) : key;

  for (const text of ["one", "two"]) {
    const sha256 = new Sha256(key);
    sha256.update(text);

    expect(await hexOf(sha256)).toBe(createHmac("sha256", secret).update(text).digest("hex"));
  }
});
