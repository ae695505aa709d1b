/** Maximum length of a subject. `git log --oneline` and GitHub truncate longer ones. */
const lengthMax = 72;

/** Matches imperatives that look like a plural noun or a participle. */
const verbsLikeOthers =
  /^(Address|Bring|Bypass|Compress|Discuss|Dismiss|Embed|Express|Feed|Focus|Miss|Need|Pass|Press|Process|Seed|Speed|Suppress)$/;

/**
 * Explains why a commit's subject is not an imperative sentence about a single thing; see "Decisions and commits", CONTRIBUTING.md.
 *
 * @returns reason, or undefined for a valid subject
 */
export function problemOfSubject(subject: string): string | undefined {
  const [verb = ""] = subject.split(" ");
  if (subject.length > lengthMax) return `has ${subject.length} characters. Shorten it to ${lengthMax}`;
  if (/[.;]$|; /.test(subject))
    return "ends with a period or contains a semicolon. Write one sentence about one thing";
  if (!/^[A-Z][a-z-]+$/.test(verb))
    return `begins with ${JSON.stringify(verb)}. Begin with a verb, such as "Refuse"`;
  if (/(s|ed|ing)$/.test(verb) && !verbsLikeOthers.test(verb))
    return `begins with ${JSON.stringify(verb)}. Begin with an imperative, such as "Refuse"`;
  return undefined;
}
