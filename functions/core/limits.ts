/** Every limit of the service, as the section "Limits" of the specification and decisions define them. */
export const limits = {
  htmlBytesMax: 2_097_152,
  /** Files of a folder, their total bytes, and the characters of a path. */
  folderFilesMax: 2_000,
  folderBytesMax: 26_214_400,
  /** Size of a folder's zip archive: its contents may be stored uncompressed, with two headers for each file. */
  folderArchiveBytesMax: 28_311_552,
  folderPathCharactersMax: 200,
  /** Size of a Markdown page. The rendered HTML has the limit of any page. */
  markdownBytesMax: 1_048_576,
  titleCodePointsMax: 200,
  descriptionCodePointsMax: 500,
  passcodeCodePointsMin: 4,
  /** After NFKC. scrypt reads the whole passcode, so an unlimited one could be used to waste processor time. */
  passcodeBytesMax: 1_024,
  contextCodePointsMax: 65_536,
  noteCodePointsMax: 200,
  metadataKeysMax: 10,
  metadataValueCodePointsMax: 256,
  /** Named readers of a drop. With longer names, a page of a list could exceed the size of a function's response. */
  readersPerDropMax: 50,
  /** Results of one search, on all its pages together. */
  searchResultsMax: 200,
  /** Results on one page of a search. */
  searchPageSizeMax: 50,
  searchesPerMinutePerReader: 60,
  /** Number of restricted files in a restricted page. */
  embeddedFilesMax: 200,
  readerBytesMax: 100,
  labelCodePointsMax: 100,
  namespaceCharactersMax: 40,
  /** Entries of a team's people, and teams that a person may create. */
  teamPeopleMax: 50,
  teamsPerPersonMax: 10,
  dropsPerAccountMax: 500,
  versionsPerDropMax: 200,
  /** Size of all versions of an account, without contexts. A setting can change it. */
  pageBytesPerAccountMax: 10_737_418_240,
  /** Each token has its own write limits. The operator may lower this limit. */
  tokensPerAccountMax: 100,
  writesPerMinutePerToken: 60,
  writesPerDayPerToken: 500,
  /** Idempotency-Key: length of a key, and how long its response is stored. */
  idempotencyKeyCharactersMax: 255,
  idempotencySeconds: 86_400,
  blobBytesMax: 26_214_400,
  blobBytesPerAccountMax: 1_073_741_824,
  /** Maximum number of files: each file is a row, and an owner's page reads part of every row. */
  blobsPerAccountMax: 10_000,
  blobFilenameCharactersMax: 200,
  /** An upload in steps: how long its address accepts the file, and how long it can be completed. */
  contentTypeCharactersMax: 255,
  publicationUrlSeconds: 600,
  uploadUrlSeconds: 600,
  uploadSeconds: 840,
  subdomainsPerAccountMax: 1,
  pageSizeMax: 200,
  pageSizeDefault: 20,
  deviceCodeSeconds: 600,
  pollIntervalSeconds: 2,
  passcodeCookieSeconds: 604_800,
  /** Retry-After if only deleting helps: drops, versions, bytes. */
  quotaRetryAfterSeconds: 3_600,
  /** Limits of a reader's comment: docs/adr/0070-feedback.md. */
  commentCodePointsMax: 2_000,
  quoteCodePointsMax: 500,
  markSelectorCharactersMax: 500,
  commenterNameCodePointsMax: 60,
  threadsPerDropMax: 200,
  commentsPerThreadMax: 50,
  /** Comments of one reader on all drops. */
  commentsPerTenMinutesPerReader: 10,
  /** Comments of readers of locked drops in one network, such as an office. It limits visitors who switch browsers. */
  commentsPerTenMinutesPerNetwork: 100,
  /**
   * Comments of all signed-in readers of a drop, and the same number for all other readers. One reader may write at most a fifth of them.
   */
  commentsPerDayPerDrop: 500,
  /** Longest wait for comments, by the API and as a tool. */
  feedbackWaitSecondsMax: 25,
  feedbackToolWaitSecondsMax: 20,
  /** Limits of a reader's answer to a form: docs/adr/0070-feedback.md. Bytes are those of names and values in UTF-8. */
  formNameCharactersMax: 40,
  answerFieldsMax: 50,
  answerFieldNameCharactersMax: 200,
  answerBytesMax: 8_192,
  /** Forms of a drop that have answers, and the answers of one form. */
  answeredFormsPerDropMax: 50,
  answersPerFormMax: 5_000,
  /** Answers from one network, such as an office that votes. */
  answersPerTenMinutesPerNetwork: 600,
  /** Limits of requests for access to a page: docs/adr/0070-feedback.md. */
  accessRequestCodePointsMax: 200,
  accessRequestsPerDayPerPerson: 3,
  accessRequestsPerDropMax: 100,
  accessRequestsPerOwnerMax: 500,
  accessRequestDays: 30,
  /** Versions that are rendered for one account. */
  rendersPerDayPerAccount: 300,
  /** Device codes that one network address may start, and unknown codes that it may try, in a window. */
  signInStartsPerMinutePerAddress: 120,
  unknownCodesPerQuarterHourPerAddress: 30,
  /** Wrong passcodes at one drop's gate. */
  wrongPasscodesPerQuarterHourPerVisitor: 10,
  wrongPasscodesPerDayPerDrop: 100,
  /** Share of the wrong passcodes that one network may use. The rest remains for others. */
  wrongPasscodesPerDayPerNetwork: 50,
  /** Further attempts of a browser that has opened the gate before. */
  wrongPasscodesPerDayPerOpener: 10,
  /** Lifetimes of the gate's cookies for browsers that have not unlocked the drop, and for those that have. */
  gateVisitorCookieSeconds: 86_400,
  gateOpenedCookieSeconds: 15_552_000,
} as const;

/** Time during which Lambda retries a failed record of the table's stream. */
export const streamRecordSecondsMax = 60 * 60;
