import pLimit from "p-limit";
import { longMs } from "../support/patience.ts";
import type { AwsCall } from "./aws-call.ts";
import { faults } from "./fault.ts";
import type { PlannedFault } from "./faulty-aws.ts";

const slowAtOnce = 12;
const quickAtOnce = 2;

/** Faults met so far, by kind of call. */
const turns = new Map<string, number>();

/** Calls that have met all faults, and the writes whose response was lost. */
const met = new Set<string>();

/** The faults that the calls of an operation are to meet. */
interface FaultPlan {
  readonly plan: (calls: readonly AwsCall[]) => PlannedFault[];
  /** Variants of operations meet faults, too. */
  readonly hasVariants: boolean;
  /** With a time limit for operations and workers that take turns. An operation has up to a hundred cases. */
  readonly options: { readonly tags: string[]; readonly timeout: number };
}

/** The plans of `npm run test:slow` and of `npm run test:nightly`. */
export const faultPlans: readonly FaultPlan[] = [
  { plan: planSomeFaults, hasVariants: false, options: { tags: ["slow"], timeout: longMs } },
  { plan: planAllFaults, hasVariants: true, options: { tags: ["nightly"], timeout: 3 * longMs } },
];

/**
 * The SDK repairs or reports faults in the same way for all writes to a service but transactions: the first of either meets all of them. The
 * first write of any kind loses its response, which only the code itself can repair. Beside that, calls of a kind meet one fault each, in
 * turn, until they have met each once.
 */
function planSomeFaults(calls: readonly AwsCall[]): PlannedFault[] {
  return calls.flatMap((call) => {
    const possible = possibleFaults(call).filter(({ fault }) => !fault.isSecondary);
    const isCommon = isCommonCall(call);
    if (!isCommon && isFirst(`all of ${call.service}, ${isTransaction(call)}`)) return possible;
    const isLost = !isCommon && isFirst(`loss of ${call.kind}`);
    const others = possible.filter(({ fault }) => !isLost || !fault.isLoss);
    const turn = nextTurn(call.kind);
    return [...possible.filter((one) => !others.includes(one)), ...others.slice(turn, turn + 1)];
  });
}

/**
 * Every write meets the faults that only its operation can put right, and one of the others in turn: those the SDK or the retries of all
 * writes meet. A read, or a write that all callers make, meets one fault in turn.
 */
function planAllFaults(calls: readonly AwsCall[]): PlannedFault[] {
  return calls.flatMap((call) => {
    const possible = possibleFaults(call);
    if (isCommonCall(call)) return oneInTurn(call.kind, possible);
    const others = possible.filter(({ fault }) => !fault.meetsEveryWrite);
    return [...possible.filter(({ fault }) => fault.meetsEveryWrite), ...oneInTurn(call.command, others)];
  });
}

function possibleFaults(call: AwsCall): PlannedFault[] {
  return faults.filter((fault) => fault.appliesTo(call)).map((fault) => ({ call, fault }));
}

/** One fault, the next at each call of that name: many operations make such a call, and meet all faults between them. */
function oneInTurn(name: string, possible: readonly PlannedFault[]): PlannedFault[] {
  const turn = nextTurn(`${name} of all`) % possible.length;
  return possible.slice(turn, turn + 1);
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

/** Recognizes reads, and the writes that all callers make. */
function isCommonCall({ isRead, kind }: AwsCall): boolean {
  return isRead || /^UpdateItem (TOKEN|LIMIT)/.test(kind);
}
