import { measureInStack } from "../calls/measure-in-stack.ts";
import type { HandlerCall } from "../handler/handler-walk.ts";
import type { Section } from "../section.ts";

/** Milliseconds of a processor in which all functions of the second publication are to be done. */
const goalMs = 1_000;

/** Measures the second publication of a folder of 2,000 small files, one of which has changed, as `handler` measures operations. */
export const foldersSection: Section = {
  name: "folders",
  minutes: 1,
  async measure() {
    const module = new URL("../handler/handler-walk.ts", import.meta.url);
    const calls = (await measureInStack<HandlerCall[]>(module, "measureFolder")).filter(({ variant }) =>
      variant.endsWith("one changed"),
    );
    const together = (msOf: (call: HandlerCall) => number) =>
      calls.reduce((sum, call) => sum + msOf(call), 0).toFixed(0);
    const data = [
      ...calls.map(({ operation, firstCpuMs, warmCpuMs }) => ({
        measure: `processor of ${operation}`,
        first: `${firstCpuMs.toFixed(0)} ms`,
        warm: `${warmCpuMs.toFixed(0)} ms`,
        goal: "",
      })),
      {
        measure: "together",
        first: `${together(({ firstCpuMs }) => firstCpuMs)} ms`,
        warm: `${together(({ warmCpuMs }) => warmCpuMs)} ms`,
        goal: `${goalMs} ms`,
      },
    ];
    return {
      table: {
        columns: ":measure | first call | warm | goal",
        rows: data.map(({ measure, first, warm, goal }) => [measure, first, warm, goal]),
      },
      data,
    };
  },
};
