import { limits } from "../http/limits.ts";
import { partCharacters } from "../mcp/schemas.ts";

/** Arguments whose name, type and choices say what they are. */
const plain = {
  id: undefined,
  page: undefined,
  size_bytes: undefined,
  slug: undefined,
  since: undefined,
  sortBy: undefined,
  sortOrder: undefined,
  state: undefined,
  thread: undefined,
  version: undefined,
};

/** Short meanings of tool arguments. Every conversation carries them; errors say the rest. */
export const argumentMeanings: Readonly<Record<string, string | undefined>> = {
  ...plain,
  base64: "Any other file, without line ends.",
  content_type: "Its media type.",
  context: "How the page came about; its readers can open it.",
  cursor: "`next_cursor` of the response before.",
  description: `Up to ${limits.descriptionCodePointsMax} characters; empty for none.`,
  filename: "Letters, digits, dashes, dots and spaces.",
  html: "A complete HTML document, up to 2 MiB.",
  from: "The one before `to`, where absent.",
  feedback: "Let readers write to you.",
  label: "What you call yourself.",
  indexed: "Let search engines list it.",
  limit: `Characters, up to ${partCharacters.maximum}; ${partCharacters.default} where absent.`,
  metadata: `Your tags, up to ${limits.metadataKeysMax}; they replace those there.`,
  note: "What this version changes, in a line.",
  offset: "Where to begin: a character, or an image; from 0.",
  owner: "An owner's name, as in their address.",
  pageSize: `Up to ${limits.pageSizeMax}.`,
  part: "html where absent. context: how it came about. images: those in it.",
  passcode: `Locks the page: ${limits.passcodeCodePointsMin} characters or more.`,
  q: "Words in titles and descriptions.",
  readers: "E-mail addresses, @domains, user names.",
  text: "A text file's content.",
  title: `Up to ${limits.titleCodePointsMax} characters.`,
  to: "The latest, where absent.",
  token: "The poll_token.",
  upsert: "Whether to find the page by its tags.",
  wait: `Seconds, up to ${limits.feedbackToolWaitSecondsMax}.`,
  visibility: "unlisted: who has the url. people: readers.",
};
