import { limits } from "../http/limits.ts";

const codeMinutes = limits.deviceCodeSeconds / 60;
const passcodeDays = limits.passcodeCookieSeconds / 86_400;

/** Never shorter than it is. */
function waitOf(minutes: number): string {
  if (minutes === 1) return "a minute";
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/**
 * All words of the pages, in one place for a translation. Values that people chose (titles, labels, names) stand
 * beside a phrase and never inside one, so that their direction and their markup cannot leak into ours.
 */
export const text = {
  /** Language tag (RFC 5646) of the texts and of formatted numbers and dates. */
  language: "en-GB",
  product: "Dropleaf",
  tagline: "Pages from your agent, at an address that stays",
  bytes: (formatted: string, count: number) => `${formatted} ${count === 1 ? "byte" : "bytes"}`,

  viewer: {
    by: "by",
    publishedBy: (namespace: string) => `A page published by ${namespace} on Dropleaf.`,
    versions: "Versions",
    version: (number: number) => `Version ${number}`,
    latest: "latest",
    withContext: "context",
    goToVersion: "Go to version",
    go: "Go",
    olderShown: (number: number) => `This is version ${number}, from`,
    olderVersion: "Older version",
    seeLatest: "Back to the latest",
    more: "More",
    context: "Context",
    feedback: "Feedback",
    contextNote: "What the agent was given or noted when it published this version.",
    contextLoading: "Fetching the context…",
    contextFailed: "The context could not be fetched.",
    contextAsPage: "Open it as a page",
    closeContext: "Close",
    compare: "Compare versions",
    raw: "Raw page",
    download: "Download",
    copyLink: "Copy link",
    linkCopied: "Link copied",
    fullScreen: "Full screen",
    share: "Share",
    keys: "Keys",
    keyNames: {
      v: "Versions",
      j: "Older version",
      k: "Newer version",
      c: "Context",
      l: "Copy link",
      r: "Raw page",
      p: "Print",
      f: "Full screen",
      "?": "These keys",
    },
    keysOutside: "They work beside the page, not in it.",
    keysOn: "Keys are on",
    manage: "Yours? See its views and change it",
    print: "Print",
    open: "Open",
    byItself: "Links and forms work on the page by itself",
    /** The site follows. */
    hasUser: "Not opened: a user name hides its site, ",
    close: "Close",
    /** `#` is the number of the version. */
    newer: "Version # is here.",
    takenBack: (number: number) => `Version ${number} was taken back.`,
    locked: "This page is locked now.",
    gone: "This page is gone, or not shared with you any more.",
    goneOrSignedOut: "This page is gone, not shared with you any more, or you are signed out.",
    reload: "Reload",
    report: "Report",
    signedIn: "Signed in",
    isLocked: "Locked",
    lockedNote: "Locked: opens with a passcode",
    lockAgain: "Lock again",
  },

  permissions: {
    allowed: [
      "publish pages and files under your name,",
      "change, lock and delete them,",
      "see your usage, and manage your tokens.",
    ],
    until: (days: number | undefined) =>
      days === undefined
        ? "This lasts until you revoke it."
        : `This lasts ${days === 1 ? "a day" : `${days} days`}, or until you revoke it.`,
    learns:
      "From the sign-in, Dropleaf learns your user name and id, your verified e-mail addresses, and groups that whoever runs it has named.",
  },

  verify: {
    title: "Connect an agent",
    heading: "Is this your agent?",
    lead: "It wants to publish in your name, and should be showing you this code:",
    claim: "It calls itself",
    claimNote: "This name is the agent’s own claim. Nobody has checked it.",
    noName: "It gave no name.",
    allowHeading: "If you continue, it may",
    caution: "Continue only if your agent shows the same code.",
    continue: "The codes match: continue to sign in",
    otherwise: "If they differ, or you asked no agent for this, close this page. Nothing happens.",
  },

  codeEntry: {
    title: "Connect an agent",
    heading: "Which code does your agent show?",
    lead: "A link on another site brought you here. Look at your agent, and type the end of the code that it shows.",
    label: (shown: string) => `The last four letters, after ${shown}`,
    wrong: "That is not how this code ends. If your agent shows another code, close this page.",
    submit: "Continue",
    otherwise: "If you asked no agent for this, close this page. Nothing happens.",
  },

  membershipRefused: {
    title: "Not a member yet",
    heading: "Not a member yet",
    lead: "Your sign-in worked, but publishing here is for members only, and you are not one yet.",
    contactHeading: (contact: string) => `Ask ${contact}`,
    askHeading: (host: string) => `Ask whoever runs ${host}`,
    send: "Send them this. It is all that they need to let you in:",
    nameless:
      "Your identity provider told neither a user name nor a verified e-mail address. Say who you are:",
    request: (baseUrl: string) => `Please let me publish on ${baseUrl}.`,
    username: (name: string) => `User name: ${name}`,
    email: (address: string) => `E-mail, verified: ${address}`,
    subject: (host: string) => `Publishing on ${host}`,
    write: "Write to them",
    goThere: "Go there",
    afterwardsHeading: "Then",
    afterwards: "Once they have let you in, ask your agent for a new code: this one is used up.",
    other: "Is another of your accounts a member? Then sign out of this one at your identity provider first.",
    kept: "No account was made, and nothing of what your provider told is kept.",
  },

  undone: {
    title: "Taken back",
    heading: "Taken back",
    lead: "That agent cannot publish in your name: its sign-in is void, and so is a token that it may have fetched.",
    published:
      "If it has published something already, your public page shows it, and any agent of yours can delete it.",
  },

  confirmation: {
    title: (namespace: string) => `Signed in as ${namespace}`,
    heading: "You’re connected",
    account: "Account",
    address: "Your public page",
    agent: "Agent, by its own claim",
    nextHeading: "What happens next",
    next: "Your agent fetches its token by itself within seconds. There is nothing to copy, and you can close this tab.",
    revokeHeading: "To take it back",
    undo: "Not me: take it back",
    undoNote: `This works for up to ${codeMinutes} minutes. Later, any of your agents can revoke the token: it finds the id in the list, and deletes it.`,
    ownHeading: "You’re signed in",
    tokenName: "Name of the token",
    ownNext: "The token is shown once. Have a place for it ready, as for a password.",
    showToken: "Show my token",
  },

  login: {
    title: "Sign in",
    heading: "Sign in with a code",
    lead: "You publish through an agent. It shows you a code and a link; you sign in once, and it can publish.",
    codeLabel: "The code your agent shows",
    codeNote: `Eight letters, such as BCDF-GHJK. A code lasts ${codeMinutes} minutes.`,
    submit: "Continue",
    noCodeHeading: "No code yet?",
    noCode: "Ask your agent to sign in to Dropleaf at this address. It knows what to do from there:",
    noAgentHeading: "No agent?",
    noAgent: "Scripts and people can publish, too.",
    ownToken: "Get a token of your own",
  },

  tokenRequest: {
    title: "A token of your own",
    heading: "A token of your own",
    lead: "For a script, or to try things out by hand. An agent needs none from you: it fetches its own.",
    label: "A name for it",
    labelValue: "Made by hand",
    labelNote: "By which you will know it when you want to take it back.",
    submit: "Continue",
    otherwise: "Does your agent show a code?",
    haveCode: "Sign in with the code",
  },

  browserSignIn: {
    title: "Sign in for a token",
    heading: "Sign in for your token",
    lead: "You asked for a token of your own in this browser. Sign in, and you will see it here.",
    allowHeading: "Whoever has the token may",
    continue: "Continue to sign in",
    otherwise: "If you asked for none, close this page. Nothing happens.",
  },

  token: {
    title: "Your token",
    heading: "Your token",
    lead: "It is shown only now: Dropleaf keeps no copy. Keep it like a password.",
    copyToken: "Copy token",
    copyCall: "Copy call",
    copied: "Copied",
    publishHeading: "Publish a first page",
    publish: "The response’s url leads to it, and so does your public page:",
    revokeHeading: "To take it back",
    revoke: "This call revokes it. Any other token of yours can make it, too.",
  },

  reader: {
    signInHeading: "Sign in to see this page",
    signInLead:
      "No page at this address is open to everybody. If one was shared with you, sign in with the account that it was shared with.",
    signIn: "Sign in",
    orMissing: "Otherwise it was deleted, or the link has a typo in it.",
    notShared: "This page doesn’t exist, or it isn’t shared with the account that you are signed in with.",
    signedInAs: "Signed in as",
    addresses: (count: number) => (count === 1 ? "E-mail address" : "E-mail addresses"),
    useAnother: "Use another account",
    askOwner: "Check the link for a typo, or ask whoever sent it to share the page with this account.",
    signedInTitle: "Signed in",
    signedInHeading: "You’re signed in to read",
    signedIn: "Pages that are shared with you open in this browser.",
    signOut: "Sign out",
    ownPages: "Your pages",
    signedOutTitle: "Signed out",
    signedOutHeading: "You’re signed out",
    signedOut: "Pages that are shared with you ask you to sign in again.",
    signedOutOnTheWay: "Sign in with the account that the page was shared with.",
    signedOutOfOwn: "Nobody who comes to this browser after you sees or changes what is yours.",
    signInToOwn: "Sign in again",
    signInAgain: "Use another account",
    providerRemembers:
      "If you are not asked which account to take, sign out where you sign in, then come back to the link.",
  },

  error: {
    home: "Go to the start page",
    signIn: "Go to the sign-in page",
    own: "Go to your pages",
    owner: (namespace: string) => `See what ${namespace} has published`,
    status: (status: number) => `Error ${status}`,
    wait: (minutes: number) =>
      `Please wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then try again.`,
    heading: (status: number) =>
      ({
        400: "That did not work",
        403: "Not this way",
        404: "Page not found",
        429: "Too many tries",
        502: "Sign-in is not available",
        503: "One moment, please",
      })[status] ?? "Something went wrong",
    /** For those whom the operator has barred, by what the error's details say. */
    reasons: {
      account_suspended: "This account is suspended",
      identity_banned: "You cannot sign in here",
      not_a_member: "Not a member any more",
    } as Readonly<Record<string, string | undefined>>,
    /** Advice for people, where an error's own message is for programs. */
    advice: {
      not_found:
        "There is nothing at this address. It may have been deleted, or the link may have a typo in it.",
      version_not_found:
        "The page has no such version. Without ?v= at the end, the address leads to the latest one.",
      forbidden: "This address cannot be opened like this. Start again from the page that led you here.",
      internal_error: "The fault is ours. Please try again in a while.",
      unavailable: "Dropleaf is busy. Please try again in a few seconds.",
    } as Readonly<Record<string, string | undefined>>,
  },

  gate: {
    title: "Locked page",
    heading: "This page is locked",
    lead: "Whoever gave you the link can give you its passcode.",
    label: "Passcode",
    submit: "Open",
    wrong: "That was not the passcode. Look at it once more and try again.",
    show: "Show what I type",
    wait: (minutes: number) =>
      `Too many wrong passcodes came, so this one was not looked at. Please wait ${waitOf(minutes)}, until`,
    again: "You can try again now.",
    remembered: `This browser remembers it for ${passcodeDays} days.`,
  },

  reload: {
    title: "Locked page",
    heading: "Please reload the whole page",
    lead: "It is locked, and the frame it is shown in cannot open it by itself. Reload it in your browser: it opens again, or asks for its passcode.",
  },

  owner: {
    title: (namespace: string) => `${namespace} on Dropleaf`,
    description: (namespace: string) => `Pages and files that ${namespace} has published.`,
    drops: "Pages",
    files: "Files",
    dropCount: (formatted: string, count: number) => `${formatted} ${count === 1 ? "page" : "pages"}`,
    fileCount: (formatted: string, count: number) => `${formatted} ${count === 1 ? "file" : "files"}`,
    emptyHeading: "Nothing here yet",
    empty: "Pages and files appear here as soon as an agent publishes them.",
    locked: "Locked page",
    lockedNote: "opens with a passcode",
    search: "Search",
    searchPart: "Search this part",
    sort: "Sort",
    newest: "Newest first",
    oldest: "Oldest first",
    byName: "By name",
    noMatch: "Nothing here matches.",
    pages: "Parts of the list",
    newer: "Newer",
    older: "Older",
    pageOf: (number: number, count: number) => `${number} of ${count}`,
    footer: "Published with",
    feed: "Feed",
    report: "Report this page",
  },

  reference: {
    title: "Reference",
    description: "Every operation of Dropleaf: what to send, what comes back, and what each error means.",
    guide: "Guide for agents",
    openApi: "OpenAPI",
    otherForms: "Other forms",
    contents: "Contents",
    filter: "Find a call",
    noneFound: "No call has these words.",
    withToken: "With an API token.",
    withoutToken: "Without a token.",
    parameters: "Parameters",
    places: { path: "in the path", query: "in the query", header: "a header" },
    body: "Body",
    responses: "Responses",
    schemas: "Schemas",
    errors: "Errors",
    required: "required",
    fieldsOf: (name: string) => `Fields of ${name}`,
    listOf: "list of",
    or: " or ",
    from: (least: number) => `from ${least}`,
    upTo: (most: number) => `up to ${most}`,
    ifAbsent: (value: string) => `${value} where absent`,
  },

  home: {
    title: "Dropleaf",
    description: "Publish one self-contained HTML page and get a permanent address with a version history.",
    heading: "A page from your agent, at an address that stays.",
    lead: "Your agent makes a page. Dropleaf gives it a link that never changes, keeps every version, and can lock it with a passcode.",
    askLead: "Tell your agent:",
    ask: "Publish this page with Dropleaf, at",
    signIn: "I have a code",
    ownToken: "Get a token without an agent",
    humanHeading: "For you",
    human: [
      {
        heading: "Sign in once",
        body: "Your agent shows a code and a link. Compare the code, sign in, and you are done.",
      },
      {
        heading: "Share the link",
        body: "The page can be changed as often as you like. The address stays, and older versions are one click away.",
      },
      {
        heading: "Keep it between you",
        body: "A passcode keeps passers-by out. It is a gate, not encryption: leave secrets elsewhere.",
      },
    ],
    agentHeading: "For your agent",
    agentLead: "Three calls, from nothing to a published page.",
    steps: [
      {
        heading: "Ask for a code",
        body: "Show your human the code and the verification_url of the response. Keep the poll_token.",
      },
      {
        heading: "Wait for the token",
        body: `Ask every ${limits.pollIntervalSeconds} seconds until the status is verified. That answer holds the api_token, once.`,
      },
      {
        heading: "Publish",
        body: "The response’s url is permanent. PUT to /api/drops/{slug} makes the next version.",
      },
    ],
    agentLabel: "my agent",
    exampleTitle: "Hello",
    authoring:
      "Pages that travel well keep CSS in <style>, scripts in <script>, fetch nothing, and fit a screen 360 px wide.",
    reference: "The whole interface",
    openApi: "The same as OpenAPI",
  },
} as const;
