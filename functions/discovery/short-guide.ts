import { limits } from "../core/limits.ts";
import type { DocumentSite } from "../core/written-site.ts";
import type { Route } from "../http/route.ts";
import { fieldsOf, type NamedField } from "../http/schemas.ts";
import { operationIds, routeOf } from "../routes.ts";
import { authoringInShort } from "./advice.ts";
import { documentUrls } from "./documents.ts";
import { summary } from "./onboarding.ts";
import { mcpUrl } from "./recipes.ts";

/** Maximum size of `/llms.txt` in bytes. An agent reads the whole file before its first call. */
export const shortGuideBytesMax = 8_192;

/** Writes `/llms.txt`, which lists the calls that agents need, with their fields. It is also the Markdown version of `/`. */
export function writeShortGuide(site: DocumentSite): string {
  const { baseUrl } = site;
  const urls = documentUrls(site);
  return `# Dropleaf

> ${summary} The service is at ${baseUrl}.

A page is a *drop*. Its \`url\` never changes. Hand out \`url\` only.

${writeFirstCalls(site)} Or send JSON: \`{"title": …, "html": …, …}\`.

## Calls

All need the token, except /api/auth and /api/publications/page. ?: parameters; braces: fields of a JSON body; *: required; …: ${commonFields.join(", ")}.

\`\`\`
${calls().map(writeCall).join("\n")}
\`\`\`

With \`Content-Type: text/html\`, \`text/markdown\` or \`application/zip\` (a folder) the body is the page; fields are parameters. An upload's body is the file.

## Fields

- \`html\`: one document of up to ${limits.htmlBytesMax} bytes. \`title\`: up to ${limits.titleCodePointsMax} characters; \`description\`: ${limits.descriptionCodePointsMax}.
- \`metadata\`: your tags, such as \`{"project": "…"}\`: up to ${limits.metadataKeysMax} strings, replacing earlier ones.
- \`visibility\`: \`public\`, \`unlisted\` (with the link), \`members\`, or \`people\` with \`readers\` (e-mails, \`@domains\`, user names, \`group:<name>\`).
- \`expires_in_days\`; null: never.
- \`passcode\`: ${limits.passcodeCodePointsMin} characters or more; empty removes it.
- \`context\`: the page's origin, for readers. \`note\`: a version's changes.
- \`filename\`: letters, digits, dashes, dots and spaces. Files: up to ${limits.blobBytesMax} bytes.

\`raw_url\` is the bare page. \`?v=N\` selects a version.

## The page

${authoringInShort} \`GET /api/drops/{slug}/render\` reports its problems (202: call again).

For an approval, put \`${signOffForm}\` into the page, publish with \`answers=readers\`, then call \`GET /api/drops/{slug}/answers?form=sign-off&wait=25\` until there is an answer. A poll has radio buttons.

## Errors

\`{"error": {"code", "message", "details"}}\`: decide by \`code\`; \`message\` says what to fix, \`details.expected\` what the call takes. Check \`warnings\`. After 429 and 503, wait \`Retry-After\` seconds: a token allows
${limits.writesPerMinutePerToken} writes a minute, ${limits.writesPerDayPerToken} a day. Retry a POST with the same \`Idempotency-Key\`. If others
change a drop, send the \`ETag\` that you read as \`If-Match\`.

## Documents

- [Guide](${urls.onboarding_markdown}): recipes, limits and errors; [as data](${urls.onboarding}); [as a skill](${urls.skill})
- [OpenAPI 3.1](${urls.openapi}), [for people](${urls.reference}), [API catalog](${urls.api_catalog})
- MCP: ${mcpUrl(site)}
`;
}

/** The shortest HTML form that lets a reader approve a page. */
const signOffForm =
  '<form data-answers="sign-off"><button name="decision" value="approved">Approve</button></form>';

/** Writes the calls from signing in to publishing the first page. */
export function writeFirstCalls({ baseUrl }: DocumentSite): string {
  return `## Token, once

\`\`\`sh
curl -sS ${baseUrl}/api/auth/start -d '{"label": "{who you are}"}'
# Show the human verification_url and code; then, every ${limits.pollIntervalSeconds} s while status is "pending":
curl -sS '${baseUrl}/api/auth/poll?token={poll_token}'
\`\`\`

With \`verified\` you get \`api_token\`, only once. Store it where only you can read it. Send it as \`Authorization: Bearer {api_token}\`.

## Publish the first and every later version

\`\`\`sh
curl -sS -X PUT '${baseUrl}/api/drops?metadata.project={project}' \\
  -H 'Authorization: Bearer {api_token}' -H 'Content-Type: text/html' --data-binary @page.html
\`\`\`

Publishes the next version of the drop with that tag, or a new drop (201). 409: several drops have it.`;
}

/** Lists the operations that agents call, publishing first. Omits teams and access requests, because people use pages for these. */
function calls(): readonly Route[] {
  const all = operationIds.map(routeOf).filter(({ errorsAs, path, resource, servedBy }) => {
    return (
      errorsAs === "json" &&
      path.startsWith("/api/") &&
      !["access-requests", "discovery", "teams"].includes(resource) &&
      servedBy === undefined
    );
  });
  return all.toSorted((one, other) => Number(other.id === "upsert-drop") - Number(one.id === "upsert-drop"));
}

/** Rarely needed fields, which the list of calls omits. Errors, the list of fields or the reference describe them. */
export const rareFields = ["allow_secrets", "expires_at", "original_date"];

function writeCall(route: Route): string {
  const { method, path, query, body, summary: what } = route;
  const isShown = ({ name }: NamedField) =>
    !rareFields.includes(name) && !(name === "html" && method === "PATCH");
  const parameters = query === undefined ? [] : fieldsOf(query).filter(isShown).map(writeParameter);
  const names = typeof body === "object" ? withoutCommon(fieldsOf(body.json).filter(isShown).map(write)) : [];
  const ofQuery = parameters.length === 0 ? "" : ` ?${parameters.join(", ")}`;
  const ofBody = names.length === 0 ? "" : ` {${names.join(", ")}}`;
  return `${method} ${path}${ofQuery}${ofBody}: ${what}`;
}

/** Fields that all calls for publishing or editing a drop share. The list of calls abbreviates them to "…". */
export const commonFields = [
  "description",
  "metadata",
  "visibility",
  "readers",
  "indexed",
  "feedback",
  "answers",
  "answers_results",
  "expires_in_days",
];

function withoutCommon(names: readonly string[]): readonly string[] {
  if (!commonFields.every((name) => names.includes(name))) return names;
  return [...names.filter((name) => !commonFields.includes(name)), "…"];
}

function write({ name, isRequired }: Pick<NamedField, "name" | "isRequired">): string {
  return name + (isRequired ? "*" : "");
}

function writeParameter({ name, isRequired }: NamedField): string {
  return write({ name: name === "metadata" ? "metadata.<key>" : name, isRequired });
}
