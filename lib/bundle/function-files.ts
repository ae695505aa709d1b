import { writtenSite } from "../../functions/core/written-site.ts";
import { writeAgentSkill, writeApiCatalog } from "../../functions/discovery/agent-files.ts";
import { writeGuide } from "../../functions/discovery/guide.ts";
import { writeMcpDocument } from "../../functions/discovery/mcp-document.ts";
import { describeServer } from "../../functions/discovery/mcp-registry.ts";
import { writeOnboarding } from "../../functions/discovery/onboarding.ts";
import { describeApi } from "../../functions/discovery/openapi/document.ts";
import { writeShortGuide } from "../../functions/discovery/short-guide.ts";
import type { OperationId } from "../../functions/routes.ts";
import { serviceVersion } from "../service-version.ts";
import { makePageApp } from "./page-app.ts";
import type { PageAsset } from "./page-assets.ts";

/** A file that is deployed with a function's code: a generated text, a bundled page, or an unchanged file of a package. */
export type FunctionFile =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      /** Bundles the page. The page's source files count as inputs of the function. */
      readonly make: () => Promise<PageAsset>;
    }
  | {
      /** Path of the file, relative to the function's code. */
      readonly name: string;
      /** Absolute path of the package's file. */
      readonly file: string;
    };

/**
 * Files that are deployed with an operation's function: documents that are generated from the contract at build time. `serve-documents`
 * also reads the skill's file for the index of skills.
 */
const files: Partial<Record<OperationId, () => readonly FunctionFile[]>> = {
  "read-open-api": () => [
    { name: "openapi.json", text: JSON.stringify(describeApi(writtenSite, serviceVersion)) },
  ],
  "read-llms-txt": () => [shortGuide()],
  "show-home-page": () => [shortGuide()],
  "read-onboarding": () => [
    { name: "onboarding.json", text: JSON.stringify(writeOnboarding(writtenSite)) },
    { name: "guide.md", text: writeGuide(writtenSite) },
  ],
  "read-agent-skill": () => [agentSkill()],
  "call-mcp": () => [
    { name: "mcp.json", text: JSON.stringify(writeMcpDocument(writtenSite)) },
    agentSkill(),
    { name: "page.html", make: makePageApp },
  ],
  "read-api-catalog": () => [
    { name: "api-catalog.json", text: JSON.stringify(writeApiCatalog(writtenSite)) },
  ],
  // At run time, the function adds the server's name, which depends on the host.
  "list-mcp-servers": () => [
    { name: "server.json", text: JSON.stringify(describeServer(writtenSite, serviceVersion)) },
  ],
};

function shortGuide(): FunctionFile {
  return { name: "llms.txt", text: writeShortGuide(writtenSite) };
}

function agentSkill(): FunctionFile {
  return { name: "SKILL.md", text: writeAgentSkill(writtenSite) };
}

/** Returns the files that are deployed with an operation's function. */
export function filesOf(id: OperationId): readonly FunctionFile[] {
  return files[id]?.() ?? [];
}
