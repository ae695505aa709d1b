import type { DocumentSite } from "../contract/document-site.ts";
import { documentUrls } from "./documents.ts";
import { writeGuide } from "./guide.ts";

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
