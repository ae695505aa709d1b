/** Measures the calls in a process of their own, which has the environment of the stack's functions. */
import "../page-asset-hooks.ts";
import { measureCalls } from "./call-walk.ts";

const calls = await measureCalls();
process.send?.(calls, () => process.exit());
