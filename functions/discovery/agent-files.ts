import type { DocumentSite } from "../core/written-site.ts";
import { authoring, list, readingRule, writePatterns } from "./advice.ts";
import { documentLinks, documentUrls } from "./documents.ts";
import { summary } from "./onboarding.ts";
import { mcpUrl } from "./recipes.ts";
import { writeFirstCalls } from "./short-guide.ts";
import { skillDescription, skillName } from "./text-documents.ts";

/** Maximum size of `SKILL.md` in bytes. An agent keeps the whole file in its context window while it works. */
export const skillBytesMax = 6_144;

/**
 * Writes `SKILL.md` (Agent Skills specification) with the first calls and the rules for good pages. For all other calls, the file refers to
 * the guide.
 */
export function writeAgentSkill(site: DocumentSite): string {
  const urls = documentUrls(site);
  return `---
name: ${skillName}
description: >-
  ${skillDescription}
---

# Dropleaf

> ${summary} The service is at ${site.baseUrl}.

${readingRule}

With the MCP server (${mcpUrl(site)}), call \`upsert_drop\`, then \`see_drop\`, and fix what it finds. Without it:

${writeFirstCalls(site)}
Hand out the response's \`url\`, after \`GET /api/drops/{slug}/render\` has no problems left to fix.

## Write the page

${list(authoring)}

${writePatterns("##")}

## More

[Every call with its fields](${urls.llms_txt}); [recipes, limits and errors](${urls.onboarding_markdown}); [OpenAPI](${urls.openapi}).
`;
}

/** Writes `/.well-known/api-catalog`, a set of links to the API's descriptions (RFC 9264, section 4.2; RFC 9727). */
export function writeApiCatalog({ baseUrl }: DocumentSite): object {
  const byRelation = Object.groupBy(documentLinks(), ({ rel }) => rel);
  const relations = Object.entries(byRelation).map(([rel, links = []]) => [
    rel,
    links.map(({ path, type }) => ({ href: baseUrl + path, type })),
  ]);
  return { linkset: [{ anchor: `${baseUrl}/api/`, ...Object.fromEntries(relations) }] };
}
