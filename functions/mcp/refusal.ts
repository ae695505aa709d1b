import type { CallToolResult } from "@modelcontextprotocol/server";
import { errorAdvice } from "../discovery/advice.ts";
import { type ErrorBody, type ErrorCode, errorCatalog } from "../platform/errors.ts";
import { inWordsOfTools } from "./operations.ts";

/** A refusal in the contract's shape, as data and as text, and what to do about it: all in the words of tools. */
export function toRefusal({ error }: ErrorBody, advice = adviceFor(error)): CallToolResult {
  const refusal = { error: { ...error, message: messageOf(error) } };
  return {
    isError: true,
    structuredContent: refusal,
    content: [
      { type: "text", text: JSON.stringify(refusal) },
      { type: "text", text: `What to do: ${advice}` },
    ],
  };
}

/** What an error is called, and what to do about it, where the words for HTTP name what tools have not. */
interface ToolWords {
  /** In place of the catalog's message. @default - that one */
  readonly message?: string;
  /** @default - the advice for HTTP */
  readonly advice?: string;
}

const waitAsTold = "Wait as many seconds as `error.details.retry_after_seconds` says, then call again.";

const toolWords: Readonly<Partial<Record<ErrorCode, ToolWords>>> = {
  token_required: {
    message: "token is required: the poll_token of start_sign_in.",
    advice: "Give the poll_token as `token`.",
  },
  not_found: {
    advice: "There is nothing of this name that is yours. Look with list_drops; it may have been deleted.",
  },
  version_not_found: { advice: "Take one of those that list_versions tells." },
  metadata_only_on_patch: {
    message: "edit_drop changes what is about the page, and no page.",
    advice: "Send html with update_drop.",
  },
  invalid_slug: {
    advice: "Give the `slug` from publish_drop or list_drops: 7 letters or digits, not the whole URL.",
  },
  invalid_id: { advice: "Give the `id` from upload_blob: 7 letters or digits, not the whole URL." },
  html_required: { advice: "Give `html`: the complete document as a string." },
  title_required: { advice: "Give `title`: a short text that is not only spaces." },
  passcode_required: { advice: "Give `passcode`: a string; the empty one unlocks." },
  last_version_cannot_be_deleted: {
    advice: "Publish another version first with update_drop, or delete the whole drop with delete_drop.",
  },
  rate_limited: { message: "Too many calls of this token.", advice: waitAsTold },
  daily_quota_exceeded: { advice: `${waitAsTold} It may be hours: tell the human.` },
  quota_exceeded: {
    advice:
      "Ask the human what may go, then delete_drop, delete_version or delete_blob. get_usage tells what is used. Waiting does not help.",
  },
  empty_blob: { message: "The file is empty.", advice: "Give its content as `text` or `base64`." },
  blob_too_large: { advice: "Upload it with start_upload, where it is not larger than that takes." },
  several_match: {
    advice:
      "`error.details.slugs` names the drops: call update_drop for the right one, or give more metadata.",
  },
  internal_error: {
    message: "Something went wrong on our side.",
    advice: "Try once more. If it fails again, stop and tell the human.",
  },
  unavailable: { message: "The service is busy.", advice: `${waitAsTold} Give up after some tries.` },
};

function adviceFor({ code, details }: ErrorBody["error"]): string {
  // There is nothing to look for: `functions/renders/see-render.ts`.
  if (details?.setting !== undefined) return "Go on without it: only the operator can change that.";
  return toolWords[code]?.advice ?? errorAdvice[code];
}

function messageOf({ code, message }: ErrorBody["error"]): string {
  const words = message === errorCatalog[code].message ? (toolWords[code]?.message ?? message) : message;
  return inWordsOfTools(words)
    .replaceAll(/`?Retry-After`?/g, "`error.details.retry_after_seconds`")
    .replaceAll("query parameter", "argument");
}
