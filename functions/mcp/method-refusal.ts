import { ApiError } from "../contract/api-error.ts";
import { callMcpRoute } from "../contract/mcp-routes.ts";
import type { HttpAnswer } from "../http/answer.ts";
import { errorJson } from "../http/error-answer.ts";

/**
 * A request by another method than POST. Clients take 405 as "no stream here" and go on; Model Context Protocol,
 * revision 2025-11-25, "Listening for Messages from the Server".
 */
export class MethodRefusal extends ApiError {
  // No code of the specification says it.
  override readonly status = 405;

  constructor(method: string) {
    super("invalid_arg", {
      message: `${callMcpRoute.path} takes POST, but ${method} came: this server has no streams and no sessions.`,
      details: { allow: callMcpRoute.method },
    });
  }
}

/** A refusal in the contract's shape, with the methods that are allowed where that is what is wrong. */
export function presentMcpRefusal(error: ApiError): HttpAnswer {
  const answer = errorJson(error);
  if (!(error instanceof MethodRefusal)) return answer;
  return { ...answer, headers: { ...answer.headers, allow: callMcpRoute.method } };
}
