/** Maximum number of resources; see "Quotas for configuring and running a REST API in API Gateway". */
const resourcesMax = 300;

/**
 * Refuses paths that API Gateway would not create as resources. A segment is either text or one parameter. A greedy parameter must be the
 * last segment. Each level can have only one parameter, greedy or not. API Gateway refuses a second parameter with "A sibling of this
 * resource already has a variable path part -- only one is allowed". Source: "Amazon API Gateway important notes".
 */
export function requireResourcePaths(paths: readonly string[], at: string): void {
  const resources = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith("/")) throw new Error(`${at}: ${path} must begin with a slash`);
    const segments = path === "/" ? [] : path.slice(1).split("/");
    for (const [index, segment] of segments.entries()) {
      requireSegment(segment, index === segments.length - 1, `${at}: ${path}`);
      resources.add(`/${segments.slice(0, index + 1).join("/")}`);
    }
  }
  requireOneParameterALevel(resources, at);
  // The root is also a resource, so it counts toward the maximum.
  if (resources.size + 1 > resourcesMax)
    throw new Error(`${at} need ${resources.size + 1} resources; an API has at most ${resourcesMax}`);
}

function requireSegment(segment: string, isLast: boolean, at: string): void {
  const parameter = /^\{\w+(\+?)\}$/.exec(segment);
  if (parameter?.[1] === "+" && !isLast) throw new Error(`${at}: nothing can follow ${segment}`);
  if (parameter === null && !/^[A-Za-z0-9._:,-]+$/.test(segment)) {
    throw new Error(
      `${at}: ${JSON.stringify(segment)} is not a valid segment; write letters, digits and ._:,- or a whole segment in braces`,
    );
  }
}

function requireOneParameterALevel(resources: ReadonlySet<string>, at: string): void {
  const byParent = new Map<string, string>();
  for (const resource of resources) {
    const end = resource.lastIndexOf("/");
    const segment = resource.slice(end + 1);
    if (!segment.startsWith("{")) continue;
    const parent = resource.slice(0, end) || "/";
    const sibling = byParent.get(parent);
    if (sibling !== undefined)
      throw new Error(
        `${at}: ${parent} has ${sibling} and ${segment} below it; only one parameter is allowed there`,
      );
    byParent.set(parent, segment);
  }
}
