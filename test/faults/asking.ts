import type { Route } from "../../functions/http/route.ts";

// What a row asks of this folder. `npm run check` asks it too, and loads no client of AWS for that.

/** Recognizes operations that may call AWS themselves: those with grants beyond settings and the functions of other operations. */
export function asksAws({
  grants: { settings: _, operations: __, ...others },
}: Pick<Route, "grants">): boolean {
  return Object.keys(others).length > 0;
}

/** Recognizes reads of agents, whose recipe follows from the path. */
export function isAgentsRead({ caller, method }: Pick<Route, "caller" | "method">): boolean {
  return caller === "token" && method === "GET";
}
