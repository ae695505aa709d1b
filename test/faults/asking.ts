import type { Route } from "../../functions/http/route.ts";

// Predicates of routes. `npm run check` uses them, too, so this file imports no AWS client.

/** Recognizes operations that may call AWS: those with grants other than settings and functions of other operations. */
export function asksAws({
  grants: { settings: _, operations: __, ...others },
}: Pick<Route, "grants">): boolean {
  return Object.keys(others).length > 0;
}

/** Recognizes reads of agents, whose recipe follows from the path. */
export function isAgentsRead({ caller, method }: Pick<Route, "caller" | "method">): boolean {
  return caller === "token" && method === "GET";
}
