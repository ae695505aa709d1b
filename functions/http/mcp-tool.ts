import type { $ZodType } from "zod/v4/core";

/** A tool of the MCP server: an operation with a name for agents. */
export interface McpTool {
  readonly name: string;
  /** Name for people, such as "Publish a page". */
  readonly title: string;
  /** The id of the operation. */
  readonly operation: string;
  /**
   * Short description: the tool's purpose, and when to call it. The description is part of every conversation. It mentions tools, not HTTP.
   */
  readonly description: string;
  /** Descriptions of this tool's arguments that differ from `argumentMeanings`. @default - the shared descriptions */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Query schema, if the tool has an operation of its own. @default - the operation's query schema */
  readonly query?: $ZodType;
  /** Names of the operation's parameters in this tool. @default - the operation's own names */
  readonly names?: Readonly<Record<string, string>>;
  /** Arguments that this tool accepts but does not list, to save space. Another tool lists them. @default - none */
  readonly unlistedArguments?: readonly string[];
  /** The tool accepts a folder as `files`, an object of texts by path, instead of the body's `html`. @default false */
  readonly takesFiles?: true;
  /** Required fields of the operation's body that tools may omit. @default - none */
  readonly optional?: readonly string[];
  /** The tool's entry in the short list of `/mcp?tools=core`. @default - the short list does not contain the tool */
  readonly core?: CoreListing;
  /** The tool's relation to the page that hosts of MCP Apps embed in the chat. @default - none */
  readonly app?: "shows-page" | AppCall;
  /** Types of the result's fields, if the tool describes them. @default - none */
  readonly output?: Readonly<Record<string, OutputType>>;
  /** Maximum length of a result that clients keep in the conversation, in characters. @default - the client decides */
  readonly resultCharactersMax?: number;
  /** The tool may overwrite or delete data. @default - true if its operation's method is PUT, PATCH or DELETE */
  readonly isDestructive?: true;
  /** A repeated call has no further effect. @default - true if its operation's method is PATCH or DELETE */
  readonly isIdempotent?: true;
  /**
   * Other people see the tool's effects, or the tool returns text that they wrote.
   *
   * @default - true if the tool changes something for an account
   */
  readonly isOpenWorld?: true;
}

/** A tool's entry in the short list, with fewer listed arguments. The tool accepts its other arguments too. */
export interface CoreListing {
  readonly arguments: readonly string[];
  /** @default - the tool's description */
  readonly description?: string;
}

/** Rule for a tool that is called by the page embedded in the chat, and not by the model. The tool accepts only these arguments. */
export interface AppCall {
  readonly arguments: readonly string[];
  /** Arguments that the service adds to every call. @default - none */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** Type of a described field. */
export type OutputType = "array" | "boolean" | "integer" | "object" | "string";

/** Short descriptions of tool arguments, by name. They are short, because every conversation contains them. Errors explain the details. */
export type ArgumentMeanings = Readonly<Record<string, string>>;
