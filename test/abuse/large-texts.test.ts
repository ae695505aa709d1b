import { beforeAll, expect, test } from "vitest";
import { limits } from "../../functions/platform/limits.ts";
import { normalizePasscode } from "../../functions/platform/passcode.ts";
import { publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { durationMs } from "../support/patience.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";

/** One character that NFKC turns into 18. */
const growing = "\uFDFA";
const responseMsMax = 1_000;

let person: GivenPerson;
let slug: string;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("large-texts");
  slug = (await publish(person.api, { passcode: "abcd" })).slug;
  // What is measured is not how long a function takes to start.
  await person.api.succeed("edit-drop", { params: { slug }, body: {} });
  await fetchPage(`/p/${slug}/unlock`, { method: "POST", body: "passcode=wrong" });
  await person.api.succeed("set-passcode", { params: { slug }, body: { passcode: "abcd" } });
});

const expectQuick = (act: () => Promise<unknown>) =>
  expect.poll(() => durationMs(act)).toBeLessThan(responseMsMax);

test("a passcode of megabytes that grows when it is normalized is refused at once", async () => {
  const body = { passcode: growing.repeat(900_000) };

  const set = () => person.api.call("set-passcode", { params: { slug }, body });

  expectError(await set(), "invalid_arg");
  await expectQuick(set);
});

test("no passcode that is short enough after NFKC is refused for its length before", () => {
  const half = limits.passcodeBytesMax / 2;

  expect(normalizePasscode("\u{1d7d7}".repeat(2 * half))).toBe("9".repeat(2 * half));
  expect(normalizePasscode("\u{1d42e}\u0308\u0304".repeat(half))).toBe("\u01d6".repeat(half));
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (Buffer.byteLength(character.normalize("NFKC")) * 2 >= character.length) continue;
    throw new Error(`U+${codePoint.toString(16)} shrinks to less than half.`);
  }
});

test("a guess of megabytes at the gate is a wrong passcode, and is told so at once", async () => {
  const body = `passcode=${growing.repeat(900_000)}`;

  const guess = () => fetchPage(`/p/${slug}/unlock`, { method: "POST", body });

  expect((await guess()).status).toBe(403);
  await expectQuick(guess);
});

test("a metadata key of megabytes is not sent back", async () => {
  for (const key of ["k".repeat(2_900_000), "\u0001".repeat(480_000)]) {
    const body = { metadata: { [key]: "" } };

    const response = await person.api.call("edit-drop", { params: { slug }, body });

    expectError(response, "invalid_arg");
    expect(response.bytes.byteLength).toBeLessThan(4_096);
  }
});

test("a body nested a hundred thousand deep is refused", async () => {
  const depth = 100_000;
  const text = `{"title":${"[".repeat(depth)}${"]".repeat(depth)}}`;

  const edit = () => person.api.call("edit-drop", { params: { slug }, text });

  expectError(await edit(), "invalid_arg");
  await expectQuick(edit);
});
