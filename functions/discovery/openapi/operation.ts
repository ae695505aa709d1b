import { limits } from "../../http/limits.ts";
import type { HostKind, Route } from "../../http/route.ts";
import type { DocumentSite } from "../site.ts";
import { schemaReference } from "./component-schemas.ts";
import { exampleHtml, exampleMarkdown, exampleNamespace, type OperationExample } from "./examples.ts";
import { defined, type JsonObject } from "./json.ts";
import { pageParametersOf, parametersOf } from "./parameters.ts";
import { responsesOf } from "./responses.ts";

/** A row as an Operation Object, at one of its addresses. */
export function describeOperation(
  route: Route,
  example: OperationExample,
  site: DocumentSite,
  at: { readonly operationId: string; readonly host: HostKind },
): JsonObject {
  return defined({
    operationId: at.operationId,
    tags: [route.resource],
    summary: route.summary,
    description: descriptionOf(route),
    servers: at.host === "base" ? undefined : serversOf(at.host, site),
    security: route.caller === "token" ? undefined : [],
    parameters: [...parametersOf(route), ...pageParametersOf(route)],
    requestBody: requestBody(route, example),
    responses: responsesOf(route, example, site),
  });
}

/** The service's own host. */
export function baseServer({ baseUrl }: DocumentSite): JsonObject {
  return { url: baseUrl, description: "The service" };
}

function serversOf(host: Exclude<HostKind, "base">, site: DocumentSite): JsonObject[] {
  const owner = {
    url: site.ownerUrl("{namespace}"),
    description: "Where an owner lives",
    variables: {
      namespace: { default: exampleNamespace, description: "The owner's name, as in a drop's url." },
    },
  };
  return host === "owner" ? [owner] : [owner, baseServer(site)];
}

function descriptionOf(route: Route): string | undefined {
  const write = `Counts as a write: at most ${limits.writesPerMinutePerToken} a minute and ${limits.writesPerDayPerToken} a day for each token.`;
  const parts = [notes[route.id], route.countsAsWrite ? write : undefined].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

function requestBody({ body }: Route, { body: value }: OperationExample): JsonObject | undefined {
  if (body === undefined) return undefined;
  if (body === "bytes") {
    // The type is the file's own; OpenAPI 3.1 says bytes by saying nothing of them.
    return { required: true, content: { "application/octet-stream": { schema: {} }, "*/*": { schema: {} } } };
  }
  if (body === "form") {
    const fields = Object.keys(value ?? {}).map((name) => [name, { type: "string" }]);
    const schema = { type: "object", properties: Object.fromEntries(fields) };
    return {
      required: fields.length > 0,
      content: { "application/x-www-form-urlencoded": { schema, example: value } },
    };
  }
  const pages = {
    "text/html": { schema: { type: "string" }, example: exampleHtml },
    "text/markdown": { schema: { type: "string" }, example: exampleMarkdown },
  };
  if (body === "page") return { required: true, content: pages };
  const { json, required, page, renderMarkdown } = body;
  return {
    required,
    content: {
      "application/json": defined({ schema: schemaReference(json), example: value }),
      ...(page ? { "text/html": pages["text/html"] } : {}),
      ...(renderMarkdown ? { "text/markdown": pages["text/markdown"] } : {}),
    },
  };
}

const codeMinutes = limits.deviceCodeSeconds / 60;

/** Notes on operations beyond their summary, by id. */
const notes: Readonly<Record<string, string | undefined>> = {
  "start-sign-in": `Show the human \`verification_url\` and \`code\`, then poll. The code lives ${codeMinutes} minutes.`,
  "poll-sign-in":
    "Ask every `poll_interval` seconds while the status is `pending`. The first `verified` answer holds `api_token`, which is never shown again: store it before anything else.",
  "show-verify-page": "For the human, in a browser.",
  "authorize-sign-in": "Reached by the link of the verification page.",
  "complete-sign-in": "Reached by the identity provider's redirect.",
  "start-browser-sign-in":
    "The form of the page at `GET /login/token`; it takes requests of the service's own pages only.",
  "reveal-token": "The form of the page that signing in by hand ends at.",
  "undo-sign-in": "The form of the page that confirms a sign-in, good while the code's cookie is.",
  "admit-reader":
    'The link "Sign in" of a page that is not open to everybody, or does not exist. With a session it leads on at once.',
  "sign-out-reader": "The form of the pages that show as whom somebody has signed in to read.",
  "revoke-token": "A call with the token itself may revoke it.",
  "list-drops":
    "To keep one address across pushes, look up before you publish: filter by metadata of your own; where a drop matches, PUT a new version to it; otherwise POST a new one. `PUT /api/drops?metadata.<key>=<value>` does all of it in one call.",
  "list-library":
    "What members and people have been let read: where only members may publish, what is public as well. Seconds behind what was published; what may no longer be read is gone at once. A response may have fewer drops than a page, or none, with `next_cursor`: then there is more to look through.",
  "publish-drop": "The response's `url` is permanent. Keep `slug` to publish further versions.",
  "upsert-drop":
    "The query says which drop is meant, in the words of the list's filters. Where none matches, one is published with the body and with these pairs in its metadata: 201. Where one does, it gets a new version: 200; `description`, `metadata` and `passcode` are left alone where they are absent, and the pairs stay. Where several do, nothing happens: 409. Nobody can come in between: of many calls at once, one makes the drop. With `If-Match` only a drop that is there is changed; with `Idempotency-Key` a repeated call makes no further version.",
  "publish-version":
    "The drop's address stays, and readers see the new version at once. `title`, `description` and `metadata` may come along.",
  "edit-drop": "Makes no new version. A body without fields changes nothing.",
  "set-passcode":
    "A gate for passers-by, not encryption. A new passcode, or none, ends what earlier visitors have opened.",
  "delete-version": "The last version stays: delete the drop instead.",
  "start-upload":
    "Repeated with the same `Idempotency-Key`, the response has the same `id` and an address signed anew; it has to be completed within the time that the first one gave.",
  "upload-blob":
    "Images, video and audio are shown in place at the response's `url`; every other file is a download.",
  "view-drop": "A locked drop shows its gate instead, with the same status.",
  "read-raw-page":
    "What was published, with a small style block in front that keeps images and long words inside the screen. On the service's own host, and where the drop is locked, it runs in a sandbox.",
  "show-file": "Where a window goes on to that finds nothing at a file's own address.",
  "unlock-drop": "A wrong passcode shows the form again, with 403.",
  "read-oembed":
    "Of the type `link`: no other site may frame a page of the service. A locked drop is 401; one that not everybody may see is as unknown here as at its address.",
  "show-owner-feed":
    "The 50 drops that changed last, of those that the owner's page lists with their titles. RFC 4287.",
  "close-gate": "The form of a locked drop's viewer. It needs no right, and other browsers stay as they are.",
  "show-owner-page": "Also at `/` of where the owner lives, which is the address to hand out.",
  "call-mcp":
    "For MCP clients, with the token in their configuration; `initialize`, `tools/list` and the tools of sign-in work without one. A notification is answered 202, without a body. There are no batches, no sessions and no streams: GET and DELETE are refused with 405. Other sites' pages are refused by their Origin.",
};
