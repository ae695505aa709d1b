/** True when a text matches a pattern of AWS: `*` is any run of characters, `?` exactly one, and case matters. */
export function matchesWildcards(pattern: string, text: string): boolean {
  const expression = expressions.get(pattern) ?? toExpression(pattern);
  expressions.set(pattern, expression);
  return expression.test(text);
}

/** Compiled patterns of policies and distributions, which are few. */
const expressions = new Map<string, RegExp>();

function toExpression(pattern: string): RegExp {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`, "s");
}
