import { ApiError } from "../core/errors.ts";
import { type Key, keys } from "./keys.ts";
import { evaluateRate, type RateRule, type RateWindow } from "./rate-rules.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "./table.ts";
import { updateItem } from "./table-writes.ts";

/** One use to count in the rate-limit windows of an item, with further updates and conditions. */
interface RateSpend {
  readonly key: Key;
  readonly rules: readonly RateRule[];
  readonly nowMs: number;
  /** Attributes to set along with the counts. @default - none */
  readonly set?: Readonly<Record<string, number>>;
  /** True to return undefined for a missing item instead of creating it. @default false */
  readonly mustExist?: boolean;
  /** Id of a use, stored in the item. Uses with the same id count once in a window. @default - each use counts */
  readonly useId?: string;
  /** Check for barred items. They are returned, but the use is not counted. @default - none */
  readonly barring?: Barring;
}

/** Check whether an item is barred, and the condition that it is not. */
interface Barring {
  readonly condition: string;
  readonly values: Readonly<Record<string, number | string>>;
  isBarred(item: Item): boolean;
}

/**
 * Counts one use in every window of an item, and returns the updated item. Returns undefined if `mustExist` is set and the item does not
 * exist. If all windows are open, this takes one conditional update. Opening a window takes one more. If a window is full or the item is
 * barred, nothing is counted.
 *
 * @throws ApiError with the code of the rule whose window is full, and the seconds until the window ends
 */
export async function spendRate(spend: RateSpend): Promise<Item | undefined> {
  let outcome = await updateItem(spendOpen(spend));
  if (outcome.updated) return outcome.item;
  return retryConflicts(async () => {
    const seen = outcome.item;
    if (seen === undefined && spend.mustExist) return undefined;
    if (seen !== undefined && spend.barring?.isBarred(seen)) return seen;
    if (isCounted(spend, seen)) return seen;
    refuseFull(spend, seen);
    outcome = await updateItem(spendSeen(spend, seen));
    if (!outcome.updated) throw new RetryableError();
    return outcome.item;
  });
}

/** Checks if all windows of an item have already counted the use. */
function isCounted({ rules, nowMs, useId }: RateSpend, seen: Item | undefined): boolean {
  if (useId === undefined) return false;
  return rules.every((rule) => {
    const ids = seen?.[`${rule.name}Ids`] as ReadonlySet<string> | undefined;
    return ids?.has(useId) && evaluateRate(rule, windowOf(seen, rule), nowMs).kind !== "expired";
  });
}

/** Creates the update for the common case: every window is open and not full. */
function spendOpen({ key, rules, nowMs, set = {}, useId, barring }: RateSpend) {
  const conditions = [
    ...rules.map(({ name }) => `${name}StartedAtMs > :${name}Expired AND ${name}Count < :${name}Max`),
    ...(useId === undefined ? [] : rules.map(({ name }) => `NOT contains(${name}Ids, :useId)`)),
    ...(barring ? [barring.condition] : []),
  ];
  const values = rules.flatMap(({ name, lengthMs, usesMax }) => [
    [`:${name}Expired`, nowMs - lengthMs],
    [`:${name}Max`, usesMax],
  ]);
  const adds = rules.flatMap(({ name }) => [
    `${name}Count :one`,
    ...(useId === undefined ? [] : [`${name}Ids :useIds`]),
  ]);
  return {
    key,
    ...expression(set, [], adds),
    condition: conditions.join(" AND "),
    values: {
      ":one": 1,
      ...Object.fromEntries(values),
      ...setValues(set),
      ...barring?.values,
      ...(useId === undefined ? {} : { ":useId": useId, ":useIds": new Set([useId]) }),
    },
  };
}

/** Creates the update that opens a new window, if the windows have not changed since they were read. */
function spendSeen(
  { key, rules, nowMs, set = {}, useId, mustExist, barring }: RateSpend,
  seen: Item | undefined,
) {
  const values: Record<string, unknown> = { ":one": 1, ...setValues(set), ...barring?.values };
  if (useId !== undefined) values[":useIds"] = new Set([useId]);
  const conditions = [
    ...(mustExist ? ["attribute_exists(pk)"] : []),
    ...(barring ? [barring.condition] : []),
  ];
  const sets: string[] = [];
  const adds: string[] = [];
  for (const rule of rules) {
    const { name } = rule;
    const window = windowOf(seen, rule);
    if (window.startedAtMs === undefined) {
      conditions.push(`attribute_not_exists(${name}StartedAtMs)`);
    } else {
      conditions.push(`${name}StartedAtMs = :${name}Seen`);
      values[`:${name}Seen`] = window.startedAtMs;
    }
    if (evaluateRate(rule, window, nowMs).kind === "expired") {
      sets.push(`${name}StartedAtMs = :now`, `${name}Count = :one`);
      if (useId !== undefined) sets.push(`${name}Ids = :useIds`);
      values[":now"] = nowMs;
    } else {
      adds.push(`${name}Count :one`);
      conditions.push(`${name}Count < :${name}Max`);
      values[`:${name}Max`] = rule.usesMax;
      if (useId !== undefined) {
        adds.push(`${name}Ids :useIds`);
        conditions.push(`NOT contains(${name}Ids, :useId)`);
        values[":useId"] = useId;
      }
    }
  }
  return { key, ...expression(set, sets, adds), condition: conditions.join(" AND "), values };
}

/** Builds an update expression. Extra attributes use `#name`, because names such as `ttl` are reserved words. */
function expression(set: Readonly<Record<string, number>>, sets: readonly string[], adds: readonly string[]) {
  const allSets = [...Object.keys(set).map((name) => `#${name} = :${name}`), ...sets];
  const clauses = [
    ...(allSets.length > 0 ? [`SET ${allSets.join(", ")}`] : []),
    ...(adds.length > 0 ? [`ADD ${adds.join(", ")}`] : []),
  ];
  const names = Object.fromEntries(Object.keys(set).map((name) => [`#${name}`, name]));
  return { update: clauses.join(" "), ...(Object.keys(names).length > 0 ? { names } : {}) };
}

function refuseFull({ rules, nowMs }: RateSpend, seen: Item | undefined): void {
  for (const rule of rules.toReversed()) {
    const verdict = evaluateRate(rule, windowOf(seen, rule), nowMs);
    if (verdict.kind === "full") {
      const { retryAfterSeconds } = verdict;
      const message = `The limit is ${rule.usesMax} in ${rule.lengthMs / 1000} seconds. Try again in ${retryAfterSeconds} seconds.`;
      throw new ApiError(rule.code, { message, retryAfterSeconds });
    }
  }
}

/** Returns the state of a rule's window from an item. */
export function windowOf(item: Item | undefined, rule: RateRule): RateWindow {
  return {
    startedAtMs: item?.[`${rule.name}StartedAtMs`] as number | undefined,
    count: item?.[`${rule.name}Count`] as number | undefined,
  };
}

function setValues(set: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value]));
}

/**
 * Refunds one use in each window of an item that counted the use. Windows are identified by their start time. The time of the use would not
 * do, because the later of two concurrent first uses may open the window.
 */
export async function refundRate(
  key: Key,
  rules: readonly RateRule[],
  openedAtMs: Readonly<Record<string, number>>,
): Promise<void> {
  for (const { name } of rules) {
    await updateItem({
      key,
      update: `ADD ${name}Count :minusOne`,
      condition: `${name}StartedAtMs = :opened AND ${name}Count > :zero`,
      values: { ":minusOne": -1, ":opened": openedAtMs[name], ":zero": 0 },
    });
  }
}

/** Returns the start times of an item's windows by rule name, for `refundRate`. */
export function windowStarts(item: Item | undefined, rules: readonly RateRule[]): Record<string, number> {
  return Object.fromEntries(rules.map((rule) => [rule.name, windowOf(item, rule).startedAtMs ?? 0]));
}

function subjectSpend(rule: RateRule, subject: string, nowMs: number): RateSpend {
  const ttl = Math.ceil((nowMs + rule.lengthMs) / 1000);
  return { key: keys.rateWindow(rule.name, subject), rules: [rule], nowMs, set: { ttl } };
}

/** Rate limits of calls without a token. Each limit counts the calls of one subject, such as the viewer's network. */
export const rateLimiter = {
  /** Spends one use of the subject's window, and returns the number of uses. @throws ApiError with the rule's code if the window is full */
  async spend(rule: RateRule, subject: string, nowMs: number): Promise<number> {
    return windowOf(await spendRate(subjectSpend(rule, subject, nowMs)), rule).count ?? 1;
  },

  /**
   * Spends like `spend`, but counts uses with the same id once in a window, such as those of a redelivered queue message.
   *
   * @throws ApiError with the rule's code if the window is full and has not counted a use with this id
   */
  async spendOnce(rule: RateRule, subject: string, useId: string, nowMs: number): Promise<void> {
    await spendRate({ ...subjectSpend(rule, subject, nowMs), useId });
  },

  /**
   * Returns the number of uses left, without spending one. Refuses a subject whose window is full.
   *
   * @throws ApiError with the rule's code
   */
  async check(rule: RateRule, subject: string, nowMs: number): Promise<number> {
    const window = windowOf(await getItem(keys.rateWindow(rule.name, subject)), rule);
    const verdict = evaluateRate(rule, window, nowMs);
    if (verdict.kind === "full")
      throw new ApiError(rule.code, { retryAfterSeconds: verdict.retryAfterSeconds });
    return verdict.kind === "expired" ? rule.usesMax : rule.usesMax - (window.count ?? 0);
  },

  /** Refunds uses that should not have counted against the limit. Returns false, and refunds nothing, if fewer uses were counted. */
  async refund(rule: RateRule, subject: string, uses = 1): Promise<boolean> {
    const count = `${rule.name}Count`;
    const { updated } = await updateItem({
      key: keys.rateWindow(rule.name, subject),
      update: `ADD ${count} :back`,
      condition: `${count} >= :uses`,
      values: { ":back": -uses, ":uses": uses },
    });
    return updated;
  },
};
