import { operationIds } from "../../../functions/routes.ts";
import { measureInStack } from "../calls/measure-in-stack.ts";
import type { Findings, Section } from "../section.ts";
import { type CallTargets, callTargets } from "./call-targets.ts";
import type { HandlerCall } from "./handler-process.ts";

/** What a function takes of the processors, which AWS bills and a reader waits for. */
export const handlerSection: Section = {
  name: "handler",
  title: "CPU of the handler",
  minutes: 3,
  async measure(): Promise<Findings> {
    const program = new URL("./handler-process.ts", import.meta.url);
    const calls = await measureInStack<HandlerCall[]>(program);
    return {
      table: {
        columns: ":operation | :which | first ms | second ms | warm ms | :targets | :verdict",
        rows: calls.toSorted(byOperation).map(toRow),
      },
      notes: [
        "Milliseconds of the processors (`process.cpuUsage()`, all threads) from the event to the response, of the bundles as they are deployed. What AWS and the identity provider answer was recorded once and is given back under the SDK's HTTP handler: all of the SDK is measured, sockets and TLS are not. **First** and **second**: the calls of a process that has just loaded its code, the median of three processes. **Warm**: the median of five times twenty calls, or fewer of what takes long, after three hundred or a second and a half.",
        "At 512 MB a function has 0.29 of a processor: there each takes 3.4 times as long. Whoever sets or tries a passcode waits for its hash, which takes as long as it is meant to.",
        ...calls.toSorted(byOperation).flatMap(explain),
        "Targets: of a list, and of the others of which it was asked, a third less than they once took on a faster machine; of the rest, a quarter above what was measured here first.",
      ],
    };
  },
};

function byOperation(one: HandlerCall, other: HandlerCall): number {
  return operationIds.indexOf(one.operation) - operationIds.indexOf(other.operation);
}

function toRow(call: HandlerCall): string[] {
  const { operation, variant, overTargets } = call;
  const found = Object.entries(targetsOf(call));
  return [
    operation,
    variant,
    call.firstCpuMs.toFixed(1),
    call.secondCpuMs.toFixed(1),
    call.warmCpuMs.toFixed(2),
    found.map(([which, max]) => `${which} ≤ ${max}`).join(", "),
    found.length === 0
      ? ""
      : overTargets.length === 0
        ? "within"
        : `over: ${overTargets.map(({ which }) => which).join(", ")}`,
  ];
}

function targetsOf({ operation, variant }: HandlerCall): CallTargets {
  return callTargets[`${operation} ${variant}`] ?? {};
}

/** What a call that is over its target spends its time on, largest first. */
function explain(call: HandlerCall): string[] {
  const { operation, variant, overTargets } = call;
  const cpuMs = { first: call.firstCpuMs, second: call.secondCpuMs, warm: call.warmCpuMs };
  return overTargets.map(({ which, shares }) => {
    const name = [operation, variant].filter(Boolean).join(", ");
    const spent = shares
      .map(([part, share]) => ({ part, ms: share * cpuMs[which] }))
      .filter(({ ms }) => ms >= 0.005)
      .sort((one, other) => other.ms - one.ms)
      .map(({ part, ms }) => `${part} ${ms.toFixed(2)}`);
    const overMs = cpuMs[which] - (targetsOf(call)[which] ?? Number.NaN);
    return `Over its target, **${name}**, ${which}, takes ${cpuMs[which].toFixed(2)} ms, ${overMs.toFixed(2)} more than it may: ${spent.join(", ")}.`;
  });
}
