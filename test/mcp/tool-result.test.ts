import { describe, expect, test } from "vitest";
import { ApiError, type ErrorCode, errorCatalog } from "../../functions/core/errors.ts";
import { noContent, ok, text } from "../../functions/http/response.ts";
import { toRefusal, toToolResult } from "../../functions/mcp/call-tool.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { routeOf } from "../../functions/routes.ts";

const fields = ["total", "drops"];

describe("an operation's response", () => {
  test("is returned as data and text, without fields for other clients", () => {
    const result = toToolResult(ok({ total: 1, drops: [], data: [], pagination: {} }), fields);

    expect(result).toEqual({
      structuredContent: { total: 1, drops: [] },
      content: [{ type: "text", text: '{"total":1,"drops":[]}' }],
    });
  });

  test("is returned as data only if it is long, because both forms could exceed the limit of a Lambda response", () => {
    const drops = Array.from({ length: 1_000 }, () => "x".repeat(1_000));

    const { structuredContent, content } = toToolResult(ok({ total: 1, drops }), fields);

    expect(structuredContent).toEqual({ total: 1, drops });
    expect(content).toEqual([{ type: "text", text: expect.stringContaining("structuredContent") }]);
  });

  test("without a body is returned as a confirmation", () => {
    expect(toToolResult(noContent(), undefined)).toEqual({ content: [{ type: "text", text: "Done." }] });
  });

  test("with an error is returned as the contract's error, with the seconds to wait and what to do", () => {
    const refusal = new ApiError("rate_limited", { retryAfterSeconds: 17 });

    const { isError, structuredContent, content } = toRefusal(refusal.forTools().toBody());

    expect({ isError, structuredContent }).toEqual({
      isError: true,
      structuredContent: {
        error: {
          code: "rate_limited",
          message: "Too many calls. Wait for error.details.retry_after_seconds seconds, then call again.",
          details: { retry_after_seconds: 17 },
        },
      },
    });
    expect(content.map((block) => block.type === "text" && block.text)).toEqual([
      JSON.stringify(structuredContent),
      expect.stringMatching(/^What to do: Wait as many seconds/),
    ]);
  });
});

/** Terms of HTTP that tools do not have: methods, addresses, headers, queries. */
const wordsOfHttp =
  /\b(GET|POST|PUT|PATCH|DELETE)\b|\/api\/|[Rr]etry-[Aa]fter|query parameter|x-request-id|If-Match|request body/;

test("a comparison is returned as text, truncated to fit a conversation", () => {
  expect(toToolResult(text(Buffer.from("+a\n")), undefined)).toEqual({
    content: [{ type: "text", text: "+a\n" }],
  });
  expect(toToolResult(text(Buffer.from("")), undefined).content).toMatchObject([
    { text: "Nothing differs." },
  ]);
  const { content } = toToolResult(text(Buffer.from("x".repeat(500_007))), undefined);
  expect(content).toMatchObject([
    { text: "x".repeat(500_000) },
    { text: expect.stringMatching(/^7 more.*read_drop/) },
  ]);
});

describe("a tool's error", () => {
  const codes = [
    ...new Set(mcpTools.flatMap(({ operation }) => routeOf(operation).errors as readonly ErrorCode[])),
  ];
  // A tool call always has a JSON body, and no idempotency key or precondition.
  const unsayable: ErrorCode[] = ["invalid_json", "idempotency_key_reused", "precondition_failed"];
  const sayable = [...codes, "internal_error", "unavailable"] as const;

  test.each(sayable.filter((code) => !unsayable.includes(code)))("%s mentions no HTTP terms", (code) => {
    const retryAfterSeconds = errorCatalog[code].status === 429 ? 17 : undefined;
    const refusal = new ApiError(code, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

    const { content } = toRefusal(refusal.forTools().toBody());

    for (const block of content) expect(block.type === "text" && block.text).not.toMatch(wordsOfHttp);
  });
});

test("an operation's warning is returned with the data, unchanged even if it quotes HTTP terms", () => {
  const warnings = ['Unknown argument "POST /api/drops" was ignored.'];
  const response = { status: 200, headers: {}, body: JSON.stringify({ slug: "aB3dE5f", warnings }) };

  expect(toToolResult(response, ["slug"])).toEqual({
    structuredContent: { slug: "aB3dE5f" },
    content: [
      { type: "text", text: '{"slug":"aB3dE5f"}' },
      { type: "text", text: 'Warning: Unknown argument "POST /api/drops" was ignored.' },
    ],
  });
});
