import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GeminiConfigSchema, McpServersConfigSchema, VsCodeConfigSchema } from "@gleanwork/mcp-config-schema";
import { parse as parseToml } from "smol-toml";
import { expect, test, vi } from "vitest";
import { clientConfigurations } from "../src/connect/client-configurations.ts";

// `@gleanwork/mcp-config-schema` on npm describes the clients' files: `configs/<client>.json` links to each client's documentation,
// and the schemas describe whole files.
const published = join(
  dirname(fileURLToPath(import.meta.resolve("@gleanwork/mcp-config-schema"))),
  "../configs",
);
const url = "https://drops.example.com/mcp";

interface PublishedClient {
  readonly configFormat: "json" | "toml";
  readonly configPath: Readonly<Record<string, string>>;
  readonly configStructure: {
    readonly serversPropertyName: string;
    readonly httpPropertyMapping?: {
      readonly typeProperty?: string;
      readonly typeValue?: string;
      readonly urlProperty: string;
    };
    readonly stdioPropertyMapping?: { readonly commandProperty: string; readonly argsProperty: string };
  };
}

test.each([
  ["claude", "claude-desktop", McpServersConfigSchema],
  ["claude-code", "claude-code", McpServersConfigSchema],
  ["cursor", "cursor", McpServersConfigSchema],
  ["vscode", "vscode", VsCodeConfigSchema],
  // The package has no schema for TOML.
  ["codex", "codex", undefined],
  ["gemini", "gemini", GeminiConfigSchema],
])("connect %s writes the file and the entry that the client reads", (name, id, schema) => {
  for (const variable of ["XDG_CONFIG_HOME", "CODEX_HOME"]) vi.stubEnv(variable, undefined);
  const client = clientConfigurations[name];
  const { configPath, configFormat, configStructure }: PublishedClient = JSON.parse(
    readFileSync(join(published, `${id}.json`), "utf8"),
  );

  const path = client?.path();
  const text = client?.edit("", url, "file") ?? "";

  expect(path).toBe(configPath[process.platform]?.replace("$HOME", homedir()));
  const content = (configFormat === "toml" ? parseToml(text) : JSON.parse(text)) as Record<string, unknown>;
  expect(Object.keys(content)).toEqual([configStructure.serversPropertyName]);
  const { dropleaf } = content[configStructure.serversPropertyName] as {
    readonly dropleaf: Readonly<Record<string, unknown>>;
  };
  const { httpPropertyMapping: http, stdioPropertyMapping: program } = configStructure;
  if (http === undefined) {
    expect(dropleaf[program?.commandProperty ?? ""]).toBe("npx");
    expect(dropleaf[program?.argsProperty ?? ""]).toContain(url);
  } else {
    expect(dropleaf[http.urlProperty]).toBe(url);
    const type = dropleaf[http.typeProperty ?? ""];
    // Cursor's entry for a URL has no type.
    if (type !== undefined) expect(type).toBe(http.typeValue);
  }
  expect(schema?.safeParse(content).error).toBeUndefined();
});

test.each([
  ["cursor", '\uFEFF{"mcpServers": {}}'],
  ["codex", '\uFEFFmodel = "o5"\n'],
])("connect %s edits a file with a byte order mark, and keeps the mark", (name, before) => {
  const after = clientConfigurations[name]?.edit(before, url, "file") ?? "";

  expect(after.startsWith("\uFEFF")).toBe(true);
  expect(after.slice(1)).not.toContain("\uFEFF");
  expect(after).toContain(url);
});
