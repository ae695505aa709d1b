import { limits } from "../core/limits.ts";
import type { DocumentSite } from "../core/written-site.ts";
import { callMcpRoute } from "../mcp/rows.ts";
import { type OperationId, routeOf } from "../routes.ts";
import type { OnboardingResponse } from "./onboarding-schema.ts";

/** Step in which a recipe calls an operation. */
export type CallStep = Exclude<Recipe["steps"][number], { human: string }>;

/** Fields of a step that cannot be derived from the operation. */
type Call = Pick<CallStep, "operation" | "why" | "body" | "keep" | "next" | "repeat"> & {
  readonly operation: OperationId;
  /** Query string. Placeholders are in braces. */
  readonly query?: string;
};

/** A recipe: its goal and its steps. */
export type Recipe = OnboardingResponse["recipes"][string];

/** Writes all recipes, by name. Placeholders in braces stand for values from an earlier step, or from the agent. */
export function writeRecipes(site: DocumentSite): Record<string, Recipe> {
  const call = (options: Call) => writeCall(site, options);
  return {
    sign_in: {
      goal: "Get an API token, once for each machine. The human signs in once, in a browser.",
      steps: [
        call({
          operation: "start-sign-in",
          why: "Request a code. The human sees your label.",
          body: { label: "{label}" },
          keep: { code: "/code", verification_url: "/verification_url", poll_token: "/poll_token" },
        }),
        {
          human: "Ask the human to open the URL, compare the code and sign in. Nothing else is needed.",
          show: ["{verification_url}", "{code}"],
        },
        call({
          operation: "poll-sign-in",
          why: "Poll until the human has signed in. Only the response with status verified contains the token: store the token at once. After expired, claimed or not_found, start again, unless the human was told that they may not publish here.",
          query: "token={poll_token}",
          repeat: { while: { "/status": ["pending"] }, every_seconds: limits.pollIntervalSeconds },
          keep: { api_token: "/api_token" },
        }),
        call({ operation: "get-me", why: "Check that the token works.", keep: { user_id: "/user_id" } }),
      ],
    },
    upsert: {
      goal: "Publish the first and every later version of a page at one address. The call is atomic, and you need to store nothing.",
      steps: [
        call({
          operation: "upsert-drop",
          why: "The drop with this tag gets a new version. If no drop has the tag, a new drop is published. The response's url is permanent: hand it to the human.",
          query: "metadata.project={project}",
          body: { title: "{title}", html: "{html}" },
          keep: { slug: "/slug", url: "/url", latest_version: "/latest_version" },
        }),
      ],
    },
    look_up: {
      goal: "Find the drop of this project, then publish or update it. Its address stays the same.",
      steps: [
        call({
          operation: "list-drops",
          why: "List the drops with this tag.",
          query: "metadata.project={project}",
          next: [
            { when: "/total", equals: 0, recipe: "publish" },
            { when: "/drops/0/slug", recipe: "update", keep: { slug: "/drops/0/slug" } },
          ],
        }),
      ],
    },
    publish: {
      goal: "Publish a page for the first time.",
      steps: [
        call({
          operation: "publish-drop",
          why: "The response's url is permanent: hand it to the human.",
          body: { title: "{title}", html: "{html}", metadata: { project: "{project}" } },
          keep: { slug: "/slug", url: "/url" },
        }),
      ],
    },
    update: {
      goal: "Publish a new version at the same address.",
      steps: [
        call({
          operation: "publish-version",
          why: "Earlier versions stay available with ?v=N.",
          body: { html: "{html}" },
          keep: { url: "/url", latest_version: "/latest_version" },
        }),
      ],
    },
    edit: {
      goal: "Change title, description or tags without a new version.",
      steps: [
        call({
          operation: "edit-drop",
          why: "Fields that you do not send stay unchanged. metadata replaces all tags.",
          body: { title: "{title}" },
        }),
      ],
    },
    lock: {
      goal: "Ask readers for a passcode.",
      steps: [
        call({
          operation: "set-passcode",
          why: "The response says locked: true. The passcode is never shown again: tell it to the human.",
          body: { passcode: "{passcode}" },
        }),
      ],
    },
    unlock: {
      goal: "Remove the passcode.",
      steps: [
        call({
          operation: "set-passcode",
          why: "An empty passcode unlocks the drop.",
          body: { passcode: "" },
        }),
      ],
    },
    upload_file: {
      goal: "Upload a file for your pages, such as an image, a video or a table.",
      steps: [
        call({
          operation: "upload-blob",
          why: "Send the file's bytes as the request body, with the file's Content-Type. The response's url is public and permanent.",
          query: "filename={filename}",
          keep: { file_url: "/url" },
        }),
      ],
    },
    delete: {
      goal: "Delete a drop with all its versions. Its address is not used again.",
      steps: [call({ operation: "delete-drop", why: "Ask the human first. undelete brings it back." })],
    },
  };
}

function writeCall(site: DocumentSite, { operation, why, query, ...rest }: Call): CallStep {
  const { method, path, caller, body, response } = routeOf(operation);
  return {
    operation,
    why,
    method,
    url: `${site.baseUrl}${path}${query === undefined ? "" : `?${query}`}`,
    headers: {
      ...(caller === "token" ? { Authorization: "Bearer {api_token}" } : {}),
      ...(rest.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(body === "bytes" ? { "Content-Type": "{content_type}" } : {}),
    },
    ...rest,
    status: response.status,
    ...("alsoStatus" in response && response.alsoStatus !== undefined
      ? { also_status: response.alsoStatus }
      : {}),
  };
}

/** Returns the URL of the MCP server. */
export function mcpUrl({ baseUrl }: DocumentSite): string {
  return baseUrl + callMcpRoute.path;
}

/** Writes the configuration of an MCP client, with a placeholder for the token. */
export function writeMcpConfiguration(site: DocumentSite): Readonly<Record<string, unknown>> {
  const headers = { Authorization: "Bearer {api_token}" };
  return { mcpServers: { dropleaf: { type: "http", url: mcpUrl(site), headers } } };
}
