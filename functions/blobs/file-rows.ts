import { pageRoute } from "../http/route.ts";
import { fileKeyQuery } from "./schemas.ts";

/** GET /files/{namespace}/{id} */
export const showFileRoute = /* @__PURE__ */ pageRoute({
  id: "show-file",
  resource: "pages",
  method: "GET",
  path: "/files/{namespace}/{id}",
  addition: "docs/adr/0051-restricted-files.md",
  summary: "A restricted file: signs its reader in, and redirects to its bytes",
  query: fileKeyQuery,
  response: { status: 303 },
  errors: ["not_found"],
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "NS", "READER", "SCIM", "SLUG", "USER"],
    },
    restrictedFiles: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});

/** GET /b/{id}/{key} */
export const showEmbeddedFileRoute = /* @__PURE__ */ pageRoute({
  id: "show-embedded-file",
  resource: "pages",
  method: "GET",
  path: "/b/{id}/{key}",
  host: "owner",
  addition: "docs/adr/0051-restricted-files.md",
  summary:
    "A restricted file that a page embeds: redirects its reader to its bytes, or to the file's own address",
  response: { status: 302 },
  errors: ["not_found"],
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "NS", "READER", "SCIM", "SLUG", "USER"],
    },
    restrictedFiles: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});
