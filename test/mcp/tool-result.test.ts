import type { Tool } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { toToolResult } from "../../functions/mcp/call-tool.ts";
import { ApiError } from "../../functions/platform/errors.ts";
import { errorJson, noContent, ok } from "../../functions/platform/response.ts";

const tool: Tool = {
  name: "list_drops",
  inputSchema: { type: "object" },
  outputSchema: { type: "object", properties: { total: {}, drops: {} } },
};

describe("an operation's response", () => {
  test("is data and text, without what only other clients need", () => {
    const result = toToolResult(ok({ total: 1, drops: [], data: [], pagination: {} }), tool);

    expect(result).toEqual({
      structuredContent: { total: 1, drops: [] },
      content: [{ type: "text", text: '{"total":1,"drops":[]}' }],
    });
  });

  test("is data alone where it is long: twice, it could be more than a Lambda function may answer with", () => {
    const drops = Array.from({ length: 1_000 }, () => "x".repeat(1_000));

    const { structuredContent, content } = toToolResult(ok({ total: 1, drops }), tool);

    expect(structuredContent).toEqual({ total: 1, drops });
    expect(content).toEqual([{ type: "text", text: expect.stringContaining("structuredContent") }]);
  });

  test("is a word where the operation has none", () => {
    const { outputSchema: _, ...silent } = tool;

    expect(toToolResult(noContent(), silent)).toEqual({ content: [{ type: "text", text: "Done." }] });
  });

  test("that refuses is the contract's error, with the seconds to wait and what to do", () => {
    const refusal = new ApiError("rate_limited", { retryAfterSeconds: 17 });

    const { isError, structuredContent, content } = toToolResult(errorJson(refusal), tool);

    expect({ isError, structuredContent }).toEqual({
      isError: true,
      structuredContent: {
        error: { code: "rate_limited", message: refusal.message, details: { retry_after_seconds: 17 } },
      },
    });
    expect(content.map((block) => block.type === "text" && block.text)).toEqual([
      JSON.stringify(structuredContent),
      expect.stringMatching(/^What to do: Wait as many seconds/),
    ]);
  });
});
