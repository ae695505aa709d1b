import type { DocumentSite } from "../contract/document-site.ts";
import { errorCatalog } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { mcpTools } from "../contract/mcp-tools.ts";
import { apiVersion } from "../contract/openapi/document.ts";
import { authoring } from "./advice.ts";
import { list } from "./markdown.ts";
import { writeMcpConfiguration } from "./mcp-configuration.ts";
import { describeTool } from "./mcp-tool-description.ts";
import { summary } from "./onboarding.ts";

const rules: readonly string[] = [
  "Look up before you publish: call list_drops with metadata of your own, such as `project`. Where a drop matches, call update_drop, so that its address stays; otherwise publish_drop with that metadata. upsert_drop does both in one call.",
  "Hand out `url`, and nothing else.",
  "A refusal is `{error: {code, message, details}}`: decide by `code`. The message tells what to mend.",
  `A token has ${limits.writesPerMinutePerToken} writes a minute and ${limits.writesPerDayPerToken} a day; reads are free, and so is a call that was invalid.`,
  "A call that got no answer may have been carried out. Look before you repeat it.",
];

/** `mcp.json`: what the MCP server tells of itself, `McpDocument` of `functions/mcp`. */
export function writeMcpDocument(site: DocumentSite): object {
  const signInGuidance = writeSignInGuidance(site);
  return {
    version: apiVersion,
    instructions: writeInstructions(signInGuidance),
    signInGuidance,
    tools: mcpTools.map(describeTool),
  };
}

/** What an agent does whose MCP client sends no token. */
function writeSignInGuidance(site: DocumentSite): string {
  return `This MCP client sends no API token. Call start_sign_in, show the human \`verification_url\` and \`code\`, and call poll_sign_in until it answers \`verified\`. Then put \`api_token\` into the configuration of this MCP server, or ask the human to, and reconnect: ${JSON.stringify(writeMcpConfiguration(site))}. ${errorCatalog.unauthorized.message}`;
}

function writeInstructions(signInGuidance: string): string {
  return `${summary}

Rules:
${list(rules)}

How to write the page:
${list(authoring)}

Where a tool answers \`unauthorized\`: ${signInGuidance}`;
}
