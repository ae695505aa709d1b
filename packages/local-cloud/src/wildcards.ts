/** Returns true if a text matches an AWS wildcard pattern. `*` matches any characters, `?` matches exactly one, and case matters. */
export function matchesWildcards(pattern: string, text: string): boolean {
  const expression = expressions.get(pattern) ?? toExpression(pattern);
  expressions.set(pattern, expression);
  return expression.test(text);
}

/** Cache of compiled patterns. It has no limit, because policies and distributions have few patterns. */
const expressions = new Map<string, RegExp>();

function toExpression(pattern: string): RegExp {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`, "s");
}
