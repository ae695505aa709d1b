import pLimit from "p-limit";
import { isThorough } from "../support/thorough.ts";
import type { AwsCall } from "./aws-call.ts";
import { faults } from "./fault.ts";
import type { PlannedFault } from "./faulty-aws.ts";

const faultsToMeet = isThorough ? faults : faults.filter(({ isSecondary }) => !isSecondary);

/** For what hangs: in a thorough run an operation has up to a hundred cases, and five operations take turns. */
export const caseMsMax = 1_800_000;

const slowAtOnce = 12;
const quickAtOnce = 2;

/** How many faults calls of a kind have met in turn. */
const turns = new Map<string, number>();

/** The kinds of calls that have met all faults. */
const metAll = new Set<string>();

/**
 * The faults that the calls of an operation are to meet: in a thorough run all. Otherwise the first write of a kind meets
 * all of them; the next one, what it reads, what is asked for every caller, and what a variant of a request writes
 * besides its transaction, meets one of them, and the next such call another one.
 */
export function planFaults(calls: readonly AwsCall[], { isVariant = false } = {}): PlannedFault[] {
  return calls.flatMap((call) => {
    const possible = faultsToMeet.filter((fault) => fault.appliesTo(call)).map((fault) => ({ call, fault }));
    const takesTurns = isCommon(call) || (isVariant && call.command !== "TransactWriteItems");
    if (isThorough) return possible;
    if (!takesTurns && !metAll.has(call.kind)) {
      metAll.add(call.kind);
      return possible;
    }
    const turn = turns.get(call.kind) ?? 0;
    turns.set(call.kind, turn + 1);
    return possible.slice(turn % possible.length).slice(0, 1);
  });
}

/** Tries cases beside each other, of which those that wait for a timeout work little. */
export async function meetEach(
  planned: readonly PlannedFault[],
  meet: (one: PlannedFault) => Promise<void>,
): Promise<void> {
  const { slow = [], quick = [] } = Object.groupBy(planned, ({ fault }) => (fault.isSlow ? "slow" : "quick"));
  await Promise.all([pLimit(slowAtOnce).map(slow, meet), pLimit(quickAtOnce).map(quick, meet)]);
}

function isCommon({ isRead, kind }: AwsCall): boolean {
  return isRead || /^UpdateItem (TOKEN|LIMIT)/.test(kind);
}
