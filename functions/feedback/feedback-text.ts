const minute = (minutes: number) => (minutes === 1 ? "a minute" : `${minutes} minutes`);
const inTime = (minutes: number) => (minutes < 120 ? minute(minutes) : `${Math.ceil(minutes / 60)} hours`);

/** The words of the page on which readers say something about a drop. */
export const feedbackText = {
  heading: "Feedback",
  skip: "Skip to the feedback",
  back: "Back to the page",
  framedPage: "The page",
  byItself: "Links and forms of the page work in its viewer.",
  shownVersion: (version: number) => `Version ${version}`,
  older: (latest: number) => `older than version ${latest}`,
  seeLatest: "See the latest",
  openCount: (formatted: string, count: number) =>
    count === 0 ? "Nothing open" : `${formatted} ${count === 1 ? "thread" : "threads"} open`,
  lead: "What you write here, the owner reads, the owner’s agent, and everybody who may read the page.",
  empty: "Nobody has said anything yet.",
  resolved: (formatted: string, count: number) =>
    `${formatted} resolved ${count === 1 ? "thread" : "threads"}`,
  thread: (thread: number) => `Thread ${thread}`,
  writtenAt: (version: number) => `Written at version ${version}`,
  onPassage: "On this passage:",
  show: "Show in the page",
  shown: "Marked in the page.",
  notFound: "These words were not found in the page as it is shown.",
  gone: (shown: number) => `Not in version ${shown} any more.`,
  seeVersion: (version: number) => `See it in version ${version}`,
  hidden: (formatted: string, count: number) =>
    `${formatted} ${count === 1 ? "reply" : "replies"} in between`,
  wholeThread: "See the whole thread",
  allThreads: "See all threads",
  olderThreads: "Older threads",
  newerThreads: "Newer threads",
  pages: "More threads",

  authors: {
    owner: "the page’s owner, or their agent",
    signedIn: "signed in",
    named: "Somebody with the passcode, who calls themselves",
  },

  start: "Write feedback",
  reply: "Reply",
  replyTo: (thread: number) => `Reply in thread ${thread}`,
  quote: "The passage it is about",
  quoteNote: (most: string) => `Optional. Up to ${most} characters, pasted from the page or picked in it.`,
  pick: "Quote what is selected",
  picked: "Quoted.",
  nothingPicked: "Nothing is selected in the page.",
  text: "What you want to say",
  textNote: (most: string) => `Plain text, up to ${most} characters.`,
  name: "Your name",
  nameNote: "Shown as what you call yourself: nobody checks it.",
  send: "Send",
  sendReply: "Send reply",

  signedInAs: "You write as",
  notYou: "Not you?",
  signInLead: "Sign in to write. Everybody who may read the page may.",
  signInInstead: "Or sign in, and write under that name",
  signIn: "Sign in to write",
  barred: "The account that you are signed in with cannot write here.",
  full: "There are as many threads as a page can have. Some have to be resolved and deleted first.",

  problems: {
    heading: "This was not sent",
    textMissing: "Write something before you send it.",
    nameMissing: "Give a name by which the others may call you.",
    textTooLong: (characters: string, most: string) =>
      `What you want to say has ${characters} characters, and may have ${most}.`,
    quoteTooLong: (characters: string, most: string) =>
      `The passage has ${characters} characters, and may have ${most}. Take the part that matters.`,
    nameTooLong: (characters: string, most: string) =>
      `The name has ${characters} characters, and may have ${most}.`,
    unreadable: "There are characters in it that cannot be stored. Type it anew, or paste it as plain text.",
    stale:
      "The form was older than your sign-in, or another page has sent it. Look whether the words are yours, then send them again.",
    signedOut:
      "You are signed out. What you wrote is still here: sign in in another tab, then send it again.",
    signInElsewhere: "Sign in in another tab",
    wait: (minutes: number) => `You have written much in a short time. Try again in ${inTime(minutes)}.`,
    waitForOthers: (minutes: number) =>
      `Others have written much about this page. Try again in ${inTime(minutes)}.`,
    threadGone: "This thread is not there any more. Start another one with what you wrote.",
    manyThreads: "There are as many threads as a page can have.",
    manyComments: "There are as many replies as a thread can have. Start another one.",
    busy: "Too much was written at the same moment. Send it once more.",
  },

  kept: {
    title: "Not sent",
    heading: { locked: "The page is locked again", missing: "Page not found" },
    lead: {
      locked: "What you wrote was not sent. Copy it, open the page, and send it from there.",
      missing:
        "What you wrote was not sent: there is nothing at this address, or nothing for you. Was it shared with you? Copy your words, sign in, and send them again.",
    },
    words: "What you wrote",
    way: { locked: "Open the page", missing: "Sign in to see" },
  },
} as const;
