import type { DocumentSite } from "../contract/document-site.ts";
import { documentLinks } from "./documents.ts";

/** `/.well-known/api-catalog`: the API with what describes it, as a linkset (RFC 9264, section 4.2; RFC 9727). */
export function writeApiCatalog({ baseUrl }: DocumentSite): object {
  const byRelation = Object.groupBy(documentLinks(), ({ rel }) => rel);
  const relations = Object.entries(byRelation).map(([rel, links = []]) => [
    rel,
    links.map(({ path, type }) => ({ href: baseUrl + path, type })),
  ]);
  return { linkset: [{ anchor: `${baseUrl}/api/`, ...Object.fromEntries(relations) }] };
}
