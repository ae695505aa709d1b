import { expect, test } from "vitest";
import { serverJsonCommand } from "../../scripts/operator/server-json.ts";
import { openGivenService, runCommand } from "./given-service.ts";

const given = await openGivenService();

test("server-json prints the same server entry as the service's list of MCP servers", async () => {
  const { lines } = await runCommand(serverJsonCommand, given, []);

  const { servers } = await (await fetch(`${given.service.baseUrl}/v0.1/servers`)).json();
  expect(JSON.parse(lines.join("\n"))).toEqual(servers[0].server);
});
