import { text } from "../html/text.ts";

const minute = (minutes: number) => (minutes === 1 ? "a minute" : `${minutes} minutes`);
const inTime = (minutes: number) => (minutes < 120 ? minute(minutes) : `${Math.ceil(minutes / 60)} hours`);

/** Texts of the feedback page. */
export const feedbackText = {
  heading: "Comments",
  skip: "Skip to the comments",
  back: "Back to the page",
  framedPage: "The page",
  byItself: "To use links and forms, go back to the page.",
  shownVersion: (version: number) => `Version ${version}`,
  older: (latest: number) => `older than version ${latest}`,
  seeLatest: "See the latest",
  openCount: (formatted: string, count: number) =>
    count === 0 ? "No open threads" : `${formatted} open ${count === 1 ? "thread" : "threads"}`,
  lead: "The owner, the owner’s agent and anyone who can read the page can read your comments.",
  empty: "No comments yet.",
  resolved: (formatted: string, count: number) =>
    `${formatted} resolved ${count === 1 ? "thread" : "threads"}`,
  thread: (thread: number) => `Thread ${thread}`,
  writtenAt: (version: number) => `Written about version ${version}`,
  onPage: "On the page",
  show: "Show on the page",
  shown: "Marked on the page.",
  notFound: "These words were not found on the page.",
  placeNotFound: "The marked place was not found on the page.",
  gone: (shown: number) => `This passage is not in version ${shown}.`,
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
    signedIn: "signed-in reader",
    named: "reader with the passcode, under an unverified name",
  },

  start: "Write a comment",
  reply: "Reply",
  replyTo: (thread: number) => `Reply in thread ${thread}`,
  path: "Page",
  pathNote: "The page of this site that your comment is about.",
  quote: "Quote",
  quoteNote: (most: string) => `Optional. Paste or select a passage from the page, up to ${most} characters.`,
  pick: "Quote the selection",
  picked: "Quoted.",
  nothingPicked: "Nothing is selected on the page.",
  mark: "Mark a place",
  marking: "Click a place on the page, or press Escape to cancel.",
  marked: "Your comment is about the highlighted place.",
  unmark: "Remove the mark",
  place: "About a marked place",
  text: "Your comment",
  textNote: (most: string) => `Plain text, up to ${most} characters.`,
  name: "Your name",
  nameNote: "Shown beside your comment. It is not verified.",
  send: "Send",
  sendReply: "Send reply",

  signedInAs: "You’re commenting as",
  notYou: "Not you?",
  signInLead: "Sign in to comment. Anyone who can read the page can comment.",
  signInInstead: "Or sign in to comment under your account’s name",
  signIn: "Sign in to comment",
  barred: "Your account can’t comment here.",
  full: "The page has reached its thread limit. The page’s owner can delete some threads.",

  problems: {
    heading: "Your comment was not sent",
    textMissing: "Write a comment before you send it.",
    nameMissing: "Enter a name.",
    textTooLong: (characters: string, most: string) =>
      `Your comment has ${characters} characters. The limit is ${most}.`,
    quoteTooLong: (characters: string, most: string) =>
      `The passage has ${characters} characters. The limit is ${most}. Shorten it.`,
    selectorTooLong: (characters: string, most: string) =>
      `The selector of the marked place has ${characters} characters. The limit is ${most}. Remove the mark.`,
    regionInvalid:
      "The marked place must be four fractions from 0 to 1: left, top, width and height. Remove the mark.",
    nameTooLong: (characters: string, most: string) =>
      `The name has ${characters} characters. The limit is ${most}.`,
    stale:
      "You signed in again after this form was shown, or another page sent the form. Check that the comment is yours, then send it again.",
    signedOut:
      "You are signed out. Your comment is still here. Use another tab to sign in, then send it again.",
    signInElsewhere: "Use another tab to sign in",
    wait: (minutes: number) =>
      `You have sent too many comments in a short time. Try again in ${inTime(minutes)}.`,
    waitForOthers: (minutes: number) =>
      `This page has received too many comments in a short time. Try again in ${inTime(minutes)}.`,
    threadGone: "This thread was deleted. Send your comment again to start a new thread.",
    manyThreads: "The page has reached its thread limit. The page’s owner can delete some threads.",
    manyComments: "The thread has reached its reply limit. Start a new thread.",
    busy: "Others are commenting at the same time. Send your comment again.",
  },

  unsent: {
    title: "Not sent",
    heading: { locked: "The page is locked again", missing: text.error.heading(404) },
    lead: {
      locked: "Your comment was not sent. Copy it, open the page, and send it from there.",
      missing:
        "Your comment was not sent. The page doesn’t exist or isn’t shared with you. If it was shared with you, copy your comment, sign in, and send it again.",
    },
    words: "Your comment",
    way: { locked: "Open the page", missing: "Sign in to see the page" },
  },
} as const;
