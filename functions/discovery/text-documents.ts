import { createHash } from "node:crypto";
import { readAgentSkillRoute } from "./rows.ts";

/**
 * `/robots.txt`, on every host. Pages say themselves whether they may be listed, and crawlers have to fetch them to
 * hear it; the API has nothing for crawlers but the guide.
 *
 * Source: RFC 9309.
 */
export function writeRobotsTxt(onboardingPath: string, llmsTxtUrl: string): string {
  return `# Agents: ${llmsTxtUrl} tells how to publish here.

User-agent: *
Allow: ${onboardingPath}
Disallow: /api/
`;
}

/** Days until the file expires. */
const goodForDays = 90;

/**
 * `/.well-known/security.txt`: whom to tell of a vulnerability. It expires 90 days after it was asked for, so that
 * nobody goes by an old copy, and a service that runs for years without a new deployment still has a good one.
 *
 * Source: RFC 9116.
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

/** The skill's name and folder, as the Agent Skills specification wants it. */
export const skillName = "dropleaf";

/** By which an agent decides whether the skill is for what it has to do. */
export const skillDescription =
  "Publish a self-contained HTML page (report, chart, prototype, document) and get a permanent public URL with a version history; update, lock, tag and delete such pages; upload files. Use when the user wants to share, publish or host a page or a file with Dropleaf.";

/** `/.well-known/agent-skills/index.json`; Agent Skills Discovery via Well-Known URIs, version 0.2.0. */
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
