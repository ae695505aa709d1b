import { matchesWildcards } from "../wildcards.ts";

/** Returns true if a cache behavior's path pattern matches. The leading slash is optional; see "Path pattern". */
export function matchesPathPattern(pattern: string, path: string): boolean {
  return matchesWildcards(pattern.replace(/^\//, ""), path.replace(/^\//, ""));
}

/**
 * Returns the paths that may select a cache behavior. CloudFront documents that it normalizes "consistent with RFC 3986", which removes dot
 * segments (section 5.2.4) and decodes unreserved characters (section 6.2.2.2). It does not document which of these steps it takes, or
 * whether it decodes other characters, or decodes twice.
 */
export function interpretationsOfPath(path: string): readonly string[] {
  const once = decodeEscapes(path);
  const readings = [path, once, decodeEscapes(once)];
  return [...new Set(readings.flatMap((reading) => [normalizePath(reading), reading]))];
}

function decodeEscapes(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/**
 * Returns the path that selects a cache behavior, without `.` and `..` segments and repeated slashes. The origin still receives the path as
 * sent; see "Path normalization", CloudFront developer guide.
 */
function normalizePath(path: string): string {
  const segments: string[] = [];
  const parts = path.split("/");
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (part === "..") segments.pop();
    if (part === "." || part === ".." || part === "") {
      if (isLast) segments.push("");
    } else {
      segments.push(part);
    }
  }
  return `/${segments.join("/")}`;
}
