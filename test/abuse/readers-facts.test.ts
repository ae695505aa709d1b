import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Identity } from "../../functions/people/accounts.ts";
import { findReader } from "../../functions/people/find-reader.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";

let person: GivenPerson;
let identity: Identity;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("facts");
  identity = {
    provider: "https://id.example.com",
    id: person.namespace,
    username: person.namespace,
    emails: [`${person.namespace}@example.com`],
    groups: [],
    organizations: [],
  };
  // Only people whom the operator added are members here.
  vi.stubEnv("MEMBERS", "");
});

afterAll(() => void vi.unstubAllEnvs());

test("a reader's account is found even if it was created after the session", async () => {
  for (const userId of [person.userId, undefined]) {
    expect(await findReader({ identity, userId })).toMatchObject({ userId: person.userId, isBarred: false });
  }
});

test("another person's account does not belong to the reader, whatever the session claims", async () => {
  const stranger = { ...identity, id: "a stranger" };

  expect((await findReader({ identity: stranger, userId: person.userId })).userId).toBeUndefined();
});

test("a person is a member from being added until being removed", async () => {
  expect((await findReader({ identity, userId: undefined })).isMember).toBe(false);

  const [email = ""] = identity.emails;
  await write(keys.member("email", email), "SET createdAtMs = :now");
  expect(await findReader({ identity, userId: undefined })).toMatchObject({
    isMember: true,
    isBarred: false,
  });

  await write(keys.member("email", email), "SET deniedAtMs = :now");
  expect(await findReader({ identity, userId: undefined })).toMatchObject({
    isMember: false,
    isBarred: true,
  });
  await write(keys.member("email", email), "SET createdAtMs = :now REMOVE deniedAtMs");
});

test("a suspended or banned person is barred, whether the session names their account or not", async () => {
  for (const [key, mark] of [
    [keys.account(person.userId), "suspendedAtMs"],
    [keys.identity(identity.provider, identity.id), "bannedAtMs"],
  ] as const) {
    await write(key, `SET ${mark} = :now`);
    for (const userId of [person.userId, undefined])
      expect((await findReader({ identity, userId })).isBarred).toBe(true);
    await write(key, `SET seenAtMs = :now REMOVE ${mark}`);
  }
});

async function write(key: Key, update: string): Promise<void> {
  const condition = "attribute_exists(pk) OR attribute_not_exists(pk)";
  await updateItem({ key, update, condition, values: { ":now": Date.now() } });
}
