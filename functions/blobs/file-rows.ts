import type { Route } from "../http/route.ts";
import { fileKeyQuery } from "./schemas.ts";

/** GET /files/{namespace}/{id} */
export const showFileRoute = {
  id: "show-file",
  resource: "pages",
  method: "GET",
  path: "/files/{namespace}/{id}",
  host: "base",
  addition: "docs/adr/0051-file-visibility.md",
  summary: "A file for some readers, where they sign in: leads who may read it to its bytes",
  caller: "anyone",
  countsAsWrite: false,
  query: fileKeyQuery,
  response: { status: 303 },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "NS", "READER", "SCIM", "SLUG", "USER"],
    },
    restrictedFiles: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members"],
  },
} as const satisfies Route;

/** GET /b/{id}/{key} */
export const showEmbeddedFileRoute = {
  id: "show-embedded-file",
  resource: "pages",
  method: "GET",
  path: "/b/{id}/{key}",
  host: "owner",
  addition: "docs/adr/0051-file-visibility.md",
  summary:
    "A file for some readers in a page that one of them reads: leads to its bytes, or to the file's own address",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 302 },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "NS", "READER", "SCIM", "SLUG", "USER"],
    },
    restrictedFiles: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members"],
  },
} as const satisfies Route;
