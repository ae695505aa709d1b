import { createHash } from "node:crypto";
import { readAgentSkillRoute } from "./rows.ts";

/**
 * Writes `/robots.txt` (RFC 9309) for all hosts. Allows crawlers to fetch all pages, because each response says whether the page may be
 * indexed. In the API, allows only the guide.
 */
export function writeRobotsTxt(onboardingPath: string, llmsTxtUrl: string): string {
  return `# Agents: ${llmsTxtUrl} explains how to publish here.

User-agent: *
Allow: ${onboardingPath}
Disallow: /api/
`;
}

/** Number of days from a request until `security.txt` expires. */
const goodForDays = 90;

/**
 * Writes `/.well-known/security.txt` (RFC 9116) with the contact for vulnerability reports. The expiry is counted from the request, so that
 * a response is valid even without new deployments.
 */
export function writeSecurityTxt(contact: string, canonicalUrl: string, nowMs: number): string {
  const expires = new Date(nowMs + goodForDays * 86_400_000);
  expires.setUTCHours(0, 0, 0, 0);
  return `Contact: ${contact}
Expires: ${expires.toISOString().replace(".000Z", "Z")}
Canonical: ${canonicalUrl}
Preferred-Languages: en
`;
}

/** Name of the skill and of its folder (Agent Skills specification). */
export const skillName = "dropleaf";

/** Description that helps agents decide whether to use the skill. */
export const skillDescription =
  "Publish a self-contained HTML page (report, chart, prototype, document) and get a permanent public URL with a version history; update, lock, tag and delete such pages; upload files. Use when the user wants to share, publish or host a page or a file with Dropleaf.";

/** Writes `/.well-known/agent-skills/index.json` (Agent Skills Discovery via Well-Known URIs, version 0.2.0). */
export function writeSkillsIndex(skill: string): object {
  return {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: [
      {
        name: skillName,
        type: "skill-md",
        description: skillDescription,
        url: readAgentSkillRoute.path,
        digest: `sha256:${createHash("sha256").update(skill).digest("hex")}`,
      },
    ],
  };
}
