import { pageRows, readerGrants } from "../http/route.ts";
import { fileKeyQuery } from "./schemas.ts";

const pageRow = /* @__PURE__ */ pageRows({
  resource: "pages",
  addition: "docs/adr/0051-restricted-files.md",
  grants: readerGrants,
});

export const showFileRoute = /* @__PURE__ */ pageRow("GET /files/{namespace}/{id}", {
  id: "show-file",
  summary: "A restricted file: signs the reader in, and redirects to the bytes",
  query: fileKeyQuery,
  response: { status: 303 },
  grants: { table: { items: ["NS"] }, restrictedFiles: ["GetObject"] },
});

export const showEmbeddedFileRoute = /* @__PURE__ */ pageRow("GET /b/{id}/{key}", {
  id: "show-embedded-file",
  host: "owner",
  summary: "A restricted file in a page: redirects the reader to the bytes, or to the file's own address",
  response: { status: 302 },
  grants: { table: { items: ["NS"] }, restrictedFiles: ["GetObject"] },
});
