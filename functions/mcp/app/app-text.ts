/** Texts of the app that shows a page in a chat. */
export const appText = {
  waiting: "Waiting for the page…",
  loading: "Loading…",
  cancelled: "The agent stopped before there was a page to show.",
  noPage: "There is no page to show here.",
  failed: "The tool failed. The agent has the details.",

  open: "Open page",
  /** Text before the page's URL, if the chat did not open it. */
  notOpened: "The chat did not open the page. Copy this address:",
  changed: "What changed",
  expires: "Expires on",
  expired: "Expired on",

  stop: "Stop this page",
  showAgain: "Show it again",
  stopped: "You stopped this page.",
  flooded: "This page was stopped: it sent too many messages.",
  silenced: "This page was stopped: the chat stopped responding while it ran.",
  /** Text before the names of sites that the chat blocked. */
  blocked: "Not loaded in this chat:",
  linkKept: "The page’s links and forms don’t work in this chat.",
  picture: "Picture of the page",
  cardOnly: {
    folder: "This page is a folder with several files, which the chat can’t show.",
    too_large: "This page is too large for the chat.",
  },
  noPicture: "There is no picture of the page yet.",

  versions: "Version",
  versionOption: (number: string, time: string) => `Version ${number}, ${time}`,
  newest: "Go to the latest",
  restore: "Restore this version",
  restored: "Restored as the latest version.",

  save: "Save",
  saved: "Saved.",

  comments: (formatted: string, count: number) =>
    count === 0 ? "No open comments" : `${formatted} open ${count === 1 ? "comment" : "comments"}`,
  moreComments: "Open the page to read more comments.",
  answers: (formatted: string, count: number, hasMore: boolean) => {
    if (count === 0) return "No answers yet";
    if (hasMore) return `The newest ${formatted} answers`;
    return `${formatted} ${count === 1 ? "answer" : "answers"}`;
  },
  newestAnswers: "Newest answers",
  answer: (form: string, number: number) => `${form} #${number}`,
  noName: "No name",
  moreAnswers: "To see all answers, open this page in your account and choose “Answers”.",

  resolve: "Resolve",
  resolved: "Resolved.",
  askAbout: "Ask the agent",

  ask: "Ask the agent to change this",
  askNote: "Your words and the page’s address are sent to this chat.",
  quote: "Quote the selection",
  nothingSelected: "Nothing is selected on the page.",
  send: "Send",
  sent: "Sent to the chat.",
  notSent: "The message was not sent. Copy it into the chat yourself.",
  /** Message to the agent, with the words that the person typed. */
  message: (words: string, url: string, version: number) =>
    `${words}\n\nThe page is ${url} (version ${version}).`,
  quoted: (words: string) => `About this passage from the page:\n${blockquote(words)}\n\n`,
  commented: (quote: string | null, author: string, words: string) =>
    [
      quote === null ? "" : `About this passage from the page:\n${blockquote(quote)}\n\n`,
      `${author} commented:\n${blockquote(words)}\n\nPlease change the page accordingly.`,
    ].join(""),

  problems: {
    gone: "This page doesn’t exist or was deleted.",
    noVersion: "This version was deleted. Choose another one.",
    notAllowed: "You can’t change this page with the account that this chat uses.",
    signedOut: "The chat is not connected to Dropleaf. Connect it again in the chat’s settings.",
    tooMany: "Too many changes at once. Wait a minute, then try again.",
    busy: "Dropleaf is busy. Try again in a few seconds.",
    unreachable: "No response. Check your connection, then try again.",
  },
  again: "Try again",
} as const;

function blockquote(words: string): string {
  return words.replace(/^/gm, "> ");
}
