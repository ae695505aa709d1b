import { expect, test } from "vitest";
import { findByOwnershipPointer, type OwnershipPointer } from "../../functions/table/ownership-pointer.ts";

const ada: OwnershipPointer = { ownerId: "ada", transferCount: 0 };
const grace: OwnershipPointer = { ownerId: "grace", transferCount: 1 };

/** An item that is at each of these places in turn, and moves after each failed read. */
function moving(...places: readonly (OwnershipPointer | undefined)[]) {
  let reads = 0;
  const looks: string[] = [];
  return {
    looks,
    again: async () => places[Math.min(++reads, places.length - 1)],
    at: (isThere: (place: OwnershipPointer) => boolean) => async (place: OwnershipPointer) => {
      looks.push(place.ownerId);
      return isThere(place) ? `at ${place.ownerId}` : undefined;
    },
  };
}

test("an item at its pointer's owner is found with one read", async () => {
  const { looks, again, at } = moving(ada);

  expect(await findByOwnershipPointer(ada, { again, at: at(() => true) })).toEqual({
    place: ada,
    found: "at ada",
  });
  expect(looks).toEqual(["ada"]);
});

test("an item that moves between the two reads is found at its new owner", async () => {
  const { again, at } = moving(ada, grace);

  const found = await findByOwnershipPointer(ada, { again, at: at(({ ownerId }) => ownerId === "grace") });

  expect(found).toEqual({ place: grace, found: "at grace" });
});

test("an item that moves away and back between the reads is not reported as missing", async () => {
  const back: OwnershipPointer = { ownerId: "ada", transferCount: 2 };
  const { again, at } = moving(ada, back);

  const found = await findByOwnershipPointer(ada, {
    again,
    at: at(({ transferCount }) => transferCount === 2),
  });

  expect(found).toEqual({ place: back, found: "at ada" });
});

test("a missing item is not found, with any pointer", async () => {
  for (const places of [[ada], [ada, undefined], [undefined]]) {
    const { again, at } = moving(...places);
    expect(await findByOwnershipPointer(places[0], { again, at: at(() => false) })).toBeUndefined();
  }
});

test("an item that keeps moving is not reported as missing", { tags: "slow" }, async () => {
  const { again, at } = moving(
    ...Array.from({ length: 99 }, (_, index) => ({ ...ada, transferCount: index })),
  );

  await expect(findByOwnershipPointer(ada, { again, at: at(() => false) })).rejects.toMatchObject({
    code: "unavailable",
  });
});
