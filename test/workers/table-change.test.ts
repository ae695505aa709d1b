import { describe, expect, test } from "vitest";
import { toTableChange } from "../../functions/background/table-change.ts";
import { readFileChange } from "../../functions/blobs/on-table-change.ts";
import { toBlobItem } from "../../functions/blobs/store.ts";
import { readExpiryWork } from "../../functions/drops/due-expiry.ts";
import { readDropChange } from "../../functions/drops/on-table-change.ts";
import { parseRequestedVersion, readReplacedObjects } from "../../functions/renders/on-table-change.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { givenDrop, ownerId } from "./items.ts";
import { streamRecord } from "./messages.ts";

const { dropItem: drop, versionItem: version } = givenDrop("abcdefg");
const blob = toBlobItem({
  id: "hijklmn",
  ownerId,
  namespace: "owner",
  filename: "a.png",
  contentType: "image/png",
  sizeBytes: 1,
  visibility: { kind: "public" },
  objectKey: "owner/hijklmn",
  createdAtMs: 1,
}) as Item & Key;

const render = {
  ...keys.render("abcdefg", 1),
  pageKey: "abcdefg/Object0000000001.html",
  state: "rendered",
  folder: "abcdefg/Render0000000001",
  pictures: [{ name: "card", mediaType: "image/png", widthPx: 1, heightPx: 1, sizeBytes: 1 }],
  atMs: 1,
};
const locked = { ...drop, gateEpoch: 1, passcodeHash: "scrypt$" };
const unlocked = { ...drop, gateEpoch: 2 };
const unlisted = { ...drop, visibility: "unlisted" };
const members = { ...drop, visibility: "members" };
const people = { ...drop, visibility: "people", readers: ["ada"] };

/** Returns the change of a drop, version, render or file in a record, or undefined if no feature has work. */
function readTableChange(record: ReturnType<typeof streamRecord>) {
  const change = toTableChange(record);
  const found = [readDropChange, readFileChange, readReplacedObjects].flatMap((read) => read(change) ?? []);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0];
}

describe("a change of the table", () => {
  test("that removes a drop is read with its slug and owner", () => {
    expect(readTableChange(streamRecord({ before: drop }))).toEqual({
      kind: "drop-removed",
      ownerId,
      slug: "abcdefg",
      namespace: "owner",
    });
  });

  test("that removes a version is read with the objects of its page and its context", () => {
    const { versionItem } = givenDrop("abcdefg", { context: "why" });
    const page = "abcdefg/Object0000000001.html";

    expect(readTableChange(streamRecord({ before: version }))).toEqual({
      kind: "version-removed",
      slug: "abcdefg",
      version: 1,
      pageKey: page,
      objectKeys: [page],
      packKeys: [],
    });
    expect(readTableChange(streamRecord({ before: versionItem }))).toMatchObject({
      objectKeys: [page, "abcdefg/Object0000000001.context.txt"],
    });
  });

  test("that adds a version is read with the slug and the version", () => {
    expect(readTableChange(streamRecord({ after: version }))).toEqual({
      kind: "version-added",
      slug: "abcdefg",
      version: 1,
    });
  });

  test("that removes or replaces pictures is read with their objects", () => {
    const objectKeys = [
      "_reports/abcdefg/Render0000000001/report.json",
      "cards/abcdefg/Render0000000001/card.png",
    ];
    const removed = { objectKeys };
    const replaced = { ...render, folder: "abcdefg/Render0000000002" };

    expect(readTableChange(streamRecord({ before: render }))).toEqual(removed);
    expect(readTableChange(streamRecord({ before: render, after: replaced }))).toEqual(removed);
  });

  test("that removes a file is read with its object", () => {
    expect(readTableChange(streamRecord({ before: blob }))).toEqual({
      kind: "removed",
      id: "hijklmn",
      namespace: "owner",
      objectKeys: ["owner/hijklmn"],
    });
  });

  test.each(["members", "people", "an unknown visibility"])(
    "that restricts a file to %s is read, like one that makes the file public",
    (visibility) => {
      const named = { kind: "changed", id: "hijklmn", namespace: "owner", isRescheduled: false };
      const apart = { ...blob, objectKey: "_restricted/owner/hijklmn/Object0000000001" };
      const changes: readonly (readonly [before: Item & Key, after: Item & Key, isRestricted: boolean])[] = [
        [blob, { ...blob, visibility }, true],
        [{ ...apart, visibility }, apart, false],
        // The visibility changed twice before the file was moved, and then once more.
        [apart, { ...apart, visibility }, true],
        [{ ...blob, visibility }, { ...blob, visibility, changedAtMs: 2 }, true],
      ];
      for (const [before, after, isRestricted] of changes)
        expect(readTableChange(streamRecord({ before, after }))).toEqual({ ...named, isRestricted });
    },
  );

  test.each([
    ["the first expiry", blob, { ...blob, expiresAtMs: 2 }],
    ["a later expiry", { ...blob, expiresAtMs: 2 }, { ...blob, expiresAtMs: 3 }],
    ["no expiry", { ...blob, expiresAtMs: 2 }, blob],
  ])("that sets the expiry of a file is read: %s", (_case, before, after) => {
    const named = { kind: "changed", id: "hijklmn", namespace: "owner", isRestricted: false };

    expect(readTableChange(streamRecord({ before, after }))).toEqual({ ...named, isRescheduled: true });
  });

  test("that locks a drop is read with its slug", () => {
    expect(readTableChange(streamRecord({ before: drop, after: locked }))).toEqual({
      kind: "drop-restricted",
      slug: "abcdefg",
      namespace: "owner",
    });
    expect(
      readTableChange(streamRecord({ before: unlocked, after: { ...locked, gateEpoch: 3 } })),
    ).toMatchObject({ kind: "drop-restricted" });
  });

  test("that sets a first or an earlier expiry of a drop is read, and no other change of its expiry", () => {
    const changes: readonly (readonly [before: object, after: object, isNamed: boolean])[] = [
      [{}, { expiresAtMs: 9 }, true],
      [{ expiresAtMs: 9 }, { expiresAtMs: 8 }, true],
      [{ expiresAtMs: 8 }, { expiresAtMs: 9 }, false],
      [{ expiresAtMs: 8 }, {}, false],
      [{ expiresAtMs: 8 }, { expiresAtMs: 8, title: "T" }, false],
    ];
    for (const [before, after, isNamed] of changes) {
      const found = readTableChange(
        streamRecord({ before: { ...drop, ...before }, after: { ...drop, ...after } }),
      );
      expect(found !== undefined).toBe(isNamed);
    }
  });

  test.each(["members", "people", "an unknown visibility"])(
    "that restricts a drop to %s is read, for public and unlisted drops",
    (visibility) => {
      for (const before of [drop, unlisted]) {
        expect(readTableChange(streamRecord({ before, after: { ...drop, visibility } }))).toEqual({
          kind: "drop-restricted",
          slug: "abcdefg",
          namespace: "owner",
        });
      }
    },
  );

  test.each<[string, Parameters<typeof streamRecord>[0]]>([
    ["for the first time", { after: { ...render, state: "asked" } }],
    ["although it has pictures", { before: render, after: { ...render, state: "asked" } }],
    [
      "again, minutes later",
      { before: { ...render, state: "asked", atMs: 1 }, after: { ...render, state: "asked", atMs: 2 } },
    ],
  ])("that requests a version's report %s is read with the version", (_, change) => {
    const requested = { slug: "abcdefg", version: 1, isAsked: true };

    expect(parseRequestedVersion(toTableChange(streamRecord(change)))).toEqual(requested);
    expect(readTableChange(streamRecord(change))).toBeUndefined();
  });

  test.each<[string, Parameters<typeof streamRecord>[0]]>([
    ["a locked drop's title", { before: locked, after: { ...locked, title: "T" } }],
    ["an unlocked drop's title", { before: unlocked, after: { ...unlocked, title: "T" } }],
    [
      "a locked drop's passcode",
      { before: locked, after: { ...locked, gateEpoch: 2, passcodeHash: "scrypt$2" } },
    ],
    ["a removed passcode", { before: locked, after: unlocked }],
    ["a new locked drop", { after: locked }],
    ["a public drop that becomes unlisted", { before: drop, after: unlisted }],
    ["an unlisted drop that becomes public", { before: unlisted, after: drop }],
    ["a members' drop that is restricted to people", { before: members, after: people }],
    ["a members' drop that is locked", { before: members, after: { ...members, passcodeHash: "scrypt$" } }],
    [
      "a locked drop that is restricted to members",
      { before: locked, after: { ...locked, visibility: "members" } },
    ],
    ["a members' drop that becomes public", { before: members, after: drop }],
    ["a version's first render", { after: render }],
    [
      "a version whose report was requested before",
      { before: { ...render, state: "asked" }, after: { ...render, state: "asked" } },
    ],
    ["the views of a drop", { before: { ...keys.views(ownerId, "abcdefg"), viewCount: 1 } }],
    [
      "an account",
      { before: { ...keys.account(ownerId) }, after: { ...keys.account(ownerId), dropCount: 1 } },
    ],
    ["a token", { before: { ...keys.token("hash"), hash: "hash" } }],
    [
      "an expired audit entry",
      { before: { ...keys.auditLine(1, "line", ownerId), action: "delete-drop", ownerId, slug: "abcdefg" } },
    ],
    ["a public file that becomes unlisted", { before: blob, after: { ...blob, visibility: "unlisted" } }],
    [
      "a restricted file that was moved to its restricted location",
      {
        before: { ...blob, visibility: "members" },
        after: { ...blob, visibility: "members", objectKey: "_restricted/owner/hijklmn/Object0000000001" },
      },
    ],
    ["a slug's pointer", { before: { ...keys.pointer("abcdefg"), ownerId } }],
  ])("of %s requires no work", (_, change) => {
    expect(readTableChange(streamRecord(change))).toBeUndefined();
  });

  test("is refused if an item does not name the object or path to remove", () => {
    expect(() => readTableChange(streamRecord({ before: { ...version, pageKey: undefined } }))).toThrow(
      "pageKey",
    );
    expect(() => readTableChange(streamRecord({ before: { ...blob, objectKey: "" } }))).toThrow("objectKey");
    expect(() => readTableChange(streamRecord({ before: { ...drop, namespace: undefined } }))).toThrow(
      "namespace",
    );
  });
});

describe("the due work of a drop", () => {
  const dayMs = 86_400_000;
  const of = (before: (Item & Key) | undefined, after: (Item & Key) | undefined) =>
    readExpiryWork(
      toTableChange(streamRecord({ ...(before ? { before } : {}), ...(after ? { after } : {}) })),
    ).map(({ kind, atMs }) => [kind, atMs]);

  test.each([
    ["is empty for a drop that never expires", undefined, drop, []],
    [
      "is a notice three days before its expiry, and the expiry",
      undefined,
      { ...drop, updatedAtMs: 5, expiresAtMs: 7 * dayMs },
      [
        ["expiring", 4 * dayMs],
        ["expired", 7 * dayMs],
      ],
    ],
    [
      "is the expiry only, if the drop expires within three days",
      drop,
      { ...drop, updatedAtMs: 5, expiresAtMs: 3 * dayMs },
      [["expired", 3 * dayMs]],
    ],
    [
      "is empty for another change of a drop that expires",
      { ...drop, expiresAtMs: 7 * dayMs },
      { ...drop, title: "New", expiresAtMs: 7 * dayMs },
      [],
    ],
    ["is empty for a drop whose expiry was removed", { ...drop, expiresAtMs: 7 * dayMs }, drop, []],
    ["is empty for a deleted drop", { ...drop, expiresAtMs: 7 * dayMs }, undefined, []],
  ] as const)("%s", (_, before, after, expected) => {
    expect(of(before, after)).toEqual(expected);
  });
});
