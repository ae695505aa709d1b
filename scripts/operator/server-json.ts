import { describeServer } from "../../functions/discovery/mcp-registry.ts";
import { serviceVersion } from "../../lib/service-version.ts";
import { defineServiceCommand } from "./service.ts";

export const serverJsonCommand = defineServiceCommand({
  usage: "server-json",
  summary: "prints server.json of the service's MCP server, for a registry",
  details: `
To publish it in the MCP registry, prove that you own the service's domain, which the server's name contains. The service lists itself at
/v0.1/servers, for clients that read a company's registry.`,
  async run({ service, print }) {
    print(JSON.stringify(describeServer(service, serviceVersion), undefined, 2));
  },
});
