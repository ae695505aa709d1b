import type { $ZodType } from "zod/v4/core";

/** A tool of the MCP server: an operation under the name that agents call it by. */
export interface McpTool {
  readonly name: string;
  /** The id of the operation's row. */
  readonly operation: string;
  /** Short description: purpose, and when to call it. Every conversation carries it. It names tools and not HTTP. */
  readonly description: string;
  /** Meanings of this tool's arguments; empty where another tool describes the argument. @default - those of `argumentMeanings` */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Query of a tool that has an operation of its own. @default - the row's */
  readonly query?: $ZodType;
  /** Names of the row's parameters in this tool. @default - the same */
  readonly names?: Readonly<Record<string, string>>;
  /** The tool changes nothing. @default false */
  readonly isReadOnly?: true;
  /** The tool may overwrite or delete. @default false */
  readonly isDestructive?: true;
}

/** Short meanings of tool arguments, by name. Every conversation carries them; errors say the rest. */
export type ArgumentMeanings = Readonly<Record<string, string | undefined>>;
