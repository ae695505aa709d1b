/** Texts for readers who send answers to a page's forms. */
export const answersText = {
  title: "Your answer",
  heading: "Send your answer?",
  lead: "The page’s owner and their agents can read your answer.",
  /** Label before the page's title. */
  page: "Page:",
  /** Label before the owner's name. */
  owner: "Owner:",
  sendAs: (name: string) => `Send as ${name}`,
  sendWithName: "Send with my name",
  sendWithoutName: "Send without my name",
  sentHeading: "Sent",
  sent: (until: string | undefined, isReplacing: boolean) =>
    [
      "Sent.",
      ...(isReplacing ? ["This answer replaces your earlier one."] : []),
      until === undefined
        ? "To change your answer, send the form again."
        : `You can change your answer until ${until}.`,
    ].join(" "),
  sentMany: "Sent. You can send another answer.",
  signInElsewhere: "Use another tab to sign in",
  back: "Back to the page",
  refusedHeading: "Your answer was not sent",
  choose: (name: string) => `Send your answer as ${name}, or without your name?`,
  problems: {
    off: "This page doesn’t accept answers. Your answer was not sent.",
    locked: "The page is locked. Open it again with the passcode, then send your answer.",
    framed: "Open the page with “Page only” above, then send your answer from there.",
    unknownForm: (form: string) =>
      `This version of the page has no form "${form}". Reload the page, then send your answer again.`,
    unknownField: (field: string) =>
      `The form has no field "${field}". Reload the page, then send your answer again.`,
    file: (field: string) =>
      `Files can’t be sent. Remove the file from "${field}", then send your answer again.`,
    empty: "Your answer is empty. Fill in the form, then send it.",
    stale: "You signed in or out after this page was shown. Send your answer again.",
    signedOut: "You are signed out, so your answer has no name yet. Sign in, or send it without your name.",
    barred: "Your account can’t send answers. Ask the operator of this service why.",
    full: "This form can’t take any more answers. Ask the page’s owner to delete some.",
    wait: (minutes: number) =>
      `Your network has sent too many answers. Send your answer again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    busy: "The service is busy. Send your answer again in a few seconds.",
  },
} as const;
