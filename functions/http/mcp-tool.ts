import type { $ZodType } from "zod/v4/core";

/** A tool of the MCP server: an operation with a name for agents. */
export interface McpTool {
  readonly name: string;
  /** Name for people, such as "Publish a page". */
  readonly title: string;
  /** The id of the operation's row. */
  readonly operation: string;
  /** Short description: purpose, and when to call it. It is part of every conversation. It mentions tools, not HTTP. */
  readonly description: string;
  /** Descriptions of this tool's arguments that differ from `argumentMeanings`. @default - the shared descriptions */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Query of a tool with its own operation. @default - the row's */
  readonly query?: $ZodType;
  /** Names of the row's parameters in this tool. @default - the same */
  readonly names?: Readonly<Record<string, string>>;
  /** Arguments that only another tool lists, to save space. This tool accepts them too. @default - none */
  readonly unlistedArguments?: readonly string[];
  /** The tool publishes a folder by `files`, texts by path, in place of the body's `html`. @default false */
  readonly takesFiles?: true;
  /** Required fields of the row's body that tools may omit. @default - none */
  readonly optional?: readonly string[];
  /** The tool in the short list of `/mcp?tools=core`. @default - it is not listed there */
  readonly core?: CoreListing;
  /** Part in the page that hosts of MCP Apps show in the chat. @default - none */
  readonly app?: "shows-page" | AppCall;
  /** Described fields of the result. @default - none */
  readonly output?: Readonly<Record<string, OutputType>>;
  /** Characters of the longest result that belongs into the conversation. @default - the client decides */
  readonly resultCharactersMax?: number;
  /** The tool may overwrite or delete. @default - if its operation's method is PUT, PATCH or DELETE */
  readonly isDestructive?: true;
  /** A repeated call changes nothing more. @default - if its operation's method is PATCH or DELETE */
  readonly isIdempotent?: true;
  /** Other people see what the tool does, or the tool returns what they wrote. @default - if it changes something for an account */
  readonly isOpenWorld?: true;
}

/** A tool in the short list: the same tool with fewer listed arguments. It accepts the others too. */
export interface CoreListing {
  readonly arguments: readonly string[];
  /** @default - the tool's description */
  readonly description?: string;
}

/** A tool that only the page in the chat calls, not the model. It takes no other arguments than these. */
export interface AppCall {
  readonly arguments: readonly string[];
  /** Arguments that every call has. @default - none */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** Type of a described field. */
export type OutputType = "array" | "boolean" | "integer" | "object" | "string";

/** Short descriptions of tool arguments, by name. They are part of every conversation; errors explain the rest. */
export type ArgumentMeanings = Readonly<Record<string, string>>;
