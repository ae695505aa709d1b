import { homedir } from "node:os";
import { join } from "node:path";
import { type EditConfiguration, editJson, editToml } from "./edit-configuration.ts";

/** An MCP client, and the configuration file that lists its servers. */
export interface ClientConfiguration {
  readonly title: string;
  readonly path: () => string;
  readonly edit: EditConfiguration;
  /** Next step that the user must take in the client. */
  readonly next: string;
}

const home = (...parts: readonly string[]) => join(homedir(), ...parts);

/** MCP clients by their name in `dropleaf connect`. Each format follows the client's documentation. */
export const clientConfigurations: Readonly<Record<string, ClientConfiguration>> = {
  // The configuration can only start programs, such as mcp-remote, which connects to a URL; see "Connect to local MCP servers", Claude's
  // documentation.
  claude: {
    title: "Claude Desktop",
    path: () => applicationData("Claude", "claude_desktop_config.json"),
    edit: editJson(["mcpServers"], (url) => ({ command: "npx", args: ["-y", "mcp-remote", url] })),
    next: "Restart Claude. It opens the browser to sign in.",
  },
  // See "Connect Claude Code to tools via MCP", scope "user", Claude Code's documentation.
  "claude-code": {
    title: "Claude Code",
    path: () => home(".claude.json"),
    edit: editJson(["mcpServers"], (url) => ({ type: "http", url })),
    next: "Start claude, and sign in with /mcp.",
  },
  // See "Model Context Protocol", Cursor's documentation.
  cursor: {
    title: "Cursor",
    path: () => home(".cursor", "mcp.json"),
    edit: editJson(["mcpServers"], (url) => ({ url })),
    next: "Open MCP in Cursor's settings, and sign in.",
  },
  // See "MCP configuration reference", Visual Studio Code's documentation.
  vscode: {
    title: "Visual Studio Code",
    path: () => applicationData("Code", "User", "mcp.json"),
    edit: editJson(["servers"], (url) => ({ type: "http", url })),
    next: 'Run the command "MCP: List Servers", start dropleaf, and sign in.',
  },
  // See "Model Context Protocol", streamable HTTP servers, Codex's documentation.
  codex: {
    title: "Codex",
    path: () => join(process.env.CODEX_HOME ?? home(".codex"), "config.toml"),
    edit: editToml("mcp_servers", (url) => ({ url })),
    next: "To sign in, run: codex mcp login dropleaf",
  },
  // See "MCP servers with the Gemini CLI", Gemini CLI's documentation.
  gemini: {
    title: "Gemini CLI",
    path: () => home(".gemini", "settings.json"),
    edit: editJson(["mcpServers"], (url) => ({ httpUrl: url })),
    next: "Start gemini, and sign in with /mcp auth dropleaf.",
  },
};

/** Returns the folder where applications store their settings on this system. */
function applicationData(...parts: readonly string[]): string {
  if (process.platform === "darwin") return home("Library", "Application Support", ...parts);
  if (process.platform === "win32") return join(process.env.APPDATA ?? home("AppData", "Roaming"), ...parts);
  return join(process.env.XDG_CONFIG_HOME ?? home(".config"), ...parts);
}
