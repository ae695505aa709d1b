import { homedir } from "node:os";
import { join } from "node:path";
import { type EditConfiguration, editJson, editToml } from "./edit-configuration.ts";

/** A client of MCP, and the file that names its servers. */
export interface ClientConfiguration {
  readonly title: string;
  readonly path: () => string;
  readonly edit: EditConfiguration;
  /** Next step of the person in the client. */
  readonly next: string;
}

const home = (...parts: readonly string[]) => join(homedir(), ...parts);

/** Clients by the name that `dropleaf connect` takes, each with the format that its documentation describes. */
export const clientConfigurations: Readonly<Record<string, ClientConfiguration>> = {
  // Claude's documentation, "Connect to local MCP servers": the file starts programs only, and mcp-remote is the program for an address.
  claude: {
    title: "Claude Desktop",
    path: () => applicationData("Claude", "claude_desktop_config.json"),
    edit: editJson(["mcpServers"], (url) => ({ command: "npx", args: ["-y", "mcp-remote", url] })),
    next: "Restart Claude. It opens the browser to sign in.",
  },
  // Claude Code's documentation, "Connect Claude Code to tools via MCP", scope "user".
  "claude-code": {
    title: "Claude Code",
    path: () => home(".claude.json"),
    edit: editJson(["mcpServers"], (url) => ({ type: "http", url })),
    next: "Start claude, and sign in with /mcp.",
  },
  // Cursor's documentation, "Model Context Protocol".
  cursor: {
    title: "Cursor",
    path: () => home(".cursor", "mcp.json"),
    edit: editJson(["mcpServers"], (url) => ({ url })),
    next: "Open Cursor's settings, MCP, and sign in.",
  },
  // Visual Studio Code's documentation, "MCP configuration reference".
  vscode: {
    title: "Visual Studio Code",
    path: () => applicationData("Code", "User", "mcp.json"),
    edit: editJson(["servers"], (url) => ({ type: "http", url })),
    next: "Run MCP: List Servers, start dropleaf, and sign in.",
  },
  // Codex's documentation, "Model Context Protocol", streamable HTTP servers.
  codex: {
    title: "Codex",
    path: () => join(process.env.CODEX_HOME ?? home(".codex"), "config.toml"),
    edit: editToml("mcp_servers", (url) => ({ url })),
    next: "Sign in: codex mcp login dropleaf",
  },
  // Gemini CLI's documentation, "MCP servers with the Gemini CLI".
  gemini: {
    title: "Gemini CLI",
    path: () => home(".gemini", "settings.json"),
    edit: editJson(["mcpServers"], (url) => ({ httpUrl: url })),
    next: "Start gemini, and sign in with /mcp auth dropleaf.",
  },
};

/** Folder in which applications of this system keep their settings. */
function applicationData(...parts: readonly string[]): string {
  if (process.platform === "darwin") return home("Library", "Application Support", ...parts);
  if (process.platform === "win32") return join(process.env.APPDATA ?? home("AppData", "Roaming"), ...parts);
  return join(process.env.XDG_CONFIG_HOME ?? home(".config"), ...parts);
}
