import { apiRows } from "../http/route.ts";
import { sendPageQuery } from "./queries.ts";
import { dropErrors, pageErrors } from "./rows.ts";
import { dropResponse, publicationAdditions, publicationStartResponse, startPublishBody } from "./schemas.ts";

// These operations are additions to the specification. They publish a page from a file, so that a model does not have to repeat the page in
// a call; see docs/adr/0050-publication-bodies.md.

const apiRow = /* @__PURE__ */ apiRows({
  resource: "drops",
  addition: "docs/adr/0050-publication-bodies.md",
});

export const startPublishRoute = /* @__PURE__ */ apiRow("POST /api/publications", {
  id: "start-publish",
  scope: "publish",
  summary: "Get a URL to publish a page from a file",
  body: { json: startPublishBody, required: false },
  response: { status: 201, json: publicationStartResponse },
  errors: [dropErrors, "context_too_large"],
  grants: {
    table: { actions: ["BatchGetItem", "PutItem"], items: ["GROUP", "PUBLISH"] },
    audit: true,
    pages: ["PutObject"],
    settings: ["answers", "expiry", "visibility"],
  },
});

export const sendPageRoute = /* @__PURE__ */ apiRow("POST /api/publications/page", {
  id: "send-page",
  summary: "Publish to a one-time URL",
  caller: "anyone",
  // The request needs no token, because the page is published with the token that started the publication.
  query: sendPageQuery,
  body: "page",
  response: { status: 200, alsoStatus: 201, json: dropResponse, additions: publicationAdditions },
  errors: [
    dropErrors,
    "invalid_json",
    pageErrors,
    "forbidden",
    "insufficient_scope",
    "not_found",
    "several_match",
    "rate_limited",
    "daily_quota_exceeded",
    "quota_exceeded",
    "version_limit_reached",
  ],
  memoryMegabytes: 1_024,
  performs: ["publish-drop", "publish-version", "upsert-drop"],
  grants: { table: { actions: ["GetItem"], items: ["PUBLISH", "USER"] }, pages: ["GetObject"] },
});
