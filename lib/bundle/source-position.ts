import { SourceMap, type SourceMapConstructorOptions, type SourceMapPayload } from "node:module";
import { pathToFileURL } from "node:url";
import { type AnyNode, type Identifier, parse } from "acorn";
import { projectDirectory } from "../project-directory.ts";

/** Prefix of each source in a map for a debugger. */
const projectUrl = `${pathToFileURL(projectDirectory)}/`;

/** Position in a file, counted from 1, as in stacks and editors. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A place in the source code. */
export interface SourcePosition extends Position {
  /** Relative to the root of the project. */
  readonly file: string;
  /** The enclosing function, or the function that it is an argument of; undefined at the top of a file. */
  readonly functionName: string | undefined;
}

/** A bundle's code, as it runs, and its source map, as JSON. */
export interface MappedBundle {
  readonly code: string;
  readonly map: string;
}

/** Finds positions in the source code for positions in a bundle; undefined outside of the project's files. */
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

/** Source name of a bundle's identifier, where it differs. */
function nameAt(map: SourceMap, { line, column }: Position): string | undefined {
  const entry = map.findEntry(line - 1, column - 1);
  return "name" in entry && typeof entry.name === "string" ? entry.name : undefined;
}

/**
 * Finds names of functions. Minified names mean nothing, and a source map has names only for positions: the bundle's syntax says which
 * position names a function.
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

/** The nodes that contain an offset, outermost first. */
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

/** Finds the identifier that names the function of this node. */
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
