import type { CallToolResult } from "@modelcontextprotocol/client";
import type { AnswerListResponse } from "../../../functions/answers/schemas.ts";
import type { DropResponse, VersionResponse } from "../../../functions/drops/schemas.ts";
import type { FeedbackListResponse } from "../../../functions/feedback/schemas.ts";
import type {
  AppAnswers,
  AppComments,
  AppDrop,
  AppVersions,
} from "../../../functions/mcp/app/app-responses.ts";
import type { CallTool } from "./chat-host.ts";

const createdAtMs = Date.UTC(2026, 2, 4, 13, 5);

/** Returns a drop in the form that the service sends to the app. */
export function givenDrop(fields: Partial<DropResponse> = {}): DropResponse & AppDrop {
  return {
    slug: "aB3dE5f",
    title: "Quarterly report",
    description: null,
    url: "https://drops.example.com/p/aB3dE5f",
    raw_url: "https://ada.drops.example.com/p/aB3dE5f/raw",
    locked: false,
    latest_version: 2,
    view_count: 0,
    metadata: {},
    created_at: createdAtMs,
    updated_at: createdAtMs,
    visibility: "unlisted",
    readable_by: "anyone with the link",
    indexed: false,
    feedback: "readers",
    answers: "off",
    answers_results: false,
    expires_at: null,
    ...fields,
  };
}

/** Returns versions of that drop, latest first. */
export function givenVersions(count: number, fields: Partial<VersionResponse> = {}): AppVersions {
  return {
    versions: Array.from({ length: count }, (_, index) => ({
      slug: "aB3dE5f",
      version: count - index,
      size_bytes: 2_000,
      has_context: false,
      created_at: createdAtMs - index * 3_600_000,
      note: `Change ${count - index}`,
      ...fields,
    })),
  };
}

/** Returns open comments on that drop, each in its own thread. */
export function givenComments(count: number): AppComments & FeedbackListResponse {
  const thread = { state: "open", path: undefined, version: 1, comment_count: 1 } as const;
  const times = { created_at: createdAtMs, updated_at: createdAtMs };
  return {
    untrusted: "",
    comments: Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      slug: "aB3dE5f",
      comment: 1,
      from: "reader",
      author: { name: "Grace", signed_in: true },
      text: `The total of row ${index + 1} is wrong.`,
      version: 1,
      created_at: createdAtMs,
      thread: {
        ...thread,
        ...times,
        id: index + 1,
        quote: index % 2 === 0 ? "Total: 12" : null,
        passage: { state: "kept", version: 2 },
      },
    })),
    next_since: count,
    has_more: false,
    ask_again_in_seconds: 60,
  };
}

/** Returns answers to that drop's forms, newest first. */
export function givenAnswers(
  ...fields: readonly Readonly<Record<string, string | string[]>>[]
): AppAnswers & AnswerListResponse {
  return {
    untrusted: "",
    answers: fields.map((one, index) => ({
      number: fields.length - index,
      form: "vote",
      fields: one,
      version: 1,
      created_at: createdAtMs,
      author: index % 2 === 0 ? { name: "grace", signed_in: true } : { name: null, signed_in: false },
    })),
    next_since: fields.length,
    has_more: false,
    ask_again_in_seconds: 0,
  };
}

/** Returns a `CallTool` with a given response, tool result or error code for each tool. */
export function answering(answers: Readonly<Record<string, object | string>>): CallTool {
  return async (name) => {
    const answer = answers[name] ?? defaults[name] ?? "not_found";
    if (typeof answer === "string") return refusal(answer);
    return "content" in answer ? (answer as CallToolResult) : succeeded(answer);
  };
}

const defaults: Readonly<Record<string, object>> = {
  page_details: givenDrop(),
  page_versions: givenVersions(2),
  page_comments: givenComments(0),
  page_answers: givenAnswers(),
  page_html: { html: "<!doctype html><title>Report</title><h1>The report</h1>" },
};

/** Tools that the app calls without a click, in alphabetical order. */
export const readingTools = Object.keys(defaults).sort();

/** Returns a tool's successful result. */
export function succeeded(structuredContent: object): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent: { ...structuredContent },
  };
}

/** Returns a tool's refusal. */
export function refusal(code: string, message = `Refused: ${code}.`): CallToolResult {
  return { ...succeeded({ error: { code, message } }), isError: true };
}
