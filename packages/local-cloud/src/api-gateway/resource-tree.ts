import { decodeIfValid } from "../http-message.ts";
import type { ApiMethod } from "./api-definition.ts";

/** A method found for a request, with its path parameters. */
export interface Route {
  readonly method: ApiMethod;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Node {
  readonly literals: Map<string, Node>;
  /** Each node has at most one of `parameter` and `greedy`. */
  parameter?: { readonly name: string; readonly node: Node } | undefined;
  greedy?: { readonly name: string; readonly node: Node } | undefined;
  readonly methods: Map<string, ApiMethod>;
}

/**
 * Builds the tree of resources from the methods' paths. The returned function finds the method of a request in the most specific resource,
 * or returns undefined for an unknown path or method.
 */
export function buildResourceTree(
  methods: readonly ApiMethod[],
): (httpMethod: string, path: string) => Route | undefined {
  const root = emptyNode();
  for (const method of methods) {
    const segments = method.resourcePath.split("/").filter((segment) => segment !== "");
    const node = segments.reduce(childOf, root);
    node.methods.set(method.httpMethod, method);
  }
  return (httpMethod, path) => {
    const found = descend(root, segmentsOf(path), {});
    const method = found?.node.methods.get(httpMethod) ?? found?.node.methods.get("ANY");
    return found && method && { method, pathParameters: found.parameters };
  };
}

function emptyNode(): Node {
  return { literals: new Map(), methods: new Map() };
}

/** Finds or creates the child for a segment of a path. */
function childOf(parent: Node, segment: string): Node {
  const name = /^\{(.+?)\+?\}$/.exec(segment)?.[1];
  if (name === undefined) {
    const node = parent.literals.get(segment) ?? emptyNode();
    parent.literals.set(segment, node);
    return node;
  }
  const kind = segment.endsWith("+}") ? "greedy" : "parameter";
  parent[kind] ??= { name, node: emptyNode() };
  return parent[kind].node;
}

/**
 * Splits a path into segments. API Gateway does not document which spellings of a path it treats as equal. The local cloud treats all
 * possible spellings as equal, so that no stack depends on a difference. Empty segments are skipped, and literals also match decoded
 * segments.
 */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    const dots = segment.replace(/%2e/gi, ".");
    if (dots === "..") segments.pop();
    else if (dots !== "." && dots !== "") segments.push(segment);
  }
  return segments;
}

/**
 * Finds the node for the segments. At every level, tries a literal first, then `{parameter}`, then `{greedy+}`. Backtracks to the next
 * choice if the rest of the path does not match.
 */
function descend(
  node: Node,
  segments: readonly string[],
  parameters: Route["pathParameters"],
): { readonly node: Node; readonly parameters: Route["pathParameters"] } | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.methods.size > 0 ? { node, parameters } : undefined;
  const literal = node.literals.get(segment) ?? node.literals.get(decodeIfValid(segment));
  const byLiteral = literal === undefined ? undefined : descend(literal, rest, parameters);
  if (byLiteral !== undefined) return byLiteral;
  if (node.parameter !== undefined) {
    const { name, node: child } = node.parameter;
    const byParameter = descend(child, rest, { ...parameters, [name]: segment });
    if (byParameter !== undefined) return byParameter;
  }
  if (node.greedy === undefined) return undefined;
  return { node: node.greedy.node, parameters: { ...parameters, [node.greedy.name]: segments.join("/") } };
}
