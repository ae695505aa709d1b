import { expect } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { readSuccess } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { race } from "../support/race.ts";
import { clientOf, type GivenPerson } from "./given-person.ts";

const body = { html: pageOf("last"), title: "Last" };

/** Publishes concurrently with room for one drop, and checks that one publication succeeds. */
export async function raceForLastDrop(person: GivenPerson, racers: number): Promise<void> {
  const responses = await race(racers, (index) => clientOf(person, index).call("publish-drop", { body }));

  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const refused of responses.filter(({ status }) => status !== 201)) {
    const { details } = expectError(refused, "quota_exceeded");
    expect(details.retry_after_seconds).toBe(limits.quotaRetryAfterSeconds);
  }
}

/** Deletes a drop of a full account, and checks that exactly one more can be published. */
export async function expectRoomForOneDrop({ api }: GivenPerson, slug: string): Promise<void> {
  await api.succeed("delete-drop", { params: { slug } });

  expect((await publish(api)).latest_version).toBe(1);
  expectError(await api.call("publish-drop", { body }), "quota_exceeded");
}

/** Publishes versions concurrently with room for one, and checks that one succeeds. */
export async function raceForLastVersion(person: GivenPerson, slug: string, racers: number): Promise<void> {
  const responses = await race(racers, (index) => putVersion(person, slug, index));

  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const refused of responses.filter(({ status }) => status !== 200)) {
    const { details } = expectError(refused, "version_limit_reached");
    expect(details.retry_after_seconds).toBe(limits.quotaRetryAfterSeconds);
  }
}

/** Deletes a version of a full drop, and checks that exactly one more can be published, with an unused number. */
export async function expectRoomForOneVersion(
  person: GivenPerson,
  slug: string,
  { deleted, next }: { readonly deleted: number; readonly next: number },
): Promise<void> {
  await person.api.succeed("delete-version", { params: { slug, n: deleted } });

  expect(readSuccess("publish-version", await putVersion(person, slug)).latest_version).toBe(next);
  expectError(await putVersion(person, slug), "version_limit_reached");
}

function putVersion(person: GivenPerson, slug: string, index = 0) {
  const put = { params: { slug }, body: { html: pageOf(`${index}`) } };
  return clientOf(person, index).call("publish-version", put);
}
