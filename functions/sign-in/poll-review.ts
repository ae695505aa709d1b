import { patterns } from "../platform/schemas.ts";
import { isTokenPlaintext } from "../platform/token.ts";

/** What is surely not meant of a poll: another secret, or the code, in place of the poll_token. */
export function reviewPoll({ query }: { readonly query: unknown }): readonly string[] {
  const { pollToken } = query as { readonly pollToken: string };
  if (patterns.deviceCode.test(pollToken.trim().toUpperCase())) {
    return ["token is the code that the human sees: poll with the poll_token of the same response."];
  }
  if (!isTokenPlaintext(pollToken.trim())) return [];
  return [
    "token is an API token, so the sign-in is done already: send it as Authorization: Bearer <API_TOKEN>.",
  ];
}
