import { apiRoute, errorCodes, writeErrors } from "../http/route.ts";
import { sendPageQuery } from "./queries.ts";
import { dropErrors, pageErrors } from "./rows.ts";
import { dropResponse, publicationAdditions, publicationStartResponse, startPublishBody } from "./schemas.ts";

// An addition to the specification: publishing a page that a model does not repeat in a call,
// docs/adr/0050-publication-bodies.md.

/** POST /api/publications */
export const startPublishRoute = /* @__PURE__ */ apiRoute({
  id: "start-publish",
  resource: "drops",
  method: "POST",
  path: "/api/publications",
  scope: "publish",
  addition: "docs/adr/0050-publication-bodies.md",
  summary: "Get a URL to publish a page from a file",
  body: { json: startPublishBody, required: false },
  response: { status: 201, json: publicationStartResponse },
  errors: /* @__PURE__ */ errorCodes("unauthorized", dropErrors, "context_too_large", writeErrors),
  grants: {
    table: { actions: ["BatchGetItem", "PutItem", "UpdateItem"], items: ["PUBLISH", "TOKEN", "GROUP"] },
    audit: true,
    pages: ["PutObject"],
    settings: ["answers", "expiry", "visibility"],
  },
});

/** POST /api/publications/page?key= */
export const sendPageRoute = /* @__PURE__ */ apiRoute({
  id: "send-page",
  resource: "drops",
  method: "POST",
  path: "/api/publications/page",
  addition: "docs/adr/0050-publication-bodies.md",
  summary: "Publish to a started URL",
  caller: "anyone",
  // The publication uses the token that started it.
  query: sendPageQuery,
  body: "page",
  response: { status: 200, alsoStatus: 201, json: dropResponse, additions: publicationAdditions },
  errors: /* @__PURE__ */ errorCodes(
    dropErrors,
    pageErrors,
    "forbidden",
    "insufficient_scope",
    "not_found",
    "several_match",
    writeErrors,
    "quota_exceeded",
    "version_limit_reached",
  ),
  memoryMegabytes: 1_024,
  performs: ["publish-drop", "publish-version", "upsert-drop"],
  grants: { table: { actions: ["GetItem"], items: ["PUBLISH", "USER"] }, pages: ["GetObject"] },
});
