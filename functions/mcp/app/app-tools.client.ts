/** Calls the tools that only the app may call, and converts their errors to messages for people. */
import type { App } from "@modelcontextprotocol/ext-apps";
import { appText } from "./app-text.ts";

type ToolResult = Awaited<ReturnType<App["callServerTool"]>>;

/** A failed call, with a human-readable message. */
export class ToolFailure extends Error {
  /** True if the drop no longer exists. */
  readonly isGone: boolean;

  constructor(message: string, isGone = false) {
    super(message);
    this.isGone = isGone;
  }
}

const words = appText.problems;

/** Messages that replace the service's error messages, which are written for programs. */
const messages: Readonly<Record<string, string | undefined>> = {
  not_found: words.gone,
  version_not_found: words.noVersion,
  forbidden: words.notAllowed,
  unauthorized: words.signedOut,
  invalid_token: words.signedOut,
  token_required: words.signedOut,
  rate_limited: words.tooMany,
  internal_error: words.busy,
  unavailable: words.busy,
};

/** Calls a tool through the host. @throws ToolFailure if the host or the service refuses the call */
export async function callTool(
  app: App,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const result = await app.callServerTool({ name, arguments: given }).catch(() => {
    throw new ToolFailure(words.unreachable);
  });
  if (!result.isError) return result;
  const { error } = (result.structuredContent ?? {}) as { error?: { code: string; message: string } };
  if (error === undefined) throw new ToolFailure(appText.failed);
  throw new ToolFailure(messages[error.code] ?? error.message, error.code === "not_found");
}

/** Calls a tool and returns its structured content. */
export async function readTool<Response>(
  app: App,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Response> {
  return (await callTool(app, name, given)).structuredContent as Response;
}
