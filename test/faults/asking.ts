import type { Route } from "../../functions/http/route.ts";

// What a row asks of this folder. `npm run check` asks it too, and loads no client of AWS for that.

/** Whether an operation may ask AWS for anything: it is granted more than settings. One that performs others asks by theirs. */
export function asksAws({ grants: { settings: _, ...others } }: Pick<Route, "grants">): boolean {
  return Object.keys(others).length > 0;
}

/** Whether an operation is what an agent reads: then its recipe follows from its path, and nobody has to write one. */
export function isAgentsRead({ caller, method }: Pick<Route, "caller" | "method">): boolean {
  return caller === "token" && method === "GET";
}
