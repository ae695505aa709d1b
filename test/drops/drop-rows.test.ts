import type { QueryCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test, vi } from "vitest";
import { toDrop, toDropItem, toDropRows, toListedDrop, toTaggedDrops } from "../../functions/drops/items.ts";
import { drops } from "../../functions/drops/store.ts";
import { isOpenToAll, type Visibility } from "../../functions/policies/access.ts";
import { dynamodb, type RawItem } from "../../functions/table/table.ts";
import { givenDrop } from "../workers/items.ts";

const site = { pk: "USER#ada" };

function dropRow(slug: string, more: Readonly<Record<string, unknown>> = {}): RawItem {
  const fields = {
    slug,
    namespace: "ada",
    title: `Page ${slug}`,
    description: null,
    metadata: "[]",
    latestVersion: 3,
  };
  return marshall({ ...site, sk: `DROP#${slug}`, ...fields, createdAtMs: 1, updatedAtMs: 2, ...more });
}

function viewsRow(slug: string, viewCount: number): RawItem {
  return marshall({ ...site, sk: `DROP#${slug}#VIEWS`, viewCount });
}

test("a listed drop has its own view count, and not that of a deleted neighbour", () => {
  const rows = [dropRow("aaaaaaa"), viewsRow("aaaaaaa", 7), dropRow("bbbbbbb"), viewsRow("ccccccc", 9)];

  const listed = toDropRows(rows).map(toListedDrop);

  expect(listed.map(({ slug, viewCount }) => [slug, viewCount])).toEqual([
    ["aaaaaaa", 7],
    ["bbbbbbb", 0],
  ]);
});

test("a listed drop equals its stored item, even with a metadata key that objects inherit", () => {
  const metadata = JSON.stringify([["__proto__", "x"]]);

  const [row] = toDropRows([dropRow("aaaaaaa", { description: "", metadata, passcodeHash: "hash" })]);

  expect(row && toListedDrop(row)).toEqual({
    slug: "aaaaaaa",
    namespace: "ada",
    title: "Page aaaaaaa",
    description: "",
    metadata: new Map([["__proto__", "x"]]),
    latest: { version: 3 },
    gate: { kind: "locked" },
    visibility: { kind: "public" },
    indexed: false,
    viewCount: 0,
    createdAtMs: 1,
    updatedAtMs: 2,
  });
});

test("a listed drop keeps the namespace under which it was published after a transfer", () => {
  const [row] = toDropRows([dropRow("aaaaaaa", { namespace: "grace", ownerNamespace: "ada" })]);

  expect(row && toListedDrop(row).namespace).toBe("grace");
});

test("a drop's item stores the owner's namespace only if it differs from the one in its URLs", () => {
  const { drop, dropItem: item } = givenDrop("aaaaaaa");
  const moved = { ...drop, ownerNamespace: "grace" };

  expect(item).not.toHaveProperty("ownerNamespace");
  expect(toDrop(item, undefined).ownerNamespace).toBe("owner");
  expect(toDropItem(moved)).toMatchObject({ namespace: "owner", ownerNamespace: "grace" });
  expect(toDrop(toDropItem(moved), undefined)).toEqual(moved);
});

test("a listed drop has the visibility and readers of its item", () => {
  const readers = ["ada@example.com", "@example.org", "grace"];
  const rows = [
    dropRow("aaaaaaa", { visibility: "unlisted" }),
    dropRow("bbbbbbb", { visibility: "members" }),
    dropRow("ccccccc", { visibility: "people", readers }),
  ];

  const listed = toDropRows(rows).map((row) => toListedDrop(row).visibility);

  expect(listed).toEqual([
    { kind: "unlisted" },
    { kind: "members" },
    {
      kind: "people",
      readers: [
        { kind: "email", email: "ada@example.com" },
        { kind: "domain", domain: "example.org" },
        { kind: "username", username: "grace" },
      ],
    },
  ]);
});

test("a drop's item stores its visibility unless it is public, and an unknown visibility is not public", () => {
  const { drop, dropItem: item } = givenDrop("aaaaaaa");
  const readers = [{ kind: "domain", domain: "example.org" }] as const;
  const everyKind: Visibility[] = [
    { kind: "public" },
    { kind: "unlisted" },
    { kind: "members" },
    { kind: "people", readers },
  ];

  const kept = everyKind.map((visibility) => toDropItem({ ...drop, visibility }));

  expect(kept.map((stored) => toDrop(stored, undefined).visibility)).toEqual(everyKind);
  expect(kept.map(({ visibility, readers: named }) => [visibility, named])).toEqual([
    [undefined, undefined],
    ["unlisted", undefined],
    ["members", undefined],
    ["people", ["@example.org"]],
  ]);
  expect(isOpenToAll(toDrop({ ...item, visibility: "what a later version knows" }, undefined))).toBe(false);
});

test("a drop is indexed only if its item allows it, and not if an earlier release has restricted it since", () => {
  const { drop, dropItem: item } = givenDrop("aaaaaaa");
  const indexed = toDropItem({ ...drop, indexed: true });
  const isIndexed = (more: object) => [
    toDrop({ ...indexed, ...more }, undefined).indexed,
    ...toDropRows([marshall({ ...indexed, ...more }, { removeUndefinedValues: true })]).map(
      (row) => toListedDrop(row).indexed,
    ),
  ];

  expect(item).not.toHaveProperty("indexed");
  expect(toDrop(item, undefined).indexed).toBe(false);
  expect(isIndexed({})).toEqual([true, true]);
  expect(isIndexed({ passcodeHash: "hash" })).toEqual([false, false]);
  for (const visibility of ["unlisted", "members", "people"])
    expect(isIndexed({ visibility }), visibility).toEqual([false, false]);
});

test("a tag filter finds the account's drops with every given tag, with their views", () => {
  const tags = (...pairs: string[][]) => ({ metadata: JSON.stringify(pairs) });
  const both = tags(["kind", "report"], ["team", "red"]);
  const rows = [
    dropRow("aaaaaaa", tags(["kind", "report"])),
    dropRow("bbbbbbb", both),
    viewsRow("bbbbbbb", 4),
  ];

  const found = toTaggedDrops(
    rows,
    new Map([
      ["kind", "report"],
      ["team", "red"],
    ]),
    0,
  );

  expect(found.map(({ slug, ownerId, viewCount }) => [slug, ownerId, viewCount])).toEqual([
    ["bbbbbbb", "ada", 4],
  ]);
});

test("a list reads only the attributes that it shows, sorts and filters by", async () => {
  vi.stubEnv("TABLE_NAME", "table");
  const send = vi.spyOn(dynamodb, "send").mockImplementation(async () => ({ Items: [] }));

  await drops.listRows("ada", 0);

  const [command] = send.mock.calls.flat() as unknown[] as [QueryCommand];
  send.mockRestore();
  vi.unstubAllEnvs();
  const shown = ["sk", "namespace", "title", "description", "metadata", "latestVersion"];
  expect(
    command.input.ProjectionExpression?.split(", ").map((path) =>
      path
        .split(".")
        .map((name) => command.input.ExpressionAttributeNames?.[name])
        .join("."),
    ),
  ).toEqual([
    ...shown,
    "latestFolder.hasHost",
    "passcodeHash",
    "visibility",
    "readers",
    "indexed",
    "feedback",
    "answers",
    "answersResults",
    "expiresAtMs",
    "createdAtMs",
    "updatedAtMs",
    "viewCount",
  ]);
});
