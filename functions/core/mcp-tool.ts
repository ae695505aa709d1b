import type { $ZodType } from "zod/v4/core";

/** A tool of the MCP server: an operation with a name for agents. */
export interface McpTool {
  readonly name: string;
  /** The tool's display name, such as "Publish a page". */
  readonly title: string;
  /** The id of the operation. */
  readonly operation: string;
  /**
   * Description of the tool's purpose and of when to call the tool. Short, because it is part of every conversation. It must not mention
   * HTTP.
   */
  readonly description: string;
  /** Descriptions of arguments that have a different meaning in this tool. @default - the descriptions in `argumentMeanings` */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Query schema, if the tool has an operation of its own. @default - the operation's query schema */
  readonly query?: $ZodType;
  /** Names of the operation's parameters in this tool. @default - the operation's own names */
  readonly names?: Readonly<Record<string, string>>;
  /** Arguments that this tool accepts but does not list, to save space, because another tool lists them. @default - none */
  readonly unlistedArguments?: readonly string[];
  /** The tool accepts a folder in the argument `files`, as an object of texts by path, instead of `html`. @default false */
  readonly takesFiles?: true;
  /** Required fields of the operation's body that tools may omit. @default - none */
  readonly optional?: readonly string[];
  /** The tool's entry in the short list of `/mcp?tools=core`. @default - the short list does not contain the tool */
  readonly core?: CoreListing;
  /**
   * The tool's role for the page that a chat client embeds (MCP Apps): the tool shows the page, or the page calls the tool.
   *
   * @default - none
   */
  readonly app?: "shows-page" | AppCall;
  /** Types of the result's fields, if the tool lists them. @default - none */
  readonly output?: Readonly<Record<string, OutputType>>;
  /** Maximum number of characters of a result that clients should keep in the conversation. @default - the client decides */
  readonly resultCharactersMax?: number;
  /** The tool may overwrite or delete data. @default - true if its operation's method is PUT, PATCH or DELETE */
  readonly isDestructive?: true;
  /** A repeated call has no further effect. @default - true if its operation's method is PATCH or DELETE */
  readonly isIdempotent?: true;
  /**
   * Other people can see the tool's effects, or the tool returns texts of other people.
   *
   * @default - true if the tool changes something for an account
   */
  readonly isOpenWorld?: true;
}

/** A tool's entry in the short list of tools. It lists fewer arguments than the tool accepts. */
export interface CoreListing {
  readonly arguments: readonly string[];
  /** @default - the tool's description */
  readonly description?: string;
}

/** Rule for a tool that is called by the page embedded in the chat, not by the model. */
export interface AppCall {
  readonly arguments: readonly string[];
  /** Arguments that the service adds to every call. @default - none */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** Type of a described field. */
export type OutputType = "array" | "boolean" | "integer" | "object" | "string";

/** Descriptions of tool arguments, by name. Short, because every conversation contains them. Errors explain the details. */
export type ArgumentMeanings = Readonly<Record<string, string>>;
