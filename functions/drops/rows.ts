import {
  refusedOfEdit,
  refusedOfNewDrop,
  refusedOfNewVersion,
  refusedOfUpsert,
  refusedWithPasscode,
} from "../http/field-hints.ts";
import {
  explainListParameter,
  explainUpsertParameter,
  noticedOfDrop,
  refusedOfDeletion,
} from "../http/parameter-hints.ts";
import { errorCodes, type Route, writeErrors } from "../http/route.ts";
import { newPageBody, nextPageBody, reviewPublication, upsertedPageBody } from "./html-body.ts";
import { htmlbinCliListAdditions } from "./htmlbin-cli-compat.ts";
import { listDropsQuery, listReadsQuery, upsertDropQuery } from "./queries.ts";
import {
  dropListResponse,
  dropResponse,
  editDropBody,
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
export const listDropsRoute = {
  id: "list-drops",
  resource: "drops",
  method: "GET",
  path: "/api/drops",
  host: "base",
  summary: "The caller's drops, filtered and sorted",
  caller: "token",
  isForWorkflows: true,
  countsAsWrite: false,
  query: listDropsQuery,
  explainParameter: explainListParameter,
  response: { status: 200, json: dropListResponse, additions: htmlbinCliListAdditions },
  errors: ["unauthorized", "invalid_arg"],
  errorsAs: "json",
  // Up to 500 drops to go through.
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** POST /api/drops */
export const publishDropRoute = {
  id: "publish-drop",
  resource: "drops",
  method: "POST",
  path: "/api/drops",
  host: "base",
  summary: "Publish a page",
  caller: "token",
  isForWorkflows: true,
  countsAsWrite: true,
  headers: ["Idempotency-Key"],
  body: { json: publishDropBody, page: newPageBody, required: true },
  refusedFields: refusedOfNewDrop,
  review: reviewPublication,
  response: { status: 201, json: dropResponse, additions: publicationAdditions },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    dropErrors,
    pageErrors,
    "passcode_too_short",
    writeErrors,
    "quota_exceeded",
  ),
  errorsAs: "json",
  // Up to 2 MiB of HTML to go through, and perhaps a passcode to hash.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG", "GROUP"],
    },
    audit: true,
    pages: ["PutObject"],
    settings: ["expiry", "pageBytesMax", "secretScan", "visibility"],
  },
} as const satisfies Route;

/** GET /api/drops/{slug} */
export const getDropRoute = {
  id: "get-drop",
  resource: "drops",
  method: "GET",
  path: "/api/drops/{slug}",
  host: "base",
  summary: "A drop",
  caller: "token",
  isForWorkflows: true,
  countsAsWrite: false,
  refusedParameters: noticedOfDrop,
  response: { status: 200, json: dropResponse },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  errorsAs: "json",
  grants: { table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] } },
} as const satisfies Route;

/** PUT /api/drops/{slug} */
export const publishVersionRoute = {
  id: "publish-version",
  resource: "drops",
  method: "PUT",
  path: "/api/drops/{slug}",
  host: "base",
  summary: "Publish a new version of a drop",
  caller: "token",
  isForWorkflows: true,
  countsAsWrite: true,
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishVersionBody, page: nextPageBody, required: true },
  refusedFields: refusedOfNewVersion,
  review: reviewPublication,
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
  errorsAs: "json",
  // Up to 2 MiB of HTML to go through.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG", "GROUP"],
    },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["expiry", "pageBytesMax", "secretScan", "visibility"],
  },
} as const satisfies Route;

/** PATCH /api/drops/{slug} */
export const editDropRoute = {
  id: "edit-drop",
  resource: "drops",
  method: "PATCH",
  path: "/api/drops/{slug}",
  host: "base",
  summary: "Change what is about a drop",
  caller: "token",
  isForWorkflows: true,
  countsAsWrite: true,
  headers: ["If-Match"],
  body: { json: editDropBody, required: false },
  refusedFields: refusedOfEdit,
  response: { status: 200, json: dropResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    dropErrors,
    "metadata_only_on_patch",
    "not_found",
    writeErrors,
  ),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: ["SLUG", "TOKEN", "USER", "GROUP"],
    },
    audit: true,
    settings: ["expiry", "visibility"],
  },
} as const satisfies Route;

/** DELETE /api/drops/{slug} */
export const deleteDropRoute = {
  id: "delete-drop",
  resource: "drops",
  method: "DELETE",
  path: "/api/drops/{slug}",
  host: "base",
  summary: "Delete a drop and all its versions",
  caller: "token",
  isForWorkflows: true,
  countsAsWrite: true,
  headers: ["If-Match"],
  refusedParameters: refusedOfDeletion,
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "invalid_arg", "not_found", writeErrors),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
    settings: ["trashDays"],
  },
} as const satisfies Route;

/** POST /api/drops/{slug}/passcode */
export const setPasscodeRoute = {
  id: "set-passcode",
  resource: "drops",
  method: "POST",
  path: "/api/drops/{slug}/passcode",
  host: "base",
  summary: "Lock a drop, or unlock it with an empty passcode",
  caller: "token",
  countsAsWrite: true,
  headers: ["If-Match"],
  body: { json: setPasscodeBody, required: true },
  refusedFields: refusedWithPasscode,
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
  errorsAs: "json",
  // A whole processor for the hash of a passcode.
  memoryMegabytes: 1_769,
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] },
    audit: true,
  },
} as const satisfies Route;

// An addition to the specification: what its "lookup-then-mutate pattern" is for, in one call that nobody can come between.

/** PUT /api/drops */
export const upsertDropRoute = {
  id: "upsert-drop",
  resource: "drops",
  method: "PUT",
  path: "/api/drops",
  host: "base",
  addition: "docs/adr/0014-upsert-by-metadata.md",
  summary: "Publish to the one drop with this metadata, or to a new one",
  caller: "token",
  isForWorkflows: true,
  countsAsWrite: true,
  query: upsertDropQuery,
  explainParameter: explainUpsertParameter,
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishDropBody, page: upsertedPageBody, required: true },
  refusedFields: refusedOfUpsert,
  review: reviewPublication,
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
  errorsAs: "json",
  // As publish-drop.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG", "GROUP"],
    },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["expiry", "pageBytesMax", "secretScan", "visibility"],
  },
} as const satisfies Route;

/** GET /api/drops/{slug}/reads */
export const listReadsRoute = {
  id: "list-reads",
  resource: "drops",
  method: "GET",
  path: "/api/drops/{slug}/reads",
  host: "base",
  addition: "docs/adr/0091-read-trail.md",
  summary: "Who opened a drop",
  caller: "token",
  countsAsWrite: false,
  query: listReadsQuery,
  explainParameter: () => "",
  response: { status: 200, json: readListResponse },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  errorsAs: "json",
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] },
    readTrail: "Query",
  },
} as const satisfies Route;
