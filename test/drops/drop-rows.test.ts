import type { QueryCommand } from "@aws-sdk/client-dynamodb";
import { expect, test, vi } from "vitest";
import { toDropRows, toListedDrop, toTaggedDrops } from "../../functions/drops/items.ts";
import { drops } from "../../functions/drops/store.ts";
import { dynamodb, type ItemAttributes, toAttributes } from "../../functions/platform/table.ts";

const site = { pk: "USER#ada" };

function dropRow(slug: string, more: Readonly<Record<string, unknown>> = {}): ItemAttributes {
  const fields = { slug, title: `Page ${slug}`, description: null, metadata: "[]", latestVersion: 3 };
  return toAttributes({ ...site, sk: `DROP#${slug}`, ...fields, createdAtMs: 1, updatedAtMs: 2, ...more });
}

function viewsRow(slug: string, viewCount: number): ItemAttributes {
  return toAttributes({ ...site, sk: `DROP#${slug}#VIEWS`, viewCount });
}

test("a drop has the views that were counted for it, and none of a neighbour that is gone", () => {
  const rows = [dropRow("aaaaaaa"), viewsRow("aaaaaaa", 7), dropRow("bbbbbbb"), viewsRow("ccccccc", 9)];

  const listed = toDropRows(rows).map((row) => toListedDrop(row, "ada"));

  expect(listed.map(({ slug, viewCount }) => [slug, viewCount])).toEqual([
    ["aaaaaaa", 7],
    ["bbbbbbb", 0],
  ]);
});

test("a listed drop is what its row says, a key that objects inherit too", () => {
  const metadata = JSON.stringify([["__proto__", "x"]]);

  const [row] = toDropRows([dropRow("aaaaaaa", { description: "", metadata, passcodeHash: "hash" })]);

  expect(row && toListedDrop(row, "ada")).toEqual({
    slug: "aaaaaaa",
    namespace: "ada",
    title: "Page aaaaaaa",
    description: "",
    metadata: new Map([["__proto__", "x"]]),
    latest: { version: 3 },
    gate: { kind: "locked" },
    viewCount: 0,
    createdAtMs: 1,
    updatedAtMs: 2,
  });
});

test("of an account's drops those are found that carry every tag, with their views", () => {
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
  );

  expect(found.map(({ slug, ownerId, viewCount }) => [slug, ownerId, viewCount])).toEqual([
    ["bbbbbbb", "ada", 4],
  ]);
});

test("a list asks the table for what it shows, sorts and filters by, and for nothing else", async () => {
  vi.stubEnv("TABLE_NAME", "table");
  const send = vi.spyOn(dynamodb, "send").mockImplementation(async () => ({ Items: [] }));

  await drops.listRows("ada");

  const [command] = send.mock.calls.flat() as unknown[] as [QueryCommand];
  send.mockRestore();
  vi.unstubAllEnvs();
  const shown = ["sk", "title", "description", "metadata", "latestVersion", "passcodeHash", "createdAtMs"];
  expect(
    command.input.ProjectionExpression?.split(", ").map(
      (name) => command.input.ExpressionAttributeNames?.[name],
    ),
  ).toEqual([...shown, "updatedAtMs", "viewCount"]);
});
