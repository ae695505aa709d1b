import { operationIds } from "../../../functions/routes.ts";
import { measureInStack } from "../calls/measure-in-stack.ts";
import type { Findings, Section } from "../section.ts";
import type { HandlerCall } from "./handler-process.ts";

/** What one call may take at most, warm or in a fresh process, in milliseconds. */
interface CallTargets {
  readonly first?: number;
  readonly second?: number;
  readonly warm?: number;
}

/** By operation and variant. A list has its own; the others are a third less than they once were. */
const targets: Readonly<Record<string, CallTargets>> = {
  "list-drops 20 of 500 drops": { warm: 4, second: 15 },
  "list-drops 200 of 500 drops": { warm: 6, second: 15 },
  "get-drop ": { warm: 0.6, first: 4.5 },
  "view-drop ": { warm: 1.3 },
  "read-raw-page ": { warm: 1.1 },
  "read-raw-page 1 MB": { warm: 7.3 },
  "publish-drop ": { warm: 1.7 },
  "publish-drop 1 MB": { warm: 10 },
};

/** What a function takes of the processors, which AWS bills and a reader waits for. */
export const handlerSection: Section = {
  name: "handler",
  title: "CPU of the handler",
  minutes: 5,
  async measure(): Promise<Findings> {
    const program = new URL("./handler-process.ts", import.meta.url);
    const calls = await measureInStack<HandlerCall[]>(program);
    return {
      table: {
        columns: ":operation | :which | first ms | second ms | warm ms | :targets | :verdict",
        rows: calls.toSorted(byOperation).map(toRow),
      },
      notes: [
        "Milliseconds of the processors (`process.cpuUsage()`, all threads) from the event to the response, of the bundles as they are deployed. What AWS and the identity provider answer was recorded once and is given back under the SDK's HTTP handler: all of the SDK is measured, sockets and TLS are not. **First** and **second**: the calls of a process that has just loaded its code, the median of five processes. **Warm**: the median of five times twenty calls, after three hundred.",
        "At 512 MB a function has 0.29 of a processor: there each takes 3.4 times as long. Whoever sets or tries a passcode waits for its hash, which takes as long as it is meant to.",
      ],
    };
  },
};

function byOperation(one: HandlerCall, other: HandlerCall): number {
  return operationIds.indexOf(one.operation) - operationIds.indexOf(other.operation);
}

function toRow({ operation, variant, ...ms }: HandlerCall): string[] {
  const found = Object.entries(targets[`${operation} ${variant}`] ?? {}) as [keyof CallTargets, number][];
  const measured = { first: ms.firstCpuMs, second: ms.secondCpuMs, warm: ms.warmCpuMs };
  const over = found.filter(([which, max]) => measured[which] > max).map(([which]) => which);
  return [
    operation,
    variant,
    measured.first.toFixed(1),
    measured.second.toFixed(1),
    measured.warm.toFixed(2),
    found.map(([which, max]) => `${which} ≤ ${max}`).join(", "),
    found.length === 0 ? "" : over.length === 0 ? "within" : `over: ${over.join(", ")}`,
  ];
}
