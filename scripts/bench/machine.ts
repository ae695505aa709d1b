import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** Above this share of the processors at work for others, figures say little. */
const loadShareMax = 0.25;

/** The machine that measures, in one line. */
export function describeMachine(): string {
  const memoryGibibytes = Math.round(totalmem() / 2 ** 30);
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  return (
    `${availableParallelism()} × ${processor}, ${memoryGibibytes} GiB, ` +
    `${process.platform} ${process.arch}, Node ${process.version}`
  );
}

/** A warning when the machine has been busy with something else in the last minute, or undefined. */
export function describeLoad(): string | undefined {
  const [load = 0] = loadavg();
  const processors = availableParallelism();
  if (load <= processors * loadShareMax) return undefined;
  return `The machine was busy when the benchmark began (load ${load.toFixed(1)} on ${processors} processors): to be measured again.`;
}
