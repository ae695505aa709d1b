import pLimit from "p-limit";
import { isThorough, isWhole } from "../support/thorough.ts";
import type { AwsCall } from "./aws-call.ts";
import { faults } from "./fault.ts";
import type { PlannedFault } from "./faulty-aws.ts";

const faultsToMeet = isThorough ? faults : faults.filter(({ isSecondary }) => !isSecondary);

/** For what hangs: in a thorough run an operation has up to a hundred cases, and five operations take turns. */
export const caseMsMax = 1_800_000;

const slowAtOnce = 12;
const quickAtOnce = 2;

/** Faults met so far, by kind of call. */
const turns = new Map<string, number>();

/** Calls that have met all faults, and the writes whose response was lost. */
const met = new Set<string>();

/**
 * The faults that the calls of an operation are to meet: in a run of all tests, all. In the long form so do all writes, but those that
 * every caller has; what is common meets one fault of each outcome, in turn. In the short form those faults that the SDK sets right,
 * or tells of, are the same for all writes to a service but transactions: the first of either meets all faults. The first
 * write of any kind loses its response, which only the code itself can set right. Beside that, calls of a kind meet one
 * fault each, in turn, until they have met each once.
 */
export function planFaults(calls: readonly AwsCall[], { isVariant = false } = {}): PlannedFault[] {
  return calls.flatMap((call) => {
    const possible = faultsToMeet.filter((fault) => fault.appliesTo(call)).map((fault) => ({ call, fault }));
    const isCommon = call.isRead || isOfEveryCaller(call);
    if (isThorough) return isWhole || !isCommon ? possible : oneOfEachOutcome(possible);
    const isUsual = isCommon || (isVariant && !isTransaction(call));
    if (!isUsual && isFirst(`all of ${call.service}, ${isTransaction(call)}`)) return possible;
    const isLost = !isUsual && isFirst(`loss of ${call.kind}`);
    const others = possible.filter(({ fault }) => !isLost || !fault.isLoss);
    const turn = nextTurn(call.kind);
    return [...possible.filter((one) => !others.includes(one)), ...others.slice(turn, turn + 1)];
  });
}

/** In turn: the calls of a kind, which many operations make, meet all between them. */
function oneOfEachOutcome(possible: readonly PlannedFault[]): PlannedFault[] {
  const ofEach = Map.groupBy(possible, ({ fault }) => fault.outcome);
  return [...ofEach].flatMap(([outcome, ones]) => {
    const turn = nextTurn(`${outcome} ${ones[0]?.call.kind}`) % ones.length;
    return ones.slice(turn, turn + 1);
  });
}

function nextTurn(kind: string): number {
  const turn = turns.get(kind) ?? 0;
  turns.set(kind, turn + 1);
  return turn;
}

function isFirst(name: string): boolean {
  if (met.has(name)) return false;
  met.add(name);
  return true;
}

/** Tries cases beside each other, of which those that wait for a timeout work little. */
export async function meetEach(
  planned: readonly PlannedFault[],
  meet: (one: PlannedFault) => Promise<void>,
): Promise<void> {
  const { slow = [], quick = [] } = Object.groupBy(planned, ({ fault }) => (fault.isSlow ? "slow" : "quick"));
  await Promise.all([pLimit(slowAtOnce).map(slow, meet), pLimit(quickAtOnce).map(quick, meet)]);
}

function isTransaction({ command }: AwsCall): boolean {
  return command === "TransactWriteItems";
}

function isOfEveryCaller({ kind }: AwsCall): boolean {
  return /^UpdateItem (TOKEN|LIMIT)/.test(kind);
}
