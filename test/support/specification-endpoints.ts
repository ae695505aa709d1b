import type { Route } from "../../functions/http/route.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { type SpecificationRow, tableUnder } from "./specification.ts";

const endpointTables = {
  "### Authentication endpoints (public)": "anyone",
  "### Account": "token",
  "### Tokens": "token",
  "### Blobs": "token",
  "### Drops": "token",
  "### Versions": "token",
  "### Public serving (no authentication)": "anyone",
} as const;

/** Every row of the specification's endpoint tables, with the caller that the table is for. */
export const endpoints = Object.entries(endpointTables).flatMap(([heading, caller]) =>
  tableUnder(heading).map((row) => ({ caller, row, name: `${row.Method} ${row.Path}` })),
);

/** Returns whether a route of the service is the operation in the specification's row. */
export function isAt(route: Route, row: SpecificationRow): boolean {
  return route.method === row.Method && route.path === row.Path;
}

/** Returns the service's route of an operation. Throws if it is missing. */
export function routeAt(row: SpecificationRow): Route {
  const route = operationIds.map(routeOf).find((candidate) => isAt(candidate, row));
  if (route === undefined) throw new Error(`No row for ${row.Method} ${row.Path} in functions/routes.ts.`);
  return route;
}

/** Lists the statuses in a row's response column. The first is the success. */
export function statusesIn(row: SpecificationRow): number[] {
  return (row.Response?.match(/\b[2-5]\d\d\b/g) ?? []).map(Number);
}
