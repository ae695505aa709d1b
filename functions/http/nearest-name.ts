/** Other names of fields, by the names of this API; letters and digits only, in lower case. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  html: ["content", "body", "page", "document", "markup", "source", "text", "markdown", "md", "data", "file"],
  title: ["name", "subject", "heading", "headline", "pagetitle"],
  description: ["summary", "subtitle", "abstract", "desc"],
  metadata: ["tags", "tag", "labels", "keywords", "meta", "project", "category"],
  context: ["prompt", "conversation"],
  note: ["message", "changelog", "comment", "commitmessage", "changes"],
  passcode: ["password", "passphrase", "pin", "pass", "secret", "code"],
  readers: ["viewers", "emails", "people"],
  visibility: ["access", "privacy"],
  label: ["name", "client", "agent", "device"],
  filename: ["name", "file"],
  size_bytes: ["size", "bytes", "length", "contentlength", "filesize"],
  content_type: ["type", "mime", "mimetype", "mediatype"],
  version: ["v", "n", "number", "to"],
  v: ["version", "n"],
  q: ["query", "search", "text"],
  token: ["polltoken", "code", "id"],
};

/** A name without what spellings differ in: `isPrivate`, `is_private` and `Is-Private` are one. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Which of the known names a caller may have meant by another; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const sought = normalizeName(name);
  const same = known.find((one) => normalizeName(one) === sought);
  if (same !== undefined) return same;
  const word = known.find((one) => otherWords[one]?.includes(sought));
  return word ?? nearestText(sought, known);
}

/** The text that takes the fewest changes of a letter to reach; undefined where a third of the letters would change. */
export function nearestText(sought: string, texts: readonly string[]): string | undefined {
  const [nearest] = texts
    .map((text) => ({ text, changes: changesBetween(sought, text.toLowerCase()) }))
    .filter(({ text, changes }) => changes * 3 <= Math.max(sought.length, text.length))
    .sort((one, other) => one.changes - other.changes);
  return nearest?.text;
}

/** Levenshtein distance of two texts. */
function changesBetween(one: string, other: string): number {
  // What is that much longer is another word.
  if (Math.abs(one.length - other.length) > 8 || one.length > 64) return Number.MAX_SAFE_INTEGER;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const changed = (row[at] ?? 0) + (letter === other[at] ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
