import { type Resource, resourcesOfType, type Template } from "../template.ts";

/** One `AWS::ApiGateway::Method` with the resource that it belongs to. */
export interface ApiMethod {
  readonly httpMethod: string;
  /** Such as `/api/drops/{slug}`. */
  readonly resourcePath: string;
  readonly resourceId: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly timeoutMs: number;
}

/** A method found for a request, with its path parameters. */
export interface Route {
  readonly method: ApiMethod;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Node {
  readonly path: string;
  readonly literals: Map<string, Node>;
  parameter?: { readonly name: string; readonly node: Node } | undefined;
  greedy?: { readonly name: string; readonly node: Node } | undefined;
  readonly methods: Map<string, ApiMethod>;
}

/** Finds the method for a request. */
export interface ResourceTree {
  /** The most specific resource wins; undefined for an unknown path or method. */
  find(httpMethod: string, path: string): Route | undefined;
}

/** API Gateway quotas: integration timeout of a regional REST API. */
const integrationTimeoutMs = 29_000;

/** Builds the tree of `AWS::ApiGateway::Resource` and `Method` below one REST API. */
export function buildResourceTree(template: Template, restApi: Resource): ResourceTree {
  const root = emptyNode("/");
  const nodes = new Map<string, Node>([[`${restApi.physicalId}-root`, root]]);
  const resources = resourcesOfType(template, "AWS::ApiGateway::Resource").filter(
    (resource) => resource.properties.RestApiId === restApi.physicalId,
  );
  const byId = new Map(resources.map((resource) => [resource.physicalId, resource]));
  const nodeOf = (id: string): Node => {
    const known = nodes.get(id);
    if (known !== undefined) return known;
    const resource = byId.get(id);
    if (resource === undefined) throw new Error(`No AWS::ApiGateway::Resource with the id ${id}`);
    const node = addChild(nodeOf(String(resource.properties.ParentId)), String(resource.properties.PathPart));
    nodes.set(id, node);
    return node;
  };
  for (const resource of resources) nodeOf(resource.physicalId);
  for (const resource of resourcesOfType(template, "AWS::ApiGateway::Method")) {
    if (resource.properties.RestApiId !== restApi.physicalId) continue;
    const node = nodeOf(String(resource.properties.ResourceId));
    const method = parseMethod(resource, node.path);
    if (method !== undefined) node.methods.set(method.httpMethod, method);
  }
  return { find: (httpMethod, path) => find(root, httpMethod, path) };
}

function emptyNode(path: string): Node {
  return { path, literals: new Map(), methods: new Map() };
}

function addChild(parent: Node, part: string): Node {
  const node = emptyNode(`${parent.path === "/" ? "" : parent.path}/${part}`);
  const name = /^\{(.+?)\+?\}$/.exec(part)?.[1];
  if (name === undefined) parent.literals.set(part, node);
  else if (part.endsWith("+}")) parent.greedy = { name, node };
  else parent.parameter = { name, node };
  return node;
}

function parseMethod(resource: Resource, resourcePath: string): ApiMethod | undefined {
  const { HttpMethod, Integration, ResourceId } = resource.properties;
  const integration = (Integration ?? {}) as Record<string, unknown>;
  if (integration.Type !== "AWS_PROXY") {
    throw new Error(
      `${resource.logicalId}.Properties.Integration.Type: only AWS_PROXY is emulated, not ${String(integration.Type)}`,
    );
  }
  const functionArn = /functions\/(arn:[^/]+)\/invocations$/.exec(String(integration.Uri))?.[1];
  if (functionArn === undefined) {
    throw new Error(
      `${resource.logicalId}.Properties.Integration.Uri names no Lambda function: ${String(integration.Uri)}`,
    );
  }
  return {
    httpMethod: String(HttpMethod),
    resourcePath,
    resourceId: String(ResourceId),
    functionArn,
    functionName: functionArn.split(":")[6] ?? "",
    timeoutMs: Number(integration.TimeoutInMillis ?? integrationTimeoutMs),
  };
}

function find(root: Node, httpMethod: string, path: string): Route | undefined {
  const found = descend(root, segmentsOf(path), {});
  const method = found?.node.methods.get(httpMethod) ?? found?.node.methods.get("ANY");
  return found === undefined || method === undefined
    ? undefined
    : { method, pathParameters: found.parameters };
}

/**
 * Which spellings of a path API Gateway takes for the same is not documented. Here it takes all that it may, so that
 * nothing hangs on it: segments that stand for nothing are skipped, and literals are also matched decoded.
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

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface Found {
  readonly node: Node;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Literal before `{parameter}` before `{greedy+}`, at every level; a dead end goes back to the next choice. */
function descend(
  node: Node,
  segments: readonly string[],
  parameters: Found["parameters"],
): Found | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.methods.size > 0 ? { node, parameters } : undefined;
  const literal = node.literals.get(segment) ?? node.literals.get(decoded(segment));
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
