import type { OwnedDrop } from "../drops/reader-writes.ts";
import { hashSecret } from "../table/identifiers.ts";
import { type Key, keys } from "../table/keys.ts";
import { isDropNotHeld, isHeld } from "../table/legal-hold.ts";
import { findItems, type Item } from "../table/table.ts";
import { isUnchanged, type TransactionWrite } from "../table/table-writes.ts";
import type { NewAnswer } from "./answers.ts";
import { type AnswerLog, numberOf } from "./items.ts";

/** Keys of the pointers from a person to their earlier answers. */
export interface Pointers {
  /** Hash of the person's id. The pointer under this id will refer to the new answer. */
  readonly personHash: string;
  readonly own: Key;
  /** Pointer to remove, under the person's other id. @default - the person has only one id */
  readonly other: Key | undefined;
}

/** Returns the keys of the items that point from a person to the current answer. Returns undefined if answers are not replaced. */
export function pointersOf(
  slug: string,
  { form, person, otherPerson, isMany }: Pick<NewAnswer, "form" | "person" | "otherPerson" | "isMany">,
): Pointers | undefined {
  if (person === undefined || isMany) return undefined;
  const personHash = hashSecret(person);
  return {
    personHash,
    own: keys.answerOf(slug, form, personHash),
    other: otherPerson === undefined ? undefined : keys.answerOf(slug, form, hashSecret(otherPerson)),
  };
}

/** Returns the numbers of the answers that the pointers refer to. */
export function earlierNumbers(
  { own, other }: Pointers,
  find: (key: Key) => Item | undefined,
): readonly number[] {
  const found = [own, other].map((key) => (key === undefined ? undefined : find(key)?.answer));
  return found.filter((answer) => typeof answer === "number");
}

/** Builds the writes that point to a new answer. The writes fail if the pointers have changed since they were read. */
export function pointerWrites(
  { own, other }: Pointers,
  find: (key: Key) => Item | undefined,
  { answer, ttl }: { readonly answer: number; readonly ttl: number | undefined },
): readonly TransactionWrite[] {
  const unchanged = (key: Key) => {
    const seen = find(key)?.answer;
    return {
      condition: isUnchanged("answer", seen),
      ...(seen === undefined ? {} : { values: { ":seen": seen } }),
    };
  };
  const put = { put: { ...own, answer, ttl }, ...unchanged(own) };
  return other === undefined ? [put] : [put, { remove: other, ...unchanged(other) }];
}

const condition = "attribute_exists(pk)";

/** Builds the writes that remove replaced answers. If the drop is on legal hold, the writes only mark the answers as replaced. */
export async function findEarlier({ slug, ownerId }: OwnedDrop, numbers: readonly number[], atMs: number) {
  const account = keys.account(ownerId);
  const find = await findItems([...numbers.map((number) => keys.answer(slug, number)), account]);
  const found = numbers.filter((number) => find(keys.answer(slug, number)) !== undefined);
  if (found.length === 0) return { numbers: [], removedCount: 0, writes: [] };
  const existing = found.map((number) => ({ key: keys.answer(slug, number), condition }));
  if (isHeld(find(account), slug)) {
    const marks = existing.map((one) => ({
      ...one,
      update: "SET replacedAtMs = :now",
      values: { ":now": atMs },
    }));
    return { numbers: found, removedCount: 0, writes: marks };
  }
  const notHeld = { check: account, condition: isDropNotHeld, values: { ":slug": slug } };
  const removals = existing.map(({ key, condition }) => ({ remove: key, condition }));
  return { numbers: found, removedCount: found.length, writes: [...removals, notHeld] };
}

/** Builds the write that updates the counters. The write fails if the counters have changed since they were read. */
export function logWrite(
  slug: string,
  seen: AnswerLog,
  changed: Partial<Pick<AnswerLog, "counts" | "last" | "atMs" | "hasRetention">>,
) {
  const { counts, last, atMs, hasRetention } = { ...seen, ...changed };
  return {
    key: keys.answers(slug),
    update: "SET #sequence = :next, writtenAtMs = :at, #counts = :counts, hasRetention = :hasRetention",
    condition:
      seen.countsText === undefined
        ? isUnchanged("#counts", undefined)
        : "#counts = :seen AND #sequence = :seenSequence",
    names: { "#sequence": "sequence", "#counts": "counts" },
    values: {
      ":next": last,
      ":at": atMs ?? 0,
      ":counts": JSON.stringify(counts),
      ":hasRetention": hasRetention,
      ...(seen.countsText === undefined ? {} : { ":seen": seen.countsText, ":seenSequence": seen.last }),
    },
  };
}

/**
 * Builds the writes that delete an answer and its writer's pointer to it. If the answer was replaced, the pointer is kept,
 * because it refers to the newer answer.
 */
export function removalWrites(slug: string, item: Item): TransactionWrite[] {
  const { form, personHash, replacedAtMs } = item;
  const remove = { remove: keys.answer(slug, numberOf(item)), condition };
  if (personHash === undefined || replacedAtMs !== undefined) return [remove];
  return [remove, { remove: keys.answerOf(slug, form as string, personHash as string) }];
}
