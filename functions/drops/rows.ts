import { apiRows } from "../http/route.ts";
import { newPageBody, nextPageBody } from "./html-body.ts";
import { htmlbinCliListAdditions } from "./htmlbin-cli-compat.ts";
import { listDropsQuery, listReadsQuery, sendPageQuery, upsertDropQuery } from "./queries.ts";
import {
  dropListResponse,
  dropResponse,
  editDropBody,
  moveDropBody,
  publicationAdditions,
  publicationStartResponse,
  publishDropBody,
  publishVersionBody,
  readListResponse,
  setPasscodeBody,
  startPublishBody,
} from "./schemas.ts";

/** Error codes for a drop's own fields. */
export const dropErrors = ["title_required", "title_too_long", "description_too_long"] as const;

const pageErrors = ["html_required", "html_too_large", "context_too_large", "secrets_found"] as const;

const apiRow = /* @__PURE__ */ apiRows({ resource: "drops" });

/** Creates the definition of an operation that publishes a page of up to 2 MiB. */
const publishRow = /* @__PURE__ */ apiRows({
  resource: "drops",
  scope: "publish",
  isForWorkflows: true,
  errors: [dropErrors, pageErrors, "quota_exceeded"],
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "PutItem"], items: ["GROUP", "SLUG", "USER"] },
    audit: true,
    pages: ["PutObject"],
    settings: ["answers", "expiry", "pageBytesMax", "secretScan", "visibility"],
  },
});

export const listDropsRoute = /* @__PURE__ */ apiRow("GET /api/drops", {
  id: "list-drops",
  summary: "Your drops, filtered and sorted",
  isForWorkflows: true,
  query: listDropsQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: dropListResponse, additions: htmlbinCliListAdditions },
  // Memory for filtering and sorting up to 500 drops.
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query"], items: ["USER"] } },
});

export const publishDropRoute = /* @__PURE__ */ publishRow("POST /api/drops", {
  id: "publish-drop",
  summary: "Publish a page",
  headers: ["Idempotency-Key"],
  body: { json: publishDropBody, page: newPageBody, required: true },
  response: { status: 201, json: dropResponse, additions: publicationAdditions },
  errors: ["passcode_too_short"],
});

export const getDropRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}", {
  id: "get-drop",
  summary: "A drop's data",
  isForWorkflows: true,
  response: { status: 200, json: dropResponse },
  grants: { table: { actions: ["GetItem", "Query"], items: ["SLUG", "USER"] } },
});

export const publishVersionRoute = /* @__PURE__ */ publishRow("PUT /api/drops/{slug}", {
  id: "publish-version",
  summary: "Publish a new version of a drop",
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishVersionBody, page: nextPageBody, required: true },
  response: { status: 200, json: dropResponse, additions: publicationAdditions },
  errors: ["version_limit_reached"],
  grants: { table: { actions: ["ConditionCheckItem", "Query"] }, pages: ["GetObject"] },
});

export const editDropRoute = /* @__PURE__ */ apiRow("PATCH /api/drops/{slug}", {
  id: "edit-drop",
  scope: "publish",
  summary: "Change a drop's details",
  isForWorkflows: true,
  headers: ["If-Match"],
  body: { json: editDropBody, required: false },
  response: { status: 200, json: dropResponse },
  errors: [dropErrors, "metadata_only_on_patch"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: ["GROUP", "SLUG", "USER"] },
    audit: true,
    settings: ["answers", "expiry", "visibility"],
  },
});

export const deleteDropRoute = /* @__PURE__ */ apiRow("DELETE /api/drops/{slug}", {
  id: "delete-drop",
  summary: "Delete a drop and all its versions",
  isForWorkflows: true,
  headers: ["If-Match"],
  response: { status: 204 },
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "PutItem", "Query"], items: ["SLUG", "USER"] },
    audit: true,
    settings: ["trashDays"],
  },
});

export const setPasscodeRoute = /* @__PURE__ */ apiRow("POST /api/drops/{slug}/passcode", {
  id: "set-passcode",
  summary: 'Lock a drop ("" unlocks)',
  headers: ["If-Match"],
  body: { json: setPasscodeBody, required: true },
  response: { status: 200, json: dropResponse },
  errors: ["passcode_required", "passcode_too_short"],
  // Memory for a full vCPU, to hash a passcode.
  memoryMegabytes: 1_769,
  grants: { table: { actions: ["GetItem", "Query"], items: ["SLUG", "USER"] }, audit: true },
});

export const moveDropRoute = /* @__PURE__ */ apiRow("POST /api/drops/{slug}/move", {
  id: "move-drop",
  resource: "teams",
  addition: "docs/adr/0048-ownership-transfer.md",
  summary: "Move a drop to or from a team",
  headers: ["If-Match"],
  body: { json: moveDropBody, required: true },
  response: { status: 200, json: dropResponse },
  errors: ["forbidden", "quota_exceeded"],
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query"],
      items: ["IDP", "MEMBER", "SCIM", "SLUG", "TEAMRULE", "USER"],
    },
    audit: true,
    settings: ["leavers", "members", "pageBytesMax"],
  },
});

// This operation is an addition to the specification. It replaces the "lookup-then-mutate pattern" with one atomic call.

export const upsertDropRoute = /* @__PURE__ */ publishRow("PUT /api/drops", {
  id: "upsert-drop",
  addition: "docs/adr/0013-idempotency-and-upserts.md",
  summary: "Publish to the drop with this metadata, or to a new one",
  query: upsertDropQuery,
  refusesUnknownParameters: true,
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishDropBody, page: newPageBody, required: true },
  response: { status: 200, alsoStatus: 201, json: dropResponse, additions: publicationAdditions },
  errors: ["passcode_too_short", "several_match", "version_limit_reached"],
  grants: { table: { actions: ["ConditionCheckItem", "Query"] }, pages: ["GetObject"] },
});

export const listReadsRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/reads", {
  id: "list-reads",
  addition: "docs/adr/0031-audit-and-read-trails.md",
  summary: "Who opened a drop",
  query: listReadsQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: readListResponse },
  grants: { table: { actions: ["GetItem"], items: ["SLUG", "USER"] }, readTrail: "Query" },
});

// These operations are additions to the specification. They publish a page from a file, so that a model does not have to repeat the page in
// a call; see docs/adr/0050-publication-bodies.md.

const publicationRow = /* @__PURE__ */ apiRows({
  resource: "drops",
  addition: "docs/adr/0050-publication-bodies.md",
});

export const startPublishRoute = /* @__PURE__ */ publicationRow("POST /api/publications", {
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

export const sendPageRoute = /* @__PURE__ */ publicationRow("POST /api/publications/page", {
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
