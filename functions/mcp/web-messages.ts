import { ApiError } from "../contract/api-error.ts";
import { type HttpAnswer, jsonHeaders } from "../http/answer.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";

/** The request as the SDK's transport takes it, without its body, which has been read already. */
export function toWebRequest(request: HttpRequest): Request {
  const version = singleHeader(request, "mcp-protocol-version");
  return new Request(new URL(request.path, `https://${request.host}`), {
    method: request.method,
    headers: {
      // There is one form of answer, so that whoever does not say what they take gets that.
      accept: "application/json, text/event-stream",
      "content-type": singleHeader(request, "content-type") ?? "",
      ...(version === undefined ? {} : { "mcp-protocol-version": version }),
    },
  });
}

/**
 * What the transport answers, with the headers of every JSON answer.
 *
 * @throws ApiError `invalid_arg` where it refuses
 */
export async function toHttpAnswer(response: Response): Promise<HttpAnswer> {
  const body = await response.text();
  if (!response.ok) throw new ApiError("invalid_arg", { message: refusalIn(body) });
  const headers = body === "" ? { "cache-control": "no-store" } : jsonHeaders;
  return { status: response.status, headers, body };
}

/** The transport refuses by an error of JSON-RPC; revision 2025-11-25, "Sending Messages to the Server". */
function refusalIn(body: string): string {
  const { error } = JSON.parse(body) as { readonly error: { readonly message: string } };
  return `${error.message}.`;
}
