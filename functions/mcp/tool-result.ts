import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ErrorBody } from "../contract/api-error.ts";
import { errorAdvice } from "../discovery/error-advice.ts";
import type { HttpAnswer } from "../http/answer.ts";

/** A longer answer is told as data alone: with it twice, it could be more than a function may answer with. */
const textCharactersMax = 500_000;

/** An operation's answer as a tool's result. */
export function toToolResult(answer: HttpAnswer, { outputSchema }: Tool): CallToolResult {
  if (answer.status >= 400) return toRefusal(JSON.parse(String(answer.body)) as ErrorBody);
  if (outputSchema === undefined) return { content: [{ type: "text", text: "Done." }] };
  const structuredContent = onlyDescribed(JSON.parse(String(answer.body)), outputSchema);
  const text = JSON.stringify(structuredContent);
  const isLong = text.length > textCharactersMax;
  return {
    structuredContent,
    content: [{ type: "text", text: isLong ? "The answer is in structuredContent: it is long." : text }],
  };
}

/** A refusal in the contract's shape, as data and as text, and what to do about it. */
export function toRefusal(
  refusal: ErrorBody,
  advice: string = errorAdvice[refusal.error.code],
): CallToolResult {
  return {
    isError: true,
    structuredContent: { ...refusal },
    content: [
      { type: "text", text: JSON.stringify(refusal) },
      { type: "text", text: `What to do: ${advice}` },
    ],
  };
}

/** Without what the operation answers for the sake of other clients. */
function onlyDescribed(
  body: Record<string, unknown>,
  { properties = {} }: NonNullable<Tool["outputSchema"]>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in properties));
}
