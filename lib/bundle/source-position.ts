import { SourceMap, type SourceMapConstructorOptions, type SourceMapPayload } from "node:module";
import { pathToFileURL } from "node:url";
import { type AnyNode, type Identifier, parse } from "acorn";
import { projectDirectory } from "../project-directory.ts";

/** Prefix of each source file in a source map for debuggers. */
const projectUrl = `${pathToFileURL(projectDirectory)}/`;

/** Position in a file. Line and column are counted from 1, as in stack traces and editors. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A position in the source code. */
export interface SourcePosition extends Position {
  /** Path relative to the root of the project. */
  readonly file: string;
  /**
   * Name of the enclosing function. For an anonymous function, the name of the variable, property or function around it. Undefined at the
   * top level of a file.
   */
  readonly functionName: string | undefined;
}

/** A bundle's code and its source map as JSON. */
export interface MappedBundle {
  readonly code: string;
  readonly map: string;
}

/**
 * Returns a function that maps a position in a bundle to a position in the source code. The result is undefined outside of the project's
 * files.
 */
export function createPositionFinder(
  bundle: MappedBundle,
): (position: Position) => SourcePosition | undefined {
  const map = new SourceMap(
    JSON.parse(bundle.map) as SourceMapPayload,
    {
      lineLengths: [],
    } as unknown as SourceMapConstructorOptions,
  );
  const nameAround = createNameFinder(bundle.code, (position) => nameAt(map, position));
  return (position) => {
    const entry = map.findEntry(position.line - 1, position.column - 1);
    if (!("originalSource" in entry)) return undefined;
    return {
      file: entry.originalSource.replace(projectUrl, ""),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
      functionName: nameAround(position),
    };
  };
}

/** Returns the name that an identifier in a bundle has in the source, if the source map contains it. */
function nameAt(map: SourceMap, { line, column }: Position): string | undefined {
  const entry = map.findEntry(line - 1, column - 1);
  return "name" in entry && typeof entry.name === "string" ? entry.name : undefined;
}

/**
 * Returns a function that finds the name of the function at a position. Minified names are meaningless, and a source map has the original
 * names only by position. The bundle's syntax tree shows the position of the identifier that names a function.
 */
function createNameFinder(
  code: string,
  sourceNameAt: (position: Position) => string | undefined,
): (position: Position) => string | undefined {
  const lineStarts = [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];
  let program: AnyNode | undefined;
  const positionOf = (offset: number): Position => {
    const line = lineStarts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
  return ({ line, column }) => {
    program ??= parse(code, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true });
    const offset = (lineStarts[line - 1] ?? 0) + column - 1;
    const around = nodesAround(program, offset);
    const innermost = around.findLastIndex(({ type }) => /^(?:Arrow)?Function/.test(type));
    if (innermost === -1) return undefined;
    const named = around.slice(0, innermost + 1).findLast((node) => identifierOf(node) !== undefined);
    const identifier = named && identifierOf(named);
    return identifier && (sourceNameAt(positionOf(identifier.start)) ?? identifier.name);
  };
}

/** Returns the syntax nodes that contain an offset, outermost first. */
function nodesAround(node: AnyNode, offset: number): AnyNode[] {
  const child = Object.values(node)
    .flat()
    .find((value) => isNode(value) && holds(value, offset));
  return [node, ...(isNode(child) ? nodesAround(child, offset) : [])];
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function holds({ start, end }: AnyNode, offset: number): boolean {
  return start <= offset && offset < end;
}

/** Returns the identifier that names the function in this node. */
function identifierOf(node: AnyNode): Identifier | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
      return node.id ?? undefined;
    case "VariableDeclarator":
      return node.id.type === "Identifier" ? node.id : undefined;
    case "AssignmentExpression":
      return node.left.type === "Identifier" ? node.left : undefined;
    case "MethodDefinition":
    case "Property":
    case "PropertyDefinition":
      return node.key.type === "Identifier" && !node.computed ? node.key : undefined;
    default:
      return undefined;
  }
}
