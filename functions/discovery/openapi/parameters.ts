import { limits } from "../../http/limits.ts";
import type { RequestHeader, Route } from "../../http/route.ts";
import { acceptedBy, type JsonSchema, patterns } from "../../http/schemas.ts";
import { exampleEntityTag, pageParameterExamples, pathExamples, queryExamples } from "./examples.ts";
import { defined, type JsonObject } from "./json.ts";

const pathParameters: Readonly<
  Record<string, { readonly schema: JsonSchema; readonly description?: string }>
> = {
  slug: {
    schema: { type: "string", pattern: patterns.slug.source },
    description: "The drop's identifier, from its response.",
  },
  n: {
    schema: { type: "integer", minimum: 1 },
    description: "The number of the version.",
  },
  thread: {
    schema: { type: "integer", minimum: 1 },
    description: "The thread's number in the drop: `thread.id` of a comment.",
  },
  "blobs id": {
    schema: { type: "string", pattern: patterns.blobId.source },
    description: "The file's identifier, from its response.",
  },
  "pages id": {
    schema: { type: "string", pattern: patterns.blobId.source },
    description: "The file's identifier, from its response.",
  },
  key: { schema: { type: "string" }, description: "What the page has put into the address for its reader." },
  namespace: {
    schema: { type: "string", pattern: patterns.namespace.source },
    description: "Whose file it is: the part of its address that names the owner.",
  },
  "tokens id": {
    schema: { type: "string" },
    description: "The token's identifier, from the list of tokens.",
  },
};

const queryDescriptions: Readonly<Record<string, string>> = {
  account: "`other` asks for another account than the one that the identity provider remembers.",
  code: "The device code, `XXXX-XXXX`; for the callback, the identity provider's code.",
  "compare-versions from": "The version to compare with. Without it, the one before `to`.",
  cursor: "`next_cursor` of the response before, as it came: the list goes on there.",
  download: "Whether the page is to be saved: byte for byte as it was published, as an attachment.",
  drawn:
    "What of it is drawn: `card`, 1200 × 630 pixels, for links to it, or `thumbnail`, for lists. While there is none, and of a drop that not everybody may see, the card is one that tells nothing, and there is no thumbnail.",
  error: "What the identity provider says in place of `code` when it refuses: RFC 6749, section 4.1.2.1.",
  filename: "The file's name.",
  format: "The form of the guide. Without it, the header Accept decides.",
  framed:
    "Whether the page is for the viewer's frame, where a script of the service opens what its links lead to.",
  iss: "The identity provider's issuer: RFC 9207.",
  key: "A secret that stands for a right: of an address that was given for one page, or of the viewer of a locked drop.",
  maxheight: "How high its picture may be, in pixels.",
  maxwidth: "How wide its picture may be, in pixels.",
  metadata:
    "Filters: a parameter `metadata.<key>=<value>` for each. A drop must match all of them; a key with two values matches nothing.",
  owner: "The name of an owner, as in their address.",
  page: "The number of the page of the list.",
  pageSize: "How many drops, or files, a page of the list has.",
  proof: "From the link of the verification page.",
  q: "Words in titles and descriptions, whatever their case and accents. Each of them must be there.",
  reader: "Marks a request that brings its reader's cookies; the viewer of a restricted drop sends it.",
  readers:
    "Whom the file is for, where its visibility is `people`: a parameter for each e-mail address, domain such as `@example.com`, or user name.",
  "list-feedback slug": "Only what is about this drop. Without it, about all of the account's.",
  "list-feedback state": "Which threads: all, or those that are open, or resolved, by now.",
  since: "`next_since` of the answer before: what came after it. Without it, from the first comment on.",
  "show-comparison from": "The version to compare with. Without it, the one before `to`.",
  sortBy: "What to sort by.",
  sortOrder: "Which way to sort.",
  state: "The device code, or a reader's sign-in, as the identity provider gives it back.",
  to: "The path and query of this host to lead back to.",
  "compare-versions to": "The version that is compared. Without it, the latest.",
  "show-comparison to": "The version that is compared. Without it, the latest.",
  view: "How to compare: the texts, or the pages side by side.",
  token: "The poll_token of the sign-in.",
  typed: "What the person has typed of the code, where the page asked for it.",
  v: "Which version. Without it, the latest.",
  wait: `Seconds to wait where there is nothing: the answer comes when something does, or when they are over. At most ${limits.feedbackWaitSecondsMax}; few calls wait at once, and others are answered at once.`,
  visibility:
    "Who may read the file. `public`: anybody. `unlisted`: anybody who has its address. `members`: members of this service. `people`: those whom `readers` names. Without it, as the operator has chosen, which is `public` where they have not.",
  url: "The address of a drop, as people paste it: on any host that serves it, with any query and fragment.",
};

const headerParameters: Readonly<Record<RequestHeader, JsonObject>> = {
  "Idempotency-Key": {
    description: `A key of your own for this one thing, such as a UUID, in quotation marks or without. For ${limits.idempotencySeconds / 3600} hours the same key with the same request gives the same response, and nothing is made twice; with another request it is refused.`,
    schema: { type: "string", minLength: 1, maxLength: limits.idempotencyKeyCharactersMax + 2 },
    example: "8e03978e-40d5-43e8-bc93-6894a57f9324",
  },
  "If-Match": {
    description:
      "The `ETag` of what you have read, or several, or `*`: the call is refused where the drop has become another since. RFC 9110, section 13.1.1.",
    schema: { type: "string", minLength: 1 },
    example: exampleEntityTag,
  },
};

/** The parameters of a row's path, query and headers. */
export function parametersOf(route: Route): JsonObject[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathParameter(name, route));
  const inHeaders = (route.headers ?? []).map((name) => ({
    name,
    in: "header",
    required: false,
    ...headerParameters[name],
  }));
  return [...inPath, ...queryParameters(route), ...inHeaders];
}

function queryParameters(route: Route): JsonObject[] {
  if (route.query === undefined) return [];
  const { properties, required } = acceptedBy(route.query) as {
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
  };
  return Object.entries(properties).map(([name, rule]) =>
    queryParameter(name, rule, required.includes(name), route),
  );
}

/** Describes the query parameters of a page in the body like the fields of the JSON body. */
export function pageParametersOf({ body, query }: Route): JsonObject[] {
  if (typeof body !== "object" || body.page === undefined) return [];
  const { properties } = acceptedBy(body.page) as { properties: Readonly<Record<string, JsonSchema>> };
  const inQuery = (query && (acceptedBy(query)?.properties as object)) ?? {};
  return Object.entries(properties)
    .filter(([name]) => !(name in inQuery))
    .map(([name, rule]) =>
      defined({
        name,
        in: "query",
        required: false,
        description: `With a body of \`text/html\` or \`text/markdown\`: ${pageParameterWords[name] ?? `the field \`${name}\` of the JSON body`}.`,
        ...(rule.type === "object" ? { style: "form", explode: true } : {}),
        schema: rule,
        example: pageParameterExamples[name],
      }),
    );
}

const pageParameterWords: Readonly<Record<string, string>> = {
  metadata: "the field `metadata`, a parameter `metadata.<key>=<value>` for each key",
  readers: "the field `readers`, separated by commas",
  title:
    "the field `title`; a new drop's is the page's `<title>`, or the Markdown's first heading, where it is absent",
};

/** Describes a path parameter. Undescribed ones become strings; a test asks for their description and example. */
function pathParameter(name: string, { resource }: Route): JsonObject {
  const key = name in pathParameters ? name : `${resource} ${name}`;
  const { schema, description } = pathParameters[key] ?? { schema: { type: "string" } };
  return defined({ name, in: "path", required: true, description, schema, example: pathExamples[key] });
}

function queryParameter(name: string, rule: JsonSchema, required: boolean, { id }: Route): JsonObject {
  const key = `${id} ${name}` in queryDescriptions ? `${id} ${name}` : name;
  return defined({
    name,
    in: "query",
    required,
    description: queryDescriptions[key],
    // An object's properties are parameters of their own.
    ...(rule.type === "object" ? { style: "form", explode: true } : {}),
    schema: withDefault(rule),
    example: queryExamples[key],
  });
}

/** A choice's first value is what its absence means. */
function withDefault(rule: JsonSchema): JsonSchema {
  const [first] = (rule.enum as readonly string[] | undefined) ?? [];
  return first === undefined || first === "json" ? rule : { ...rule, default: first };
}
