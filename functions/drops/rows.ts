import { apiRoute, errorCodes, writeErrors } from "../http/route.ts";
import { newPageBody, nextPageBody } from "./html-body.ts";
import { htmlbinCliListAdditions } from "./htmlbin-cli-compat.ts";
import { listDropsQuery, listReadsQuery, upsertDropQuery } from "./queries.ts";
import {
  dropListResponse,
  dropResponse,
  editDropBody,
  moveDropBody,
  publicationAdditions,
  publishDropBody,
  publishVersionBody,
  readListResponse,
  setPasscodeBody,
} from "./schemas.ts";

/** Errors of a drop's own fields. */
export const dropErrors = [
  "invalid_json",
  "invalid_arg",
  "title_required",
  "title_too_long",
  "description_too_long",
] as const;

/** Errors of a page. */
export const pageErrors = ["html_required", "html_too_large", "context_too_large", "secrets_found"] as const;

/** GET /api/drops */
export const listDropsRoute = /* @__PURE__ */ apiRoute({
  id: "list-drops",
  resource: "drops",
  method: "GET",
  path: "/api/drops",
  summary: "Your drops, filtered and sorted",
  isForWorkflows: true,
  query: listDropsQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: dropListResponse, additions: htmlbinCliListAdditions },
  errors: ["unauthorized", "invalid_arg"],
  // Goes through up to 500 drops.
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
});

/** POST /api/drops */
export const publishDropRoute = /* @__PURE__ */ apiRoute({
  id: "publish-drop",
  resource: "drops",
  method: "POST",
  path: "/api/drops",
  scope: "publish",
  summary: "Publish a page",
  isForWorkflows: true,
  headers: ["Idempotency-Key"],
  body: { json: publishDropBody, page: newPageBody, required: true },
  response: { status: 201, json: dropResponse, additions: publicationAdditions },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    dropErrors,
    pageErrors,
    "passcode_too_short",
    writeErrors,
    "quota_exceeded",
  ),
  // Parses up to 2 MiB of HTML, and may hash a passcode.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG", "GROUP"],
    },
    audit: true,
    pages: ["PutObject"],
    settings: ["answers", "expiry", "pageBytesMax", "secretScan", "visibility"],
  },
});

/** GET /api/drops/{slug} */
export const getDropRoute = /* @__PURE__ */ apiRoute({
  id: "get-drop",
  resource: "drops",
  method: "GET",
  path: "/api/drops/{slug}",
  summary: "A drop's data",
  isForWorkflows: true,
  response: { status: 200, json: dropResponse },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  grants: { table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] } },
});

/** PUT /api/drops/{slug} */
export const publishVersionRoute = /* @__PURE__ */ apiRoute({
  id: "publish-version",
  resource: "drops",
  method: "PUT",
  path: "/api/drops/{slug}",
  scope: "publish",
  summary: "Publish a new version of a drop",
  isForWorkflows: true,
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishVersionBody, page: nextPageBody, required: true },
  response: { status: 200, json: dropResponse, additions: publicationAdditions },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    dropErrors,
    pageErrors,
    "not_found",
    writeErrors,
    "quota_exceeded",
    "version_limit_reached",
  ),
  // Parses up to 2 MiB of HTML.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG", "GROUP"],
    },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["answers", "expiry", "pageBytesMax", "secretScan", "visibility"],
  },
});

/** PATCH /api/drops/{slug} */
export const editDropRoute = /* @__PURE__ */ apiRoute({
  id: "edit-drop",
  resource: "drops",
  method: "PATCH",
  path: "/api/drops/{slug}",
  scope: "publish",
  summary: "Change a drop's details",
  isForWorkflows: true,
  headers: ["If-Match"],
  body: { json: editDropBody, required: false },
  response: { status: 200, json: dropResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    dropErrors,
    "metadata_only_on_patch",
    "not_found",
    writeErrors,
  ),
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: ["SLUG", "TOKEN", "USER", "GROUP"],
    },
    audit: true,
    settings: ["answers", "expiry", "visibility"],
  },
});

/** DELETE /api/drops/{slug} */
export const deleteDropRoute = /* @__PURE__ */ apiRoute({
  id: "delete-drop",
  resource: "drops",
  method: "DELETE",
  path: "/api/drops/{slug}",
  summary: "Delete a drop and all its versions",
  isForWorkflows: true,
  headers: ["If-Match"],
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "invalid_arg", "not_found", writeErrors),
  grants: {
    table: {
      actions: ["DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
    settings: ["trashDays"],
  },
});

/** POST /api/drops/{slug}/passcode */
export const setPasscodeRoute = /* @__PURE__ */ apiRoute({
  id: "set-passcode",
  resource: "drops",
  method: "POST",
  path: "/api/drops/{slug}/passcode",
  summary: "Lock a drop, or unlock it",
  headers: ["If-Match"],
  body: { json: setPasscodeBody, required: true },
  response: { status: 200, json: dropResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "passcode_required",
    "passcode_too_short",
    "not_found",
    writeErrors,
  ),
  // A whole processor for the hash of a passcode.
  memoryMegabytes: 1_769,
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] },
    audit: true,
  },
});

/** POST /api/drops/{slug}/move */
export const moveDropRoute = /* @__PURE__ */ apiRoute({
  id: "move-drop",
  resource: "teams",
  method: "POST",
  path: "/api/drops/{slug}/move",
  addition: "docs/adr/0048-ownership-transfer.md",
  summary: "Move a drop to a team, or out of it",
  headers: ["If-Match"],
  body: { json: moveDropBody, required: true },
  response: { status: 200, json: dropResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "forbidden",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "not_found",
    writeErrors,
    "quota_exceeded",
  ),
  grants: {
    table: {
      actions: [
        "BatchGetItem",
        "ConditionCheckItem",
        "DeleteItem",
        "GetItem",
        "PutItem",
        "Query",
        "UpdateItem",
      ],
      items: ["IDP", "MEMBER", "SCIM", "SLUG", "TEAMRULE", "TOKEN", "USER"],
    },
    audit: true,
    settings: ["leavers", "members", "pageBytesMax"],
  },
});

// An addition to the specification: its "lookup-then-mutate pattern" as one atomic call.

/** PUT /api/drops */
export const upsertDropRoute = /* @__PURE__ */ apiRoute({
  id: "upsert-drop",
  resource: "drops",
  method: "PUT",
  path: "/api/drops",
  scope: "publish",
  addition: "docs/adr/0013-idempotency-and-upserts.md",
  summary: "Publish to the drop with this metadata, or to a new one",
  isForWorkflows: true,
  query: upsertDropQuery,
  refusesUnknownParameters: true,
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishDropBody, page: newPageBody, required: true },
  response: { status: 200, alsoStatus: 201, json: dropResponse, additions: publicationAdditions },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    dropErrors,
    pageErrors,
    "passcode_too_short",
    "several_match",
    writeErrors,
    "quota_exceeded",
    "version_limit_reached",
  ),
  // As publish-drop.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG", "GROUP"],
    },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["answers", "expiry", "pageBytesMax", "secretScan", "visibility"],
  },
});

/** GET /api/drops/{slug}/reads */
export const listReadsRoute = /* @__PURE__ */ apiRoute({
  id: "list-reads",
  resource: "drops",
  method: "GET",
  path: "/api/drops/{slug}/reads",
  addition: "docs/adr/0031-audit-and-read-trails.md",
  summary: "Who opened a drop",
  query: listReadsQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: readListResponse },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] },
    readTrail: "Query",
  },
});
