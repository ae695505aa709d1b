import { createHash } from "node:crypto";
import { readAgentSkillRoute } from "../contract/discovery-routes.ts";

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
