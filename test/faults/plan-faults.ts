import pLimit from "p-limit";
import { longMs } from "../support/patience.ts";
import type { AwsCall } from "./aws-call.ts";
import { faults } from "./fault.ts";
import type { PlannedFault } from "./faulty-aws.ts";

const slowAtOnce = 12;
const quickAtOnce = 2;

/** Number of faults tested so far, by kind of call. */
const turns = new Map<string, number>();

/** Groups of calls that were tested with all faults, and kinds of writes that were tested with a lost response. */
const met = new Set<string>();

/** The faults to test with the calls of an operation. */
interface FaultPlan {
  readonly plan: (calls: readonly AwsCall[]) => PlannedFault[];
  /** Variants of operations are tested, too. */
  readonly hasVariants: boolean;
  /** Tags and a time limit, which allows for workers that wait for their turn and for up to a hundred cases per operation. */
  readonly options: { readonly tags: string[]; readonly timeout: number };
}

/** The plans of `npm run test:slow` and of `npm run test:nightly`. */
export const faultPlans: readonly FaultPlan[] = [
  { plan: planSomeFaults, hasVariants: false, options: { tags: ["slow"], timeout: longMs } },
  { plan: planAllFaults, hasVariants: true, options: { tags: ["nightly"], timeout: 3 * longMs } },
];

/**
 * Tests the first write to each service, and its first transaction, with all faults, because the SDK handles those of other writes
 * in the same way. The first write of any kind also loses its response, which only the code itself can repair. Calls of one kind
 * share the other faults in turn, one each.
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
 * Tests every write with the faults that only its operation can repair, and with one of those that the SDK or the shared retries
 * repair, in turn. Tests a read, or a write that all callers make, with one fault in turn.
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

/** Returns the next fault for calls of this name. Many operations make such calls, and together test all faults. */
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

/** Runs cases concurrently, more of those that mostly wait for a timeout. */
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
