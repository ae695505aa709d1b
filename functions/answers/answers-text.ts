/** Texts of the answers to a page's forms. */
export const answersText = {
  title: "Your answer",
  heading: "Send your answer?",
  lead: "This page asks for your answer. Its owner and the owner's agent can read it.",
  sendAs: (name: string) => `Send as ${name}`,
  sendWithName: "Send with my name",
  sendWithoutName: "Send without my name",
  send: "Send",
  sentHeading: "Sent",
  sent: (until: string | undefined) =>
    until === undefined ? "Sent." : `Sent. You can change it until ${until}.`,
  sentMany: "Sent. You can send another one.",
  signInElsewhere: "Sign in in another tab",
  back: "Back to the page",
  refusedHeading: "Your answer was not sent",
  choose: (name: string) => `Send your answer as ${name}, or without your name?`,
  problems: {
    off: "This page takes no answers. Nothing was sent.",
    locked: "The page is locked. Open it again, then send your answer.",
    unknownForm: (form: string) =>
      `This version of the page has no form "${form}". Reload the page, then send your answer again.`,
    unknownField: (field: string) =>
      `The form has no field "${field}". Reload the page, then send your answer again.`,
    file: (field: string) =>
      `The field "${field}" is a file. Files can't be sent. Remove it, then send again.`,
    empty: "Your answer is empty. Fill in the form, then send it.",
    manyFields: (most: number) => `An answer has at most ${most} values. Choose fewer.`,
    tooLong: (bytes: string, most: string) =>
      `Your answer has ${bytes} bytes. The limit is ${most}. Shorten it.`,
    unreadable: "Your answer contains invalid characters. Type it again, or paste it as plain text.",
    stale: "You signed in or out since this page was shown. Send your answer again.",
    signedOut: "You are signed out, so your answer has no name yet. Sign in, or send it without your name.",
    barred: "Your account can't send answers here.",
    full: "This form has reached the limit of answers.",
    wait: (minutes: number) =>
      `Your network has sent many answers. Send yours again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    busy: "Others are answering at the same time. Send yours again.",
  },
} as const;
