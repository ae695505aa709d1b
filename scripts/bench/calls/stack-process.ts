/** Runs a measuring function in a process that has the environment of the stack's functions, and sends back its result. */
import "../page-asset-hooks.ts";

const [module = "", exportName = "", ...args] = process.argv.slice(2);
const { [exportName]: measure } = (await import(module)) as Record<
  string,
  (...args: string[]) => Promise<unknown>
>;
const result = await measure?.(...args);
process.send?.(result, () => process.exit());
