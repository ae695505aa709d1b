/** A rule that spells a path differently, in a way that some server in between may treat as the same path. */
interface Respelling {
  readonly name: string;
  readonly of: (path: string) => readonly string[];
}

const respellings: readonly Respelling[] = [
  { name: "a letter as its percent-encoding", of: (path) => eachOf(path, /[^/]/g, percent) },
  { name: "the same in lower-case hexadecimal", of: (path) => eachOf(path, /[^/]/g, lowerPercent) },
  { name: "a letter encoded twice", of: (path) => eachOf(path, /[^/]/g, twicePercent) },
  { name: "a slash as its percent-encoding", of: (path) => eachOf(path, /(?!^)\//g, percent) },
  { name: "a slash encoded twice", of: (path) => eachOf(path, /(?!^)\//g, twicePercent) },
  { name: "every letter encoded", of: (path) => [path.replace(/[^/]/g, percent)] },
  { name: "everything encoded", of: (path) => [`/${path.slice(1).replace(/./g, percent)}`] },
  { name: "two slashes for one", of: (path) => eachOf(path, /\//g, () => "//") },
  { name: "a slash at the end", of: (path) => [`${path}/`, `${path}//`, `${path}%2f`, `${path}%2F`] },
  { name: "a backslash for a slash", of: (path) => eachOf(path, /(?!^)\//g, () => "\\") },
  { name: "an encoded backslash for a slash", of: (path) => eachOf(path, /(?!^)\//g, () => "%5c") },
  { name: "a segment that stands for nothing", of: (path) => eachOf(path, /\//g, () => "/./") },
  { name: "the same, encoded", of: (path) => eachOf(path, /\//g, () => "/%2e/") },
  { name: "the same at the end", of: (path) => [`${path}/.`, `${path}/%2E`, `${path}/x/..`] },
  { name: "a segment that is taken back", of: (path) => eachOf(path, /\//g, () => "/x/../") },
  { name: "the same, encoded in part and whole", of: (path) => eachOf(path, /\//g, () => "/x/%2e./") },
  { name: "the same with its slash encoded", of: (path) => eachOf(path, /\//g, () => "/x/..%2f") },
  {
    name: "a way out of the API",
    of: (path) => [`/api/..${path}`, `/api/%2e%2e${path}`, `/api/x/../..${path}`],
  },
  {
    name: "a segment's parameter",
    of: (path) => eachOf(`${path}/`, /(?!^)\//g, () => ";a=1/").map(untrailed),
  },
  { name: "an encoded semicolon", of: (path) => [`${path}%3B`, `${path}%3ba=1`] },
  {
    name: "something that may be cut off",
    of: (path) => [`${path}%00`, `${path}%20`, `${path}.`, `${path}%23`, `${path}%3fv=1`],
  },
  { name: "a segment of white space", of: (path) => eachOf(path, /\//g, () => "/%20/") },
  { name: "the other case in what is fixed", of: (path) => eachOf(path, fixedLetter, otherCase) },
];

/** Letters of the fixed segments of a drop's address. A slug is excluded: in another case it is another slug. */
const fixedLetter = /(?<=^\/)[a-z]|(?<=^\/[a-z]\/[^/]+\/[a-z]*)[a-z]/g;

/** Returns every other spelling of a path, applied at every position: hundreds. */
export function otherSpellings(path: string): string[] {
  return unique(
    respellings.flatMap((respelling) => respelling.of(path)),
    path,
  );
}

/** Returns one other spelling of each kind, in the middle of the path if possible. */
export function oneSpellingOfEachKind(path: string): string[] {
  const chosen = respellings.map((respelling) => {
    const all = respelling.of(path);
    return all[Math.floor(all.length / 2)] ?? path;
  });
  return unique(chosen, path);
}

function unique(paths: readonly string[], path: string): string[] {
  return [...new Set(paths)].filter((one) => one !== path);
}

/** Returns one text for each match, with only that match rewritten. */
function eachOf(text: string, places: RegExp, write: (found: string) => string): string[] {
  return [...text.matchAll(places)].map(
    ({ 0: found, index }) => text.slice(0, index) + write(found) + text.slice(index + found.length),
  );
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function lowerPercent(character: string): string {
  return percent(character).toLowerCase();
}

function twicePercent(character: string): string {
  return percent(character).replace("%", "%25");
}

function otherCase(letter: string): string {
  return letter.toUpperCase();
}

function untrailed(path: string): string {
  return path.replace(/\/$/, "");
}
