/** All limits of the service, as section "Limits" of the specification and the ADRs define them. */
export const limits = {
  htmlBytesMax: 2_097_152,
  /** Limits of a folder: the number of its files, their total bytes, and the characters of each path. */
  folderFilesMax: 2_000,
  folderBytesMax: 26_214_400,
  /** Maximum size of a folder's zip archive. Its contents may be stored uncompressed, with two headers for each file. */
  folderArchiveBytesMax: 28_311_552,
  folderPathCharactersMax: 200,
  /** Maximum size of a Markdown page. The rendered HTML may have at most `htmlBytesMax`. */
  markdownBytesMax: 1_048_576,
  titleCodePointsMax: 200,
  descriptionCodePointsMax: 500,
  passcodeCodePointsMin: 4,
  /** Maximum size of a passcode after NFKC. scrypt reads the whole passcode, so an unlimited one could waste processor time. */
  passcodeBytesMax: 1_024,
  contextCodePointsMax: 65_536,
  noteCodePointsMax: 200,
  metadataKeysMax: 10,
  metadataValueCodePointsMax: 256,
  /**
   * Maximum number of named readers of a drop. With more names, a page of a list could exceed the maximum size of a function's response.
   */
  readersPerDropMax: 50,
  /** Maximum number of results of one search, on all its pages together. */
  searchResultsMax: 200,
  /** Maximum number of results on one page of a search. */
  searchPageSizeMax: 50,
  searchesPerMinutePerReader: 60,
  /** Maximum number of restricted files in a restricted page. */
  embeddedFilesMax: 200,
  readerBytesMax: 100,
  labelCodePointsMax: 100,
  namespaceCharactersMax: 40,
  /** Limits of teams: the entries in a list of members, and the teams that one person may create. */
  teamPeopleMax: 50,
  teamsPerPersonMax: 10,
  dropsPerAccountMax: 500,
  versionsPerDropMax: 200,
  /** Maximum size of all versions of an account, without contexts. A setting can change this limit. */
  pageBytesPerAccountMax: 10_737_418_240,
  /** Maximum number of tokens of an account. Each token has its own write limits. The operator may lower this limit. */
  tokensPerAccountMax: 100,
  writesPerMinutePerToken: 60,
  writesPerDayPerToken: 500,
  /** Maximum length of an Idempotency-Key, and how long its response is stored. */
  idempotencyKeyCharactersMax: 255,
  idempotencySeconds: 86_400,
  blobBytesMax: 26_214_400,
  blobBytesPerAccountMax: 1_073_741_824,
  /** Maximum number of files of an account. An owner's page reads part of each file's row. */
  blobsPerAccountMax: 10_000,
  blobFilenameCharactersMax: 200,
  contentTypeCharactersMax: 255,
  publicationUrlSeconds: 600,
  /** Lifetimes in a multi-step upload: of the URL that accepts the file, and of the upload as a whole. */
  uploadUrlSeconds: 600,
  uploadSeconds: 840,
  subdomainsPerAccountMax: 1,
  pageSizeMax: 200,
  pageSizeDefault: 20,
  deviceCodeSeconds: 600,
  pollIntervalSeconds: 2,
  passcodeCookieSeconds: 604_800,
  /** Retry-After value of errors at the limits on drops, versions and bytes. A retry succeeds only after a deletion. */
  quotaRetryAfterSeconds: 3_600,
  /** Limits of a reader's comment; see docs/adr/0070-feedback.md. */
  commentCodePointsMax: 2_000,
  quoteCodePointsMax: 500,
  markSelectorCharactersMax: 500,
  commenterNameCodePointsMax: 60,
  threadsPerDropMax: 200,
  commentsPerThreadMax: 50,
  /** Maximum number of comments by one reader on all drops. */
  commentsPerTenMinutesPerReader: 10,
  /**
   * Maximum number of comments on locked drops from one network, such as an office. Visitors cannot avoid this limit by switching browsers.
   */
  commentsPerTenMinutesPerNetwork: 100,
  /**
   * Maximum number of comments on a drop by all signed-in readers together. A separate limit of the same size applies to all other readers
   * together. One reader may write at most a fifth of this number.
   */
  commentsPerDayPerDrop: 500,
  /** Maximum wait for comments, in the API and in tools. */
  feedbackWaitSecondsMax: 25,
  feedbackToolWaitSecondsMax: 20,
  /** Limits of a reader's answer to a form; see docs/adr/0070-feedback.md. `answerBytesMax` counts names and values in UTF-8. */
  formNameCharactersMax: 40,
  answerFieldsMax: 50,
  answerFieldNameCharactersMax: 200,
  answerBytesMax: 8_192,
  /** Maximum number of forms with answers in a drop, and of answers to one form. */
  answeredFormsPerDropMax: 50,
  answersPerFormMax: 5_000,
  /** Maximum number of answers from one network, such as an office that votes. */
  answersPerTenMinutesPerNetwork: 600,
  /** Limits of requests for access to a page; see docs/adr/0070-feedback.md. */
  accessRequestCodePointsMax: 200,
  accessRequestsPerDayPerPerson: 3,
  accessRequestsPerDropMax: 100,
  accessRequestsPerOwnerMax: 500,
  accessRequestDays: 30,
  /** Maximum number of versions that are rendered for one account. */
  rendersPerDayPerAccount: 300,
  /** Limits of one network: the sign-ins that it may start, and the unknown device codes that it may try. */
  signInStartsPerMinutePerAddress: 120,
  unknownCodesPerQuarterHourPerAddress: 30,
  /** Maximum number of wrong passcodes for one drop: from one visitor, and from all visitors together. */
  wrongPasscodesPerQuarterHourPerVisitor: 10,
  wrongPasscodesPerDayPerDrop: 100,
  /** Maximum number of wrong passcode attempts on one drop from one network, so that one network cannot use up the drop's limit. */
  wrongPasscodesPerDayPerNetwork: 50,
  /** Maximum number of further wrong passcodes from a browser that has unlocked the drop before. */
  wrongPasscodesPerDayPerOpener: 10,
  /** Lifetimes of the passcode page's cookies, for browsers that have not unlocked the drop and for browsers that have. */
  gateVisitorCookieSeconds: 86_400,
  gateOpenedCookieSeconds: 15_552_000,
} as const;

/** Time for which Lambda retries a failed record of the table's stream, in seconds. */
export const streamRecordSecondsMax = 60 * 60;
