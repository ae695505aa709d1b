import type { Route } from "../platform/route.ts";
import { listQuery } from "./queries.ts";

/** What it takes to tell who has signed in: the session, and what is so of its reader now. */
const sessionItems = ["IDP", "MEMBER", "READER", "USER"] as const;

/** GET /account */
export const showAccountRoute = {
  id: "show-account",
  resource: "account-pages",
  method: "GET",
  path: "/account",
  host: "base",
  addition: "docs/adr/0045-an-owners-own-pages.md",
  summary: "An owner's drops, for the owner",
  caller: "session",
  countsAsWrite: false,
  query: listQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden"],
  errorsAs: "page",
  // Up to 500 drops to go through.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: sessionItems },
    settings: ["members"],
  },
} as const satisfies Route;
