import type { DocumentSite } from "../http/written-site.ts";
import { documentLinks } from "./documents.ts";
import { writeGuide } from "./guide.ts";
import { skillDescription, skillName } from "./text-documents.ts";

/** `SKILL.md`: the guide with the front matter of the Agent Skills specification. */
export function writeAgentSkill(site: DocumentSite): string {
  return `---
name: ${skillName}
description: >-
  ${skillDescription}
---

${writeGuide(site)}`;
}

/** `/.well-known/api-catalog`: links to the API's descriptions, as a linkset (RFC 9264, section 4.2; RFC 9727). */
export function writeApiCatalog({ baseUrl }: DocumentSite): object {
  const byRelation = Object.groupBy(documentLinks(), ({ rel }) => rel);
  const relations = Object.entries(byRelation).map(([rel, links = []]) => [
    rel,
    links.map(({ path, type }) => ({ href: baseUrl + path, type })),
  ]);
  return { linkset: [{ anchor: `${baseUrl}/api/`, ...Object.fromEntries(relations) }] };
}
