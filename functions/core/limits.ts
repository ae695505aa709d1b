/** All limits of the service, as defined by section "Limits" of the specification and the ADRs. */
export const limits = {
  htmlBytesMax: 2_097_152,
  folderFilesMax: 2_000,
  folderBytesMax: 26_214_400,
  /** Maximum size of a folder's zip archive: the maximum size of uncompressed contents, plus two headers for each file. */
  folderArchiveBytesMax: 28_311_552,
  folderPathCharactersMax: 200,
  /** Maximum size of a Markdown page. Its rendered HTML may have at most `htmlBytesMax`. */
  markdownBytesMax: 1_048_576,
  titleCodePointsMax: 200,
  descriptionCodePointsMax: 500,
  passcodeCodePointsMin: 4,
  /** Maximum size of a passcode after Unicode normalization (NFKC). Hashing a longer passcode would take too much processor time. */
  passcodeBytesMax: 1_024,
  contextCodePointsMax: 65_536,
  noteCodePointsMax: 200,
  metadataKeysMax: 10,
  metadataValueCodePointsMax: 256,
  /** Maximum number of named readers of a drop. With more names, a list of drops could exceed the maximum size of a function's response. */
  readersPerDropMax: 50,
  /** Maximum number of results of one search, on all result pages together. */
  searchResultsMax: 200,
  searchPageSizeMax: 50,
  searchesPerMinutePerReader: 60,
  /** Maximum number of restricted files that a restricted page may embed. */
  embeddedFilesMax: 200,
  readerBytesMax: 100,
  labelCodePointsMax: 100,
  namespaceCharactersMax: 40,
  teamPeopleMax: 50,
  teamsPerPersonMax: 10,
  dropsPerAccountMax: 500,
  versionsPerDropMax: 200,
  /** Maximum total size of all versions of an account's pages. A setting can change this limit. */
  pageBytesPerAccountMax: 10_737_418_240,
  /** Maximum number of tokens of an account. The operator may lower this limit. */
  tokensPerAccountMax: 100,
  writesPerMinutePerToken: 60,
  writesPerDayPerToken: 500,
  /** Maximum length of an Idempotency-Key, and storage time of the response, in seconds. */
  idempotencyKeyCharactersMax: 255,
  idempotencySeconds: 86_400,
  blobBytesMax: 26_214_400,
  blobBytesPerAccountMax: 1_073_741_824,
  /** Maximum number of an account's files. A page of the owner reads an entry for each file. */
  blobsPerAccountMax: 10_000,
  blobFilenameCharactersMax: 200,
  contentTypeCharactersMax: 255,
  publicationUrlSeconds: 600,
  /** Lifetimes of a multi-step upload: of the URL that accepts the file, and of the whole upload. */
  uploadUrlSeconds: 600,
  uploadSeconds: 840,
  subdomainsPerAccountMax: 1,
  pageSizeMax: 200,
  pageSizeDefault: 20,
  deviceCodeSeconds: 600,
  pollIntervalSeconds: 2,
  passcodeCookieSeconds: 604_800,
  /** Retry-After value of errors for reached limits on drops, versions and bytes. A retry can succeed only after a deletion. */
  quotaRetryAfterSeconds: 3_600,
  /** Limits of a reader's comment; see docs/adr/0070-feedback.md. */
  commentCodePointsMax: 2_000,
  quoteCodePointsMax: 500,
  markSelectorCharactersMax: 500,
  commenterNameCodePointsMax: 60,
  threadsPerDropMax: 200,
  commentsPerThreadMax: 50,
  commentsPerTenMinutesPerReader: 10,
  /** Maximum number of comments on passcode-protected drops from one network. Switching browsers does not reset this limit. */
  commentsPerTenMinutesPerNetwork: 100,
  /**
   * Maximum number of comments on a drop by all signed-in readers together, and separately by all other readers together. One reader may
   * write at most a fifth of this number.
   */
  commentsPerDayPerDrop: 500,
  /** Maximum time in seconds that a call waits for new comments. */
  feedbackWaitSecondsMax: 25,
  feedbackToolWaitSecondsMax: 20,
  /** Limits of a reader's answer to a form; see docs/adr/0070-feedback.md. `answerBytesMax` counts names and values in UTF-8. */
  formNameCharactersMax: 40,
  answerFieldsMax: 50,
  answerFieldNameCharactersMax: 200,
  answerBytesMax: 8_192,
  answeredFormsPerDropMax: 50,
  answersPerFormMax: 5_000,
  /** Maximum number of answers from one network, such as an office. */
  answersPerTenMinutesPerNetwork: 600,
  /** Limits of requests for access to a page; see docs/adr/0070-feedback.md. */
  accessRequestCodePointsMax: 200,
  accessRequestsPerDayPerPerson: 3,
  accessRequestsPerDropMax: 100,
  accessRequestsPerOwnerMax: 500,
  accessRequestDays: 30,
  rendersPerDayPerAccount: 300,
  signInStartsPerMinutePerAddress: 120,
  unknownCodesPerQuarterHourPerAddress: 30,
  /** Maximum number of wrong passcodes for one drop, from one visitor and from all visitors together. */
  wrongPasscodesPerQuarterHourPerVisitor: 10,
  wrongPasscodesPerDayPerDrop: 100,
  /** Maximum number of wrong passcodes for one drop from one network, so that one network cannot use up the limit for all visitors. */
  wrongPasscodesPerDayPerNetwork: 50,
  /** Additional number of wrong passcodes that a browser may send if it has unlocked the drop before. */
  wrongPasscodesPerDayPerOpener: 10,
  /** Lifetimes of the passcode page's cookies, for browsers that have not unlocked the drop and for browsers that have. */
  gateVisitorCookieSeconds: 86_400,
  gateOpenedCookieSeconds: 15_552_000,
} as const;

/** Time for which Lambda retries a failed record of the table's stream, in seconds. */
export const streamRecordSecondsMax = 60 * 60;
