import { beforeAll, describe, expect, test } from "vitest";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { routeOf } from "../../functions/routes.ts";
import { ApiClient } from "../support/client.ts";
import { baseUrl } from "../support/http.ts";
import { connectMcp, type McpClient } from "../support/mcp-client.ts";
import { confirmSignIn, unusedUsername } from "../support/sign-in.ts";

let visitor: McpClient;

beforeAll(async () => {
  visitor = await connectMcp();
});

const withToken = mcpTools.filter(({ operation }) => routeOf(operation).caller === "token");

describe("a client without a token", () => {
  test("sees every tool, and reads how to sign in", async () => {
    expect((await visitor.client.listTools()).tools).toHaveLength(mcpTools.length);
    expect(visitor.client.getInstructions()).toContain("start_sign_in");
    expect(visitor.client.getInstructions()).toContain(`"url":"${baseUrl()}/mcp"`);
  });

  test.each(withToken.map(({ name }) => name))("is told by %s how to sign in", async (name) => {
    const { advice } = await visitor.refuse(name, { slug: "x", filename: 7 }, "unauthorized");

    expect(advice).toContain("start_sign_in");
    expect(advice).toContain("poll_sign_in");
    expect(advice).toContain('"Authorization":"Bearer {api_token}"');
  });

  test("signs in with a human's help, and with the token in its configuration calls every tool", async () => {
    const start = await visitor.succeed("start_sign_in", { label: "by MCP" });
    const pending = await visitor.succeed("poll_sign_in", { token: start.poll_token });
    await confirmSignIn(start, unusedUsername("mcp-agent"));
    const verified = await visitor.succeed("poll_sign_in", { token: start.poll_token });
    const again = await visitor.succeed("poll_sign_in", { token: start.poll_token });
    const agent = await connectMcp(verified.api_token);
    const me = await agent.succeed("whoami");

    expect([pending.status, verified.status, again]).toEqual(["pending", "verified", { status: "claimed" }]);
    expect(me).toMatchObject({ user_id: verified.user_id, token: { label: "by MCP" } });
  });
});

test("a token that was revoked is refused from then on, also to a client that is connected", async () => {
  const start = await visitor.succeed("start_sign_in");
  await confirmSignIn(start, unusedUsername("mcp-revoked"));
  const { api_token: token } = await visitor.succeed("poll_sign_in", { token: start.poll_token });
  const agent = await connectMcp(token);
  const { token: own } = await agent.succeed("whoami");

  await new ApiClient(token).succeed("revoke-token", { params: { id: own.id } });

  await expect(agent.succeed("whoami")).rejects.toThrow("unauthorized");
  await expect(connectMcp(token)).rejects.toThrow("HTTP 401");
});
