/** Measures cold functions in a process of its own, which has the environment of the stack's functions. */
import "../page-asset-hooks.ts";
import { measureColdCalls } from "./cold-walk.ts";

const calls = await measureColdCalls();
process.send?.(calls, () => process.exit());
