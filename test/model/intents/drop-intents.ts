import fc from "fast-check";
import { visibilityKinds } from "../../../functions/policies/access.ts";
import type { OperationId } from "../../../functions/routes.ts";
import type { CallOptions } from "../../support/client.ts";
import type { Call } from "../call.ts";
import { type DropState, findDrop, taggedDrops } from "../state.ts";
import { credential, credentialWords, type Intent, nameOf, slugOf, target, tokenFor } from "./intent.ts";

const words = fc.constantFrom("a", "one", "two", "  spaced  ", "<b>&amp;\"'", "🍃".repeat(200), "ü — 漢字");
const html = fc.oneof(
  fc.constantFrom(
    "<p>1",
    "<!doctype html><html><head><title>t</title></head><body>x</body></html>",
    "text only",
  ),
  fc.nat({ max: 3_000 }).map((length) => `<!doctype html><html lang="en"><body><p>${"é".repeat(length)}</p>`),
);
const description = fc.option(fc.constantFrom("", "why", "d".repeat(500)), { nil: null });
const context = fc.constantFrom("", "the prompt", "c".repeat(65_536));
const passcode = fc.constantFrom("abcd", "open sesame", "🔑🔑🔑🔑");

/** A few keys, so that filters find drops, including names of object prototypes. */
const metadataKey = fc.constantFrom("a", "b", "x.y", "__proto__", "constructor");
const metadataValue = fc.constantFrom("", "1", "2", "v".repeat(256));
const metadata = fc
  .uniqueArray(fc.tuple(metadataKey, metadataValue), { maxLength: 3, selector: ([key]) => key })
  .map((pairs) => Object.fromEntries(pairs) as Record<string, string>);

/** Visibility, readers and indexing. Readers and `people` without each other, and indexing of restricted drops, are refused. */
const reach = fc.record(
  {
    visibility: fc.constantFrom(...visibilityKinds),
    readers: fc.subarray(["ada", "ada@example.com", "@example.org"], { minLength: 1 }),
    indexed: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** Most calls omit these fields. */
const rareReach = fc.oneof({ arbitrary: fc.constant({}), weight: 4 }, reach);

const changes = { title: words, description, metadata };
/** A new passcode takes tens of milliseconds to derive, so few are set. */
const rarePasscode = fc.option(passcode, { freq: 10, nil: undefined });

const page = fc.record(
  { html, title: words, description, context, metadata },
  { requiredKeys: ["html", "title"] },
);
const published = fc.tuple(page, rarePasscode, rareReach).map(([body, chosen, readable]) => ({
  ...body,
  ...(chosen === undefined ? {} : { passcode: chosen }),
  ...readable,
}));
const newVersion = readableBy(fc.record({ html, context, ...changes }, { requiredKeys: ["html"] }));
const edit = readableBy(fc.record(changes, { requiredKeys: [] }));

/** Adds a visibility to some of the bodies. */
function readableBy(bodies: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.tuple(bodies, rareReach).map(([body, readable]) => ({ ...body, ...readable }));
}

/** Query of a list: paging, order and `metadata.<key>` filters. */
const listQuery = fc
  .record({
    paging: fc.subarray([
      ["page", "1"],
      ["page", "2"],
      ["pageSize", "1"],
      ["pageSize", "3"],
    ] as const),
    sortBy: fc.constantFrom(undefined, "created_at", "updated_at", "view_count"),
    sortOrder: fc.constantFrom(undefined, "asc", "desc"),
    filters: fc.array(fc.tuple(metadataKey, metadataValue), { maxLength: 2 }),
  })
  .map(({ paging, sortBy, sortOrder, filters }) => [
    // `page` and `pageSize` may be sent once only.
    ...new Map<string, string>(paging),
    ...(sortBy ? [["sortBy", sortBy] as const] : []),
    ...(sortOrder ? [["sortOrder", sortOrder] as const] : []),
    ...filters.map(([key, value]) => [`metadata.${key}`, value] as const),
  ]);

/** Creates calls of one operation on a drop, with arbitrary bodies. */
function onDrop(operation: OperationId, bodies: fc.Arbitrary<unknown>): fc.Arbitrary<Intent> {
  return fc.tuple(target, bodies, credential).map(([one, body, wanted]) => ({
    words: `${operation} ${nameOf("drop", one)} ${say(body)}${credentialWords(wanted)}`,
    toCall: (state, other) => ({
      operation,
      ...tokenFor(state, wanted),
      params: { slug: slugOf(one, state, other) },
      ...(body === undefined ? {} : { body }),
    }),
  }));
}

/** Creates calls of one operation on deleted drops, and occasionally on others. */
function onTrashed(operation: OperationId): fc.Arbitrary<Intent> {
  const deleted = fc.record({ whose: fc.constant("deleted" as const), index: fc.nat({ max: 3 }) });
  return fc.tuple(fc.oneof({ arbitrary: deleted, weight: 6 }, target), credential).map(([one, wanted]) => ({
    words: `${operation} ${nameOf("drop", one)}${credentialWords(wanted)}`,
    toCall: (state, other) => ({
      operation,
      ...tokenFor(state, wanted),
      params: { slug: slugOf(one, state, other) },
    }),
  }));
}

/** Condition of a change on the drop's state. */
const condition = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 12 },
  { arbitrary: fc.constant("as it was last told"), weight: 3 },
  { arbitrary: fc.constant("as it was before"), weight: 2 },
  fc.constantFrom("whatever it is", "as one of two tags says", "as a weak tag says"),
);

/** Returns the If-Match header of a condition. */
function ifMatch(wanted: string | undefined, drop: DropState | undefined): Call["headers"] | undefined {
  const { now, past = [] } = drop?.tags ?? {};
  const before = past.at(-1) ?? '"0-never"';
  switch (wanted) {
    case "whatever it is":
      return { "if-match": "*" };
    case "as it was before":
      return { "if-match": before };
    case "as it was last told":
      return { "if-match": now ?? before };
    case "as one of two tags says":
      return { "if-match": `${before}, ${now ?? '"1-never"'}` };
    case "as a weak tag says":
      return { "if-match": `W/${now ?? before}` };
    default:
      return undefined;
  }
}

/** Adds If-Match conditions to some of the calls. */
export function conditional(changes: fc.Arbitrary<Intent>): fc.Arbitrary<Intent> {
  return fc.tuple(changes, condition).map(([change, wanted]) => {
    if (wanted === undefined) return change;
    return {
      words: `${change.words}, if it is ${wanted}`,
      toCall(state, other, accounts) {
        const call = change.toCall(state, other, accounts);
        const drop =
          call.operation === "upsert-drop"
            ? taggedDrops(state, call.query)[0]
            : findDrop(state, call.params?.slug);
        return { ...call, headers: { ...call.headers, ...ifMatch(wanted, drop) } };
      },
    };
  });
}

/** Creates calls of one operation without a target. */
function plain(operation: OperationId, options: fc.Arbitrary<CallOptions>): fc.Arbitrary<Intent> {
  return fc.tuple(options, credential).map(([sent, wanted]) => ({
    words: `${operation} ${say(sent.body ?? sent.query)}${credentialWords(wanted)}`,
    toCall: (state) => ({ operation, ...tokenFor(state, wanted), ...sent }),
  }));
}

/** Mostly an existing version, counted from the latest. */
const whichVersion = fc.oneof(
  { arbitrary: fc.nat({ max: 2 }).map((fromLatest) => ({ fromLatest })), weight: 5 },
  fc.integer({ min: 1, max: 9 }).map((number) => ({ number })),
);

function onVersion(operation: OperationId): fc.Arbitrary<Intent> {
  return fc.tuple(target, whichVersion, credential).map(([one, which, wanted]) => ({
    words: `${operation} ${sayVersion(which)} of ${nameOf("drop", one)}${credentialWords(wanted)}`,
    toCall(state, other) {
      const slug = slugOf(one, state, other);
      const versions = findDrop(state, slug)?.versions.map(({ version }) => version) ?? [];
      const n = "number" in which ? which.number : (versions.at(-1 - which.fromLatest) ?? 1);
      return { operation, ...tokenFor(state, wanted), params: { slug, n } };
    },
  }));
}

function sayVersion(which: { readonly fromLatest: number } | { readonly number: number }): string {
  if ("number" in which) return `version ${which.number}`;
  return which.fromLatest === 0 ? "the latest version" : `the version ${which.fromLatest} before the latest`;
}

function say(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

const nothing = fc.constant(undefined);

/** Filter of an upsert. The few tags match no, one or several drops. */
const tags = fc.uniqueArray(fc.tuple(metadataKey, fc.constantFrom("1", "2")), {
  minLength: 1,
  maxLength: 2,
  selector: ([key]) => key,
});

/** The empty passcode removes a drop's passcode. */
const upsertPasscode = fc.option(fc.oneof(passcode, fc.constant("")), { freq: 8, nil: undefined });

const upsert = fc
  .tuple(tags, page, upsertPasscode, rareReach, credential)
  .map(([pairs, sent, chosen, readable, wanted]): Intent => {
    const query = pairs.map(([key, value]) => [`metadata.${key}`, value] as const);
    const body = { ...sent, ...(chosen === undefined ? {} : { passcode: chosen }), ...readable };
    const given = new Map(Object.entries(sent.metadata ?? {}));
    const isContradicted = pairs.some(([key, value]) => (given.get(key) ?? value) !== value);
    return {
      words: `upsert-drop ${say(query)} ${say(body)}${credentialWords(wanted)}`,
      toCall: (state) => ({
        operation: "upsert-drop",
        ...tokenFor(state, wanted),
        query,
        body,
        ...(isContradicted ? { refusal: "invalid_arg" as const } : {}),
      }),
    };
  });

/** Sets or removes an expiry, which may bring an expired drop back. */
const setExpiry = fc
  .tuple(fc.oneof(onDrop("edit-drop", nothing), onTrashed("edit-drop")), fc.constantFrom(1, 30, null))
  .map(
    ([edit, days]): Intent => ({
      words: `${edit.words} to expire in ${days} days`,
      toCall: (state, other) => ({ ...edit.toCall(state, other), body: { expires_in_days: days } }),
    }),
  );

/** Intents about drops and their versions. */
export const dropIntents = {
  publishDrop: plain(
    "publish-drop",
    published.map((body) => ({ body })),
  ),
  publishExpiring: plain(
    "publish-drop",
    published.map((body) => ({ body: { ...body, expires_in_days: 3 } })),
  ),
  setExpiry,
  listDrops: plain(
    "list-drops",
    listQuery.map((query) => ({ query })),
  ),
  getDrop: onDrop("get-drop", nothing),
  upsertDrop: conditional(upsert),
  publishVersion: conditional(onDrop("publish-version", newVersion)),
  editDrop: conditional(onDrop("edit-drop", edit)),
  deleteDrop: conditional(onDrop("delete-drop", nothing)),
  listTrash: plain("list-trash", fc.constant({ query: [["pageSize", "200"]] })),
  undeleteDrop: onTrashed("undelete-drop"),
  purgeDrop: onTrashed("purge-drop"),
  lock: conditional(
    onDrop(
      "set-passcode",
      passcode.map((chosen) => ({ passcode: chosen })),
    ),
  ),
  unlock: conditional(onDrop("set-passcode", fc.constant({ passcode: "" }))),
  listVersions: onDrop("list-versions", nothing),
  getVersion: onVersion("get-version"),
  deleteVersion: onVersion("delete-version"),
} as const;
