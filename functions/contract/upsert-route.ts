import { dropAnswer } from "./answers.ts";
import { upsertDropQuery } from "./queries.ts";
import { publishDropBody } from "./requests.ts";
import type { Route } from "./route.ts";

// An addition to the specification: what its "lookup-then-mutate pattern" is for, in one call that nobody can come between.

/** PUT /api/drops */
export const upsertDropRoute = {
  id: "upsert-drop",
  resource: "drops",
  method: "PUT",
  path: "/api/drops",
  host: "base",
  summary: "Publish to the drop with this metadata: a new version where there is one, else a new drop",
  caller: "token",
  countsAsWrite: true,
  query: upsertDropQuery,
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishDropBody, required: true },
  answer: { status: 200, alsoStatus: 201, json: dropAnswer },
  errors: [
    "unauthorized",
    "invalid_json",
    "invalid_arg",
    "html_required",
    "html_too_large",
    "title_required",
    "title_too_long",
    "description_too_long",
    "context_too_large",
    "passcode_too_short",
    "several_match",
    "rate_limited",
    "daily_quota_exceeded",
    "quota_exceeded",
    "version_limit_reached",
  ],
  errorsAs: "json",
  // As publish-drop.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
    pages: ["PutObject"],
    settings: ["pageBytesMax"],
  },
} as const satisfies Route;
