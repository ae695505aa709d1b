import { listAgentSkillsRoute } from "../../contract/discovery-routes.ts";
import { writeSkillsIndex } from "../../discovery/skills-index.ts";
import { document, readDocument } from "../../http/document-answer.ts";
import { documentOperation } from "../../http/document-operation.ts";

/** GET /.well-known/agent-skills/index.json: the one skill, with the digest of what is served. */
export const listAgentSkills = documentOperation(listAgentSkillsRoute, async ({ site }) =>
  document("json", JSON.stringify(writeSkillsIndex(await readDocument("SKILL.md", site)))),
);
