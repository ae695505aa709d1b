/** What an answer may be beside JSON by a schema; the key stands in the rows. */
export const mediaTypes = {
  /** A file, whose type is its own. */
  bytes: "*/*",
  html: "text/html; charset=utf-8",
  /** JSON whose form a document of its own describes. */
  json: "application/json; charset=utf-8",
  /** RFC 9727, section 4.1: the profile makes the linkset a catalog of APIs. */
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  markdown: "text/markdown; charset=utf-8",
  text: "text/plain; charset=utf-8",
} as const;

/** What an answer is, where it is not JSON by a schema. */
export type ContentKind = keyof typeof mediaTypes;
