import { createHash, randomBytes } from "node:crypto";
import type { InlineSources } from "../views/document.tsx";
import { type HttpAnswer, keptBriefly } from "./answer.ts";

/** What a page of ours may do; the table "Headers" of the promises. */
export type PageKind =
  | "viewer"
  | "locked-viewer"
  | "gate"
  | "framed"
  | "sign-in"
  | "token"
  | "public"
  | "reference";

const common = "default-src 'none'; base-uri 'none'; img-src data:";

const policies: Readonly<Record<PageKind, (nonce: string) => string>> = {
  viewer: (nonce) => `${viewer(nonce)}; frame-ancestors 'self'`,
  // A page of the same owner, which could look into the frame, is not to have it there.
  "locked-viewer": (nonce) => `${viewer(nonce)}; frame-ancestors 'none'`,
  gate: (nonce) => `${common}; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'`,
  framed: (nonce) => `${common}; style-src 'nonce-${nonce}'; form-action 'none'; frame-ancestors 'self'`,
  "sign-in": (nonce) => `${common}; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'`,
  // Its one script copies what the page shows, and can reach nothing: docs/adr/0006-a-token-without-an-agent.md.
  token: (nonce) =>
    `${common}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; form-action 'none'; frame-ancestors 'none'`,
  // Swagger UI reads /openapi.json, and calls the API where people ask it to: docs/adr/0010-reference-by-swagger-ui.md.
  reference: (nonce) =>
    `${common}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; ` +
    "frame-ancestors 'none'",
  public: (nonce) =>
    `${common}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'`,
};

function viewer(nonce: string): string {
  return `${common}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; frame-src 'self'; form-action 'self'`;
}

/**
 * A page of ours with the headers of its kind. `render` gets the nonce that its styles and scripts must carry.
 */
export function page(
  kind: PageKind,
  render: (nonce: string) => string,
  options: { readonly status?: number; readonly cookies?: readonly string[] } = {},
): HttpAnswer {
  const nonce = randomBytes(16).toString("base64");
  return {
    status: options.status ?? 200,
    headers: {
      ...commonHeaders,
      "content-security-policy": policies[kind](nonce),
      "cache-control": "no-store",
    },
    ...(options.cookies ? { cookies: options.cookies } : {}),
    body: render(nonce),
  };
}

/**
 * A page of ours that is the same for everybody: the edge keeps it for so many seconds, and its policy allows what is
 * inline by hash (Content Security Policy Level 3, section 2.3.1), since a nonce must not be given twice.
 */
export function keptPage(
  body: string,
  { inline, edgeSeconds }: { readonly inline: InlineSources; readonly edgeSeconds: number },
): HttpAnswer {
  const sources = [
    ...(inline.script === undefined ? [] : [`script-src ${hashSource(inline.script)}`]),
    `style-src ${hashSource(inline.style)}`,
  ];
  return {
    status: 200,
    headers: {
      ...commonHeaders,
      "content-security-policy": `${common}; ${sources.join("; ")}; form-action 'self'; frame-ancestors 'none'`,
      "cache-control": keptBriefly(edgeSeconds),
    },
    body,
  };
}

const commonHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
} as const;

function hashSource(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}
