import type { DocumentSite } from "../contract/document-site.ts";
import { writeGuide } from "./guide.ts";
import { skillDescription, skillName } from "./skills-index.ts";

/** `SKILL.md`: the guide with the front matter of the Agent Skills specification. */
export function writeAgentSkill(site: DocumentSite): string {
  return `---
name: ${skillName}
description: >-
  ${skillDescription}
---

${writeGuide(site)}`;
}
