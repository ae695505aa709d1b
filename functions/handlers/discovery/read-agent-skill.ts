import { readAgentSkillRoute } from "../../contract/discovery-routes.ts";
import { document, readDocument } from "../../http/document-answer.ts";
import { documentOperation } from "../../http/document-operation.ts";

/** GET /.well-known/agent-skills/dropleaf/SKILL.md: the guide as a skill. */
export const readAgentSkill = documentOperation(readAgentSkillRoute, async ({ site }) =>
  document("markdown", await readDocument("SKILL.md", site)),
);
