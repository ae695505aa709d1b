import { documentLinks, documentUrls } from "./documents.ts";
import { writeGuide } from "./guide.ts";
import type { DocumentSite } from "./site.ts";
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

/** `/llms.txt`: the guide, and links to everything else, in the form of llmstxt.org. */
export function writeLlmsTxt(site: DocumentSite): string {
  const urls = documentUrls(site);
  return `${writeGuide(site)}
## Documents

- [Onboarding as JSON](${urls.onboarding}): this guide as data; its recipes can be carried out step by step
- [Onboarding as Markdown](${urls.onboarding_markdown}): this guide
- [OpenAPI 3.1](${urls.openapi}): every operation, parameter, answer, header and error code, with examples
- [Reference page](${urls.reference}): the same for people
- [Skill](${urls.skill}): this guide to install as an agent skill; [index](${urls.skills_index})
- [API catalog](${urls.api_catalog}): RFC 9727
`;
}

/** `/.well-known/api-catalog`: the API with what describes it, as a linkset (RFC 9264, section 4.2; RFC 9727). */
export function writeApiCatalog({ baseUrl }: DocumentSite): object {
  const byRelation = Object.groupBy(documentLinks(), ({ rel }) => rel);
  const relations = Object.entries(byRelation).map(([rel, links = []]) => [
    rel,
    links.map(({ path, type }) => ({ href: baseUrl + path, type })),
  ]);
  return { linkset: [{ anchor: `${baseUrl}/api/`, ...Object.fromEntries(relations) }] };
}
