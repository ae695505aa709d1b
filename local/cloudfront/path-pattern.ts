/**
 * Whether a cache behavior's path pattern matches: `*` is any run of characters, `?` exactly one, case matters,
 * and a leading slash may be left out. CloudFront developer guide, "Path pattern".
 */
export function matchesPathPattern(pattern: string, path: string): boolean {
  const expression = pattern
    .replace(/^\//, "")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`, "s").test(path.replace(/^\//, ""));
}

/**
 * The path by which a cache behavior is found: without `.` and `..` segments and repeated slashes. The origin still
 * gets the path as it was sent. CloudFront developer guide, "Path normalization".
 */
export function normalizePath(path: string): string {
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
