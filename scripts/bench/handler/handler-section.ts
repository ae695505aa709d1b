import { byOperation } from "../calls/calls-section.ts";
import { measureInStack } from "../calls/measure-in-stack.ts";
import type { Section } from "../section.ts";
import type { HandlerCall } from "./handler-walk.ts";

/** Measures the processor time of each handler, with recorded responses of AWS. */
export const handlerSection: Section = {
  name: "handler",
  minutes: 3,
  async measure() {
    const module = new URL("./handler-walk.ts", import.meta.url);
    const calls = (await measureInStack<HandlerCall[]>(module, "measureHandlers")).toSorted(byOperation);
    return {
      table: {
        columns: ":operation | :which | first ms | warm ms",
        rows: calls.map(({ operation, variant, firstCpuMs, warmCpuMs }) => [
          operation,
          variant,
          firstCpuMs.toFixed(1),
          warmCpuMs.toFixed(2),
        ]),
      },
      data: calls.map(({ firstCpuMs, secondCpuMs, warmCpuMs, ...call }) => ({
        ...call,
        firstCpuMs: Number(firstCpuMs.toFixed(1)),
        secondCpuMs: Number(secondCpuMs.toFixed(1)),
        warmCpuMs: Number(warmCpuMs.toFixed(2)),
      })),
    };
  },
};
