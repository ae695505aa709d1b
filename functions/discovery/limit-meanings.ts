import { limits } from "../contract/limits.ts";

/** What each limit bounds. The names of the keys are the limits' own, so that a new one is not forgotten here. */
export const limitMeanings: Readonly<Record<keyof typeof limits, string>> = {
  htmlBytesMax: "bytes of a page in UTF-8",
  titleCodePointsMax: "characters of a title",
  descriptionCodePointsMax: "characters of a description",
  passcodeCodePointsMin: "characters that a passcode needs at least",
  passcodeBytesMax: "bytes of a passcode in UTF-8",
  contextCodePointsMax: "characters of a context",
  metadataKeysMax: "metadata keys of a drop",
  metadataValueCodePointsMax: "characters of a metadata value",
  labelCodePointsMax: "characters of the label of a sign-in",
  dropsPerAccountMax: "drops of an account",
  versionsPerDropMax: "versions of a drop",
  pageBytesPerAccountMax: "bytes of an account's pages in all versions, unless the operator says otherwise",
  tokensPerAccountMax: "tokens of an account, or fewer where the operator says so",
  writesPerMinutePerToken: "writes of a token in the minute that its first write opens",
  writesPerDayPerToken: "writes of a token in the day that its first write opens",
  idempotencyKeyCharactersMax: "characters of an Idempotency-Key",
  idempotencySeconds: "seconds in which an Idempotency-Key gives the same answer again",
  blobBytesMax: "bytes of a file",
  blobBytesPerAccountMax: "bytes of all files of an account",
  blobsPerAccountMax: "files of an account",
  blobFilenameCharactersMax: "characters of a filename",
  subdomainsPerAccountMax: "namespaces of an account",
  pageSizeMax: "drops on a page of the list",
  pageSizeDefault: "drops on a page of the list where pageSize is not given",
  contentTypeCharactersMax: "characters of a file's Content-Type",
  uploadUrlSeconds: "seconds that the address of an upload in steps takes the file",
  uploadSeconds: "seconds in which an upload in steps has to be completed",
  deviceCodeSeconds: "seconds that a device code lives",
  pollIntervalSeconds: "seconds to wait between two polls",
  passcodeCookieSeconds: "seconds that a browser remembers a passcode",
  quotaRetryAfterSeconds: "seconds in Retry-After where only deleting helps",
  signInStartsPerMinutePerAddress: "sign-ins that one network address may start in a minute",
  unknownCodesPerQuarterHourPerAddress: "unknown codes that one network address may try in 15 minutes",
  wrongPasscodesPerQuarterHourPerVisitor: "wrong passcodes of one visitor for one drop in 15 minutes",
  wrongPasscodesPerDayPerDrop: "wrong passcodes for one drop in a day",
};

/** Every limit with its name as the wire writes names. */
export function describeLimits(): { name: string; value: number; meaning: string }[] {
  const names = Object.keys(limits) as (keyof typeof limits)[];
  return names.map((name) => ({
    name: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value: limits[name],
    meaning: limitMeanings[name],
  }));
}
