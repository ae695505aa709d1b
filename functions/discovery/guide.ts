import { type ErrorCode, errorCatalog } from "../core/errors.ts";
import type { DocumentSite } from "../core/written-site.ts";
import { mcpTools } from "../mcp/tools.ts";
import { routeOf } from "../routes.ts";
import {
  authoring,
  code,
  codelessErrors,
  describeLimits,
  errorAdvice,
  list,
  rules,
  table,
  unknownCodeAdvice,
  writePatterns,
} from "./advice.ts";
import { describeOperations, summary } from "./onboarding.ts";
import { type CallStep, mcpUrl, type Recipe, writeMcpConfiguration, writeRecipes } from "./recipes.ts";

/** Headings of the recipes, by name. */
const headings: Readonly<Record<string, string>> = {
  sign_in: "Sign in",
  upsert: "Publish the first and every later version",
  look_up: "Look up first",
  publish: "Publish a new drop",
  update: "Publish a new version",
  edit: "Change title and tags",
  lock: "Lock",
  unlock: "Unlock",
  upload_file: "Upload a file",
  delete: "Delete",
};

/** Writes the guide for agents in Markdown, for `/api/onboard?format=md`. */
export function writeGuide(site: DocumentSite): string {
  const recipes = Object.entries(writeRecipes(site));
  return `# Dropleaf

> ${summary} The service is at ${site.baseUrl}.

An agent signs in once, with the help of a human, and gets an API token. It then publishes pages with JSON over HTTPS.
Each page (a *drop*) has a \`slug\` and a \`url\` that never change.

## Rules

${list(rules)}

## How to

In the commands, replace the names in braces with your values.

${recipes.map(([name, recipe]) => writeRecipe(headings[name] ?? name, recipe) + (name === "publish" ? fromFile(site) : "")).join("\n\n")}

## MCP

${aboutMcp(site)}

## Write the page

${list(authoring)}

${writePatterns("###")}

## Limits

${table(
  ["limit", "value", "meaning"],
  describeLimits().map(({ name, value, meaning }) => [`\`${name}\``, String(value), meaning]),
)}

## Errors

The body of an error is \`{"error": {"code": …, "message": …, "details": …}}\`. ${codelessErrors}

${table(
  ["code", "status", "what to do"],
  (Object.keys(errorCatalog) as ErrorCode[]).map((code) => [
    `\`${code}\``,
    String(errorCatalog[code].status),
    errorAdvice[code],
  ]),
)}

${unknownCodeAdvice}

## Operations

*token*: needs the header Authorization. *write*: counts as a write of the token.

${table(
  ["operation", "call", "what it does", ""],
  describeOperations(site).map((operation) => [
    `\`${operation.id}\``,
    `\`${operation.method} ${operation.url.replace(site.baseUrl, "") || "/"}\``,
    operation.summary,
    [operation.needs_token ? "token" : "", operation.counts_as_write ? "write" : ""]
      .filter(Boolean)
      .join(", "),
  ]),
)}
`;
}

function aboutMcp(site: DocumentSite): string {
  const tools = mcpTools.map(({ name }) => code(name)).join(", ");
  return `The same operations are tools of an MCP server: ${mcpUrl(site)}, streamable HTTP. Add this to the configuration of
your MCP client, with your token in place of the braces:

\`\`\`json
${JSON.stringify(writeMcpConfiguration(site), null, 2)}
\`\`\`

Tools: ${tools}. The sign-in tools work without a token.`;
}

/** Shows how to publish a page from a file. jq escapes the file's quotes and line breaks. */
function fromFile({ baseUrl }: DocumentSite): string {
  const { method, path } = routeOf("publish-drop");
  return `

To send a page from a file, write the JSON with jq:

\`\`\`sh
jq -n --arg title '{title}' --arg project '{project}' --rawfile html page.html \\
  '{title: $title, html: $html, metadata: {project: $project}}' \\
  | curl -sS -X ${method} '${baseUrl}${path}' \\
    -H 'Authorization: Bearer {api_token}' \\
    -H 'Content-Type: application/json' \\
    --data-binary @-
\`\`\``;
}

function writeRecipe(heading: string, { goal, steps }: Recipe): string {
  const written = steps.map((step, index) => {
    const number = steps.length > 1 ? `${index + 1}. ` : "";
    if ("human" in step)
      return `${number}**The human:** ${step.human} Show ${step.show.map(code).join(" and ")}.`;
    return `${number}${step.why}\n\n\`\`\`sh\n${writeCommand(step)}\n\`\`\`${writeFollowUp(step)}`;
  });
  return `### ${heading}\n\n${goal}\n\n${written.join("\n\n")}`;
}

function writeFollowUp({ keep, repeat, next, status, also_status: also }: CallStep): string {
  const waits = Object.entries(repeat?.while ?? {}).map(
    ([pointer, values]) =>
      `While ${place(pointer)} is ${values.map(code).join(" or ")}, wait ${repeat?.every_seconds} seconds and call again.`,
  );
  const kept = Object.values(keep ?? {}).map(place);
  const ways = (next ?? []).map(({ when, equals, recipe, keep: taken = {} }) => {
    const condition = equals === undefined ? "exists" : `is ${equals}`;
    const names = Object.keys(taken).map((name) => `, with it as ${code(name)}`);
    return `If ${place(when)} ${condition}, continue with *${headings[recipe] ?? recipe}*${names.join("")}.`;
  });
  const parts = [
    also === undefined ? `Status: ${status}.` : `Status: ${status}, or ${also} for a new drop.`,
    ...waits,
    ...(kept.length > 0 ? [`Keep ${kept.join(", ")}.`] : []),
    ...ways,
  ];
  return `\n\n${parts.join(" ")}`;
}

/** Converts a JSON Pointer to JavaScript syntax: `/drops/0/slug` becomes `drops[0].slug`. */
function place(pointer: string): string {
  return code(
    pointer
      .slice(1)
      .replace(/\/(\d+)/g, "[$1]")
      .replaceAll("/", "."),
  );
}

/** Writes a step as a shell command. Placeholders are in braces. */
function writeCommand({ method, url, headers, body }: CallStep): string {
  const isFile = body === undefined && "Content-Type" in headers;
  const parts = [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} '${url}'`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
    ...(isFile ? ["--data-binary @{filename}"] : []),
  ];
  return parts.join(" \\\n  ");
}
