import type { $ZodType } from "zod/v4/core";

/** A tool of the MCP server: an operation under the name that agents call it by. */
export interface McpTool {
  readonly name: string;
  /** Name for people, such as "Publish a page". */
  readonly title: string;
  /** The id of the operation's row. */
  readonly operation: string;
  /** Short description: purpose, and when to call it. Every conversation carries it. It names tools and not HTTP. */
  readonly description: string;
  /** Meanings of this tool's arguments, where they differ from those of `argumentMeanings`. @default - those */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Query of a tool that has an operation of its own. @default - the row's */
  readonly query?: $ZodType;
  /** Names of the row's parameters in this tool. @default - the same */
  readonly names?: Readonly<Record<string, string>>;
  /** Arguments that another tool lists, for lack of space. This one accepts them too. @default - none */
  readonly unlistedArguments?: readonly string[];
  /** Required fields of the row's body that the operation finds by itself for a tool. @default - none */
  readonly optional?: readonly string[];
  /** Fields of the result that agents read one by one; `drops.slug` is a field of each drop. @default - none is described */
  readonly output?: Readonly<Record<string, OutputType>>;
  /** The tool changes nothing. @default false */
  readonly isReadOnly?: true;
  /** The tool may overwrite or delete. @default false */
  readonly isDestructive?: true;
  /** The same call again changes nothing more. @default - as `isReadOnly` */
  readonly isIdempotent?: true;
  /** Other people see what the tool does, or the tool returns what they wrote. @default false */
  readonly isOpenWorld?: true;
}

/** Type of a described field. */
export type OutputType = "array" | "boolean" | "integer" | "object" | "string";

/** Short meanings of tool arguments, by name. Every conversation carries them; errors say the rest. */
export type ArgumentMeanings = Readonly<Record<string, string>>;
