import { limits } from "../../functions/core/limits.ts";
import { callOperation, type Walk } from "../../test/support/operation-caller.ts";
import { walkFolder } from "./call-walk.ts";
import type { Section } from "./section.ts";
import { measureInStack } from "./stack.ts";

type FolderCalls = [name: string, cpuMs: number][];

/** Target CPU time, in milliseconds, of publishing a folder of 2,000 files again with one changed file. */
const goalMs = 3_000;

/** Measures the CPU time of publishing the largest allowed folder again with one changed file. */
export const foldersSection: Section = {
  name: "folders",
  minutes: 1,
  async measure() {
    const calls = await measureInStack<FolderCalls>(new URL(import.meta.url), "measureFolder");
    const again = calls.filter(([name]) => name.endsWith("one changed"));
    const row = (measure: string, some: typeof calls, goal: string) => {
      const ms = some.reduce((sum, [, cpuMs]) => sum + cpuMs, 0);
      return { measure, result: `${ms.toFixed(0)} ms`, goal };
    };
    const data = [
      ...again.map((call) => row(`processor of ${call[0].split(" ")[0]}`, [call], "")),
      row("together", again, `${goalMs} ms`),
    ];
    const rows = data.map(({ measure, result, goal }) => [measure, result, goal]);
    return { table: { columns: ":measure | result | goal", rows }, data };
  },
};

/**
 * Publishes the folder in this process. Measures the CPU time of each call, including that of the AWS SDK. Needs the functions'
 * environment.
 * @public - called by name in a child process
 */
export async function measureFolder(): Promise<FolderCalls> {
  const calls: FolderCalls = [];
  const walk: Walk = async (operation, variant, call = {}) => {
    const before = process.cpuUsage();
    const response = await callOperation(operation, call);
    const { user, system } = process.cpuUsage(before);
    calls.push([`${operation} ${variant}`, (user + system) / 1000]);
    return response;
  };
  await walkFolder(walk, "folds", limits.folderFilesMax);
  return calls;
}
