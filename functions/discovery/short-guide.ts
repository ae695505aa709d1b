import { fieldsOf, type NamedField, parametersOf } from "../http/input-hints.ts";
import { limits } from "../http/limits.ts";
import type { Route } from "../http/route.ts";
import type { DocumentSite } from "../http/written-site.ts";
import { mcpTools } from "../mcp/tools.ts";
import { operationIds, routeOf } from "../routes.ts";
import { documentUrls } from "./documents.ts";
import { summary } from "./onboarding.ts";
import { mcpUrl } from "./recipes.ts";

/** An agent reads all of `/llms.txt` before its first call: so many bytes of its context, at most. */
export const shortGuideBytesMax = 8_192;

/** `/llms.txt`, and `/` for who asks for Markdown: the calls that an agent makes, with their fields, and nothing twice. */
export function writeShortGuide(site: DocumentSite): string {
  const { baseUrl } = site;
  const urls = documentUrls(site);
  return `# Dropleaf

> ${summary} The service is at ${baseUrl}.

A page is a *drop*: \`slug\` and \`url\` never change, whatever is published there. Hand out \`url\`, and nothing else.

## Token, once

\`\`\`sh
curl -sS ${baseUrl}/api/auth/start -d '{"label": "{who you are}"}'
# Show the human verification_url and code; then, every ${limits.pollIntervalSeconds} s while status is "pending":
curl -sS '${baseUrl}/api/auth/poll?token={poll_token}'
\`\`\`

\`verified\` brings \`api_token\`, once: store it where only you read it, and send it as \`Authorization: Bearer {api_token}\`.

## Publish: one call for the first time and every time after

\`\`\`sh
curl -sS -X PUT '${baseUrl}/api/drops?metadata.project={project}' \\
  -H 'Authorization: Bearer {api_token}' -H 'Content-Type: text/html' --data-binary @page.html
\`\`\`

A new version of the drop with that tag, or a new drop with it (201); 409 \`several_match\` names the slugs where several
have it. With JSON in place of the page: \`{"title": …, "html": …}\`, and the fields below.

## Calls

All but /api/auth and /api/publications/page with the token. \`?\`: parameters; braces: fields of a JSON body; *: required.

${calls().map(writeCall).join("\n")}

With \`Content-Type: text/html\`, or \`text/markdown\` to be rendered, the page is the body, and what is said of it are parameters. A file is the body of its upload, with its own
Content-Type (\`--data-binary @file\`).

## Fields

- \`html\`: one complete document of up to ${limits.htmlBytesMax} bytes. \`title\`: up to ${limits.titleCodePointsMax} characters; \`description\`: ${limits.descriptionCodePointsMax}.
- \`metadata\`: your tags, such as \`{"project": "…"}\`: up to ${limits.metadataKeysMax} strings, in place of those before. Filter by \`metadata.<key>=<value>\`.
- \`visibility\`: \`public\`, \`unlisted\` (who has the address), \`members\`, or \`people\` with \`readers\` (e-mails, \`@domains\`, user names, \`group:<name>\`). \`indexed\`: search engines list it.
- \`passcode\`: a gate of ${limits.passcodeCodePointsMin} characters or more; empty ends it.
- \`context\`: how the page came about, such as the prompt; readers can open it. \`note\`: what a version changes, in a line.
- \`filename\`: letters, digits, dashes, dots and spaces. A file has up to ${limits.blobBytesMax} bytes.

Readers open \`url\`; the bare page is ${site.ownerUrl("{namespace}")}/p/{slug}/raw, an older version \`?v=N\` at either.

## The page

All CSS in \`<style>\`, all JavaScript in \`<script>\`, images as SVG or data URLs or uploaded files; nothing from elsewhere. One column
that fits 360 px. It runs in a sandboxed frame without storage or cookies.
Look before you hand it out: \`GET /api/drops/{slug}/render\` says what is wrong with it (202: ask again).

## When something is wrong

\`{"error": {"code", "message", "details"}}\`: go by \`code\`; \`message\` says how the call would be right. \`warnings\` of a good answer:
it was done, and probably not as you meant it. 429 and 503 say in \`Retry-After\` how many seconds to wait: a token has
${limits.writesPerMinutePerToken} writes a minute, ${limits.writesPerDayPerToken} a day. Send POST with an \`Idempotency-Key\`, and repeat it with the same after no answer; where others
write too, send the \`ETag\` that you have read as \`If-Match\`.

## Documents

- [The whole guide](${urls.onboarding_markdown}): every recipe, limit and error code; [as data](${urls.onboarding}); [as a skill](${urls.skill})
- [OpenAPI 3.1](${urls.openapi}), [for people](${urls.reference}), [API catalog](${urls.api_catalog})
- MCP: ${mcpUrl(site)}, streamable HTTP, ${mcpTools.length} tools
`;
}

/** Operations that agents call, with publishing first. */
function calls(): readonly Route[] {
  const all = operationIds.map(routeOf).filter(({ errorsAs, path, resource, servedBy }) => {
    return (
      errorsAs === "json" && path.startsWith("/api/") && resource !== "discovery" && servedBy === undefined
    );
  });
  return all.toSorted((one, other) => Number(other.id === "upsert-drop") - Number(one.id === "upsert-drop"));
}

function writeCall(route: Route): string {
  const { method, path, query, body, summary: what } = route;
  const parameters = query === undefined ? [] : parametersOf(query).map(writeParameter);
  const fields = typeof body === "object" ? fieldsOf(body.json) : [];
  const taken = fields.filter(({ name }) => !(name === "html" && method === "PATCH"));
  const names = taken.map(write);
  const ofQuery = parameters.length === 0 ? "" : ` ?${parameters.join(", ")}`;
  const ofBody = names.length === 0 ? "" : ` {${names.join(", ")}}`;
  return `- \`${method} ${path}${ofQuery}${ofBody}\`: ${what}`;
}

function write({ name, isRequired }: NamedField): string {
  return name + (isRequired ? "*" : "");
}

function writeParameter({ name, isRequired }: NamedField): string {
  return write({ name: name === "metadata" ? "metadata.<key>" : name, isRequired });
}
