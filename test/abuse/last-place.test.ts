import { beforeAll, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { givenDrops, givenPerson, openStores, setCounter } from "./given-person.ts";
import { expectRoomForOneDrop, raceForLastDrop } from "./last-places.ts";

beforeAll(openStores);

test("one of three concurrent publications gets the account's last slot, and deleting a drop frees one", {
  tags: "slow",
}, async () => {
  const person = await givenPerson("last-of-three");
  const [given] = await givenDrops(person, 1);
  await setCounter(person, "dropCount", limits.dropsPerAccountMax - 1);

  await raceForLastDrop(person, 3);

  expect((await person.api.succeed("get-usage")).drops.used).toBe(limits.dropsPerAccountMax);
  await expectRoomForOneDrop(person, given?.slug ?? "");
});
