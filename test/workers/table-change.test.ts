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

/** The change of a drop, a version, a render or a file in a record; undefined where no feature has work. */
function readTableChange(record: ReturnType<typeof streamRecord>) {
  const change = toTableChange(record);
  const found = [readDropChange, readFileChange, readReplacedObjects].flatMap((read) => read(change) ?? []);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0];
}

describe("a change of the table", () => {
  test("that removes a drop names it and its owner", () => {
    expect(readTableChange(streamRecord({ before: drop }))).toEqual({
      kind: "drop-removed",
      ownerId,
      slug: "abcdefg",
      namespace: "owner",
    });
  });

  test("that removes a version names the objects of its page, and of its context if there is one", () => {
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

  test("that adds a version names it", () => {
    expect(readTableChange(streamRecord({ after: version }))).toEqual({
      kind: "version-added",
      slug: "abcdefg",
      version: 1,
    });
  });

  test("that removes or replaces pictures names their objects, which are no longer referenced", () => {
    const objectKeys = [
      "_reports/abcdefg/Render0000000001/report.json",
      "cards/abcdefg/Render0000000001/card.png",
    ];
    const removed = { objectKeys };
    const replaced = { ...render, folder: "abcdefg/Render0000000002" };

    expect(readTableChange(streamRecord({ before: render }))).toEqual(removed);
    expect(readTableChange(streamRecord({ before: render, after: replaced }))).toEqual(removed);
  });

  test("that removes a file names its object", () => {
    expect(readTableChange(streamRecord({ before: blob }))).toEqual({
      kind: "removed",
      id: "hijklmn",
      namespace: "owner",
      objectKeys: ["owner/hijklmn"],
    });
  });

  test.each(["members", "people", "what a later version knows"])(
    "that restricts a file to %s names it, and so does one that makes it public",
    (visibility) => {
      const named = { kind: "changed", id: "hijklmn", namespace: "owner", isRescheduled: false };
      const apart = { ...blob, objectKey: "_restricted/owner/hijklmn/Object0000000001" };
      const changes: readonly (readonly [before: Item & Key, after: Item & Key, isRestricted: boolean])[] = [
        [blob, { ...blob, visibility }, true],
        [{ ...apart, visibility }, apart, false],
        // Changed to and fro before it was moved, and once more after that.
        [apart, { ...apart, visibility }, true],
        [{ ...blob, visibility }, { ...blob, visibility, changedAtMs: 2 }, true],
      ];
      for (const [before, after, isRestricted] of changes)
        expect(readTableChange(streamRecord({ before, after }))).toEqual({ ...named, isRestricted });
    },
  );

  test.each([
    ["one that has not expired before", blob, { ...blob, expiresAtMs: 2 }],
    ["one that expires later by now", { ...blob, expiresAtMs: 2 }, { ...blob, expiresAtMs: 3 }],
    ["one that does not expire any more", { ...blob, expiresAtMs: 2 }, blob],
  ])("that sets the expiry of a file names it: %s", (_case, before, after) => {
    const named = { kind: "changed", id: "hijklmn", namespace: "owner", isRestricted: false };

    expect(readTableChange(streamRecord({ before, after }))).toEqual({ ...named, isRescheduled: true });
  });

  test("that locks a drop names it", () => {
    expect(readTableChange(streamRecord({ before: drop, after: locked }))).toEqual({
      kind: "drop-restricted",
      slug: "abcdefg",
      namespace: "owner",
    });
    expect(
      readTableChange(streamRecord({ before: unlocked, after: { ...locked, gateEpoch: 3 } })),
    ).toMatchObject({ kind: "drop-restricted" });
  });

  test("that sets an expiry, or an earlier one, names the drop", () => {
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

  test.each(["members", "people", "what a later version knows"])(
    "that restricts a drop to %s names it, whether it was listed or not",
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
    ["of one that has pictures", { before: render, after: { ...render, state: "asked" } }],
    [
      "again, minutes later",
      { before: { ...render, state: "asked", atMs: 1 }, after: { ...render, state: "asked", atMs: 2 } },
    ],
  ])("that requests a version's report %s names the version", (_, change) => {
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
    ["a passcode that is taken away", { before: locked, after: unlocked }],
    ["a new locked drop", { after: locked }],
    ["a drop that is not listed any more", { before: drop, after: unlisted }],
    ["a drop that is listed again", { before: unlisted, after: drop }],
    ["members' drop that is for some people now", { before: members, after: people }],
    ["members' drop that is locked", { before: members, after: { ...members, passcodeHash: "scrypt$" } }],
    [
      "a locked drop that is for members now",
      { before: locked, after: { ...locked, visibility: "members" } },
    ],
    ["a drop that was for members and is for everybody now", { before: members, after: drop }],
    ["a version that has a render now", { after: render }],
    [
      "a version whose report is asked for already",
      { before: { ...render, state: "asked" }, after: { ...render, state: "asked" } },
    ],
    ["the views of a drop", { before: { ...keys.views(ownerId, "abcdefg"), viewCount: 1 } }],
    [
      "an account",
      { before: { ...keys.account(ownerId) }, after: { ...keys.account(ownerId), dropCount: 1 } },
    ],
    ["a token", { before: { ...keys.token("hash"), hash: "hash" } }],
    [
      "a line of the audit trail, whose time to be kept is over",
      { before: { ...keys.auditLine(1, "line", ownerId), action: "delete-drop", ownerId, slug: "abcdefg" } },
    ],
    ["a file that is not listed any more", { before: blob, after: { ...blob, visibility: "unlisted" } }],
    [
      "a file that has gone where it is to be",
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
    ["a drop that never expires has none", undefined, drop, []],
    [
      "one that expires in a week has a notice three days before",
      undefined,
      { ...drop, updatedAtMs: 5, expiresAtMs: 7 * dayMs },
      [
        ["expiring", 4 * dayMs],
        ["expired", 7 * dayMs],
      ],
    ],
    [
      "one that expires within three days has no notice",
      drop,
      { ...drop, updatedAtMs: 5, expiresAtMs: 3 * dayMs },
      [["expired", 3 * dayMs]],
    ],
    [
      "a change of anything else plans nothing again",
      { ...drop, expiresAtMs: 7 * dayMs },
      { ...drop, title: "New", expiresAtMs: 7 * dayMs },
      [],
    ],
    ["one that does not expire any more has none", { ...drop, expiresAtMs: 7 * dayMs }, drop, []],
    ["one that is deleted has none", { ...drop, expiresAtMs: 7 * dayMs }, undefined, []],
  ] as const)("%s", (_, before, after, expected) => {
    expect(of(before, after)).toEqual(expected);
  });
});
