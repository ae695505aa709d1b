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
    contextNote: "The agent’s notes on this version.",
    contextLoading: "Loading the context…",
    contextFailed: "The context could not be loaded.",
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
    keysOutside: "They work while focus is outside the page.",
    keysOn: "Keys are on",
    manage: "Yours? See its views and edit it",
    print: "Print",
    open: "Open",
    byItself: "Open the page on its own to do this",
    needsStorage: "This page needs storage, which the viewer does not give. Open it on its own",
    needsStorageNowhere: "This page needs storage, which it does not have here. Parts of it may not work",
    /** The site follows. */
    hasUser: "Not opened: user name in a link to ",
    close: "Close",
    /** `#` is the number of the version. */
    newer: "Version # is here.",
    takenBack: (number: number) => `Version ${number} was taken back.`,
    locked: "This page is locked now.",
    gone: "This page was deleted, or is no longer shared with you.",
    goneOrSignedOut: "This page was deleted, is no longer shared with you, or you are signed out.",
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
    lead: "It asks to publish in your name. It should show you this code:",
    claim: "It calls itself",
    claimNote: "The agent chose this name. It is not verified.",
    noName: "It gave no name.",
    allowHeading: "If you continue, it may",
    caution: "Continue only if your agent shows the same code.",
    continue: "The codes match: continue to sign in",
    otherwise:
      "If the codes differ, or you did not ask an agent to connect, close this page. Nothing will happen.",
  },

  codeEntry: {
    title: "Connect an agent",
    heading: "Which code does your agent show?",
    lead: "You came from a link on another site. Type the end of the code that your agent shows.",
    label: (shown: string) => `The last four letters, after ${shown}`,
    wrong: "This code ends differently. If your agent shows another code, close this page.",
    submit: "Continue",
    otherwise: "If you did not ask an agent to connect, close this page. Nothing will happen.",
  },

  membershipRefused: {
    title: "Not a member yet",
    heading: "Not a member yet",
    lead: "You have signed in, but only members can publish, and you are not a member yet.",
    contactHeading: (contact: string) => `Ask ${contact}`,
    askHeading: (host: string) => `Ask whoever runs ${host}`,
    send: "Send them this message. They need nothing else to add you:",
    nameless:
      "Your identity provider sent neither a user name nor a verified e-mail address. Say who you are:",
    request: (baseUrl: string) => `Please let me publish on ${baseUrl}.`,
    username: (name: string) => `User name: ${name}`,
    email: (address: string) => `E-mail, verified: ${address}`,
    subject: (host: string) => `Publishing on ${host}`,
    write: "Write to them",
    goThere: "Go there",
    afterwardsHeading: "Then",
    afterwards: "Once they have added you, ask your agent for a new code. This one has been used.",
    other: "If another of your accounts is a member, sign out of this one at your identity provider first.",
    kept: "No account was created, and nothing that your provider sent is stored.",
  },

  undone: {
    title: "Taken back",
    heading: "Taken back",
    lead: "The agent cannot publish in your name. Its sign-in and any token from it no longer work.",
    published:
      "If it has already published something, your public page lists it, and any of your agents can delete it.",
  },

  confirmation: {
    title: (namespace: string) => `Signed in as ${namespace}`,
    heading: "You’re connected",
    account: "Account",
    address: "Your public page",
    agent: "Agent, by its own claim",
    nextHeading: "What happens next",
    next: "Your agent gets its token within seconds. You can close this tab.",
    revokeHeading: "To take it back",
    undo: "Not me: take it back",
    undoNote: `This works for up to ${codeMinutes} minutes. Later, revoke the token among your tokens, or ask any of your agents to.`,
    ownHeading: "You’re signed in",
    tokenName: "Name of the token",
    ownNext: "The token is shown once. Be ready to store it like a password.",
    showToken: "Show my token",
  },

  login: {
    title: "Sign in",
    heading: "Sign in with a code",
    lead: "Your agent shows you a code. Enter it and sign in once, and the agent can publish.",
    codeLabel: "The code your agent shows",
    codeNote: `Eight letters, such as BCDF-GHJK. A code lasts ${codeMinutes} minutes.`,
    submit: "Continue",
    noCodeHeading: "No code yet?",
    noCode: "Ask your agent to sign in to Dropleaf at this address. It finds its instructions there:",
    noAgentHeading: "No agent?",
    noAgent: "Scripts and people can publish, too.",
    ownToken: "Get a token of your own",
  },

  tokenRequest: {
    title: "A token of your own",
    heading: "A token of your own",
    lead: "For a script, or to try the API by hand. Agents get tokens of their own.",
    label: "A name for it",
    labelValue: "Made by hand",
    labelNote: "To recognize it when you revoke it.",
    submit: "Continue",
    otherwise: "Does your agent show a code?",
    haveCode: "Sign in with the code",
  },

  browserSignIn: {
    title: "Sign in for a token",
    heading: "Sign in for your token",
    lead: "You asked for a token of your own in this browser. Sign in, and you will see it here.",
    allowHeading: "With the token, a program can",
    continue: "Continue to sign in",
    otherwise: "If you did not ask for a token, close this page. Nothing will happen.",
  },

  token: {
    title: "Your token",
    heading: "Your token",
    lead: "It is shown only once, and Dropleaf keeps no copy. Store it like a password.",
    copyToken: "Copy token",
    copyCall: "Copy call",
    copied: "Copied",
    publishHeading: "Publish a first page",
    publish: "The response contains the page’s url. Your public page lists it too:",
    revokeHeading: "To take it back",
    revoke: "This call revokes it. You can make it with any of your tokens.",
  },

  reader: {
    signInHeading: "Sign in to see this page",
    signInLead:
      "There is no public page at this address. If a page was shared with you, sign in with the account that it was shared with.",
    signIn: "Sign in",
    orMissing: "Otherwise the page was deleted, or the link has a typo.",
    notShared: "This page doesn’t exist, or it isn’t shared with the account that you are signed in with.",
    signedInAs: "Signed in as",
    addresses: (count: number) => (count === 1 ? "E-mail address" : "E-mail addresses"),
    useAnother: "Use another account",
    askOwner: "Check the link for a typo, or ask whoever sent it to share the page with this account.",
    signedInTitle: "Signed in",
    signedInHeading: "You’re signed in to read",
    signedIn: "You can open pages that are shared with you in this browser.",
    signOut: "Sign out",
    ownPages: "Your pages",
    signedOutTitle: "Signed out",
    signedOutHeading: "You’re signed out",
    signedOut: "To read pages that are shared with you, sign in again.",
    signedOutOnTheWay: "Sign in with the account that the page was shared with.",
    signedOutOfOwn: "Other people who use this browser cannot see or change your pages.",
    signInToOwn: "Sign in again",
    signInAgain: "Use another account",
    providerRemembers:
      "If you cannot choose an account, sign out at your identity provider and open the link again.",
  },

  error: {
    home: "Go to the start page",
    signIn: "Go to the sign-in page",
    own: "Go to your pages",
    owner: (namespace: string) => `See the pages of ${namespace}`,
    status: (status: number) => `Error ${status}`,
    wait: (minutes: number) =>
      `Please wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then try again.`,
    heading: (status: number) =>
      ({
        400: "Something is wrong with this request",
        403: "This is not allowed",
        404: "Page not found",
        429: "Too many attempts",
        502: "Sign-in is not available",
        503: "One moment, please",
      })[status] ?? "Something went wrong",
    /** For those whom the operator has barred, by what the error's details say. */
    reasons: {
      account_suspended: "This account is suspended",
      identity_banned: "You cannot sign in here",
      not_a_member: "No longer a member",
    } as Readonly<Record<string, string | undefined>>,
    /** Advice for people, where an error's own message is for programs. */
    advice: {
      not_found: "This page doesn’t exist or was deleted. Check the link for a typo.",
      version_not_found:
        "The page does not have this version. Remove ?v= from the address to see the latest one.",
      forbidden: "You cannot open this address directly. Start again from the previous page.",
      internal_error: "Something failed on our side. Try again in a while.",
      unavailable: "Dropleaf is busy. Try again in a few seconds.",
    } as Readonly<Record<string, string | undefined>>,
  },

  gate: {
    title: "Locked page",
    heading: "This page is locked",
    lead: "Ask the person who sent you the link for the passcode.",
    label: "Passcode",
    submit: "Open",
    wrong: "Wrong passcode. Check it and try again.",
    show: "Show what I type",
    wait: (minutes: number) =>
      `Too many attempts. This passcode was not checked. Wait ${waitOf(minutes)}, until`,
    again: "You can try again now.",
    remembered: `This browser remembers it for ${passcodeDays} days.`,
  },

  reload: {
    title: "Locked page",
    heading: "Please reload the whole page",
    lead: "The page is locked and cannot be opened inside this frame. Reload it in your browser to enter the passcode.",
  },

  owner: {
    title: (namespace: string) => `${namespace} on Dropleaf`,
    description: (namespace: string) => `Pages and files that ${namespace} has published.`,
    drops: "Pages",
    files: "Files",
    dropCount: (formatted: string, count: number) => `${formatted} ${count === 1 ? "page" : "pages"}`,
    fileCount: (formatted: string, count: number) => `${formatted} ${count === 1 ? "file" : "files"}`,
    emptyHeading: "Nothing here yet",
    empty: "Pages and files appear here when they are published.",
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
    description: "Every operation of Dropleaf with its request, responses and errors.",
    guide: "Guide for agents",
    openApi: "OpenAPI",
    otherForms: "Other forms",
    contents: "Contents",
    filter: "Find an operation",
    noneFound: "No operation matches.",
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
        body: "Your agent shows a code and a link. Compare the code and sign in.",
      },
      {
        heading: "Share the link",
        body: "The page can be changed as often as you like. The address stays, and older versions are one click away.",
      },
      {
        heading: "Keep it between you",
        body: "A passcode keeps strangers out. It does not encrypt the page, so publish no secrets.",
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
        body: `Poll every ${limits.pollIntervalSeconds} seconds until the status is verified. That response contains the api_token, once.`,
      },
      {
        heading: "Publish",
        body: "The url in the response is permanent. PUT /api/drops/{slug} publishes the next version.",
      },
    ],
    agentLabel: "my agent",
    exampleTitle: "Hello",
    authoring:
      "Keep CSS in <style> and scripts in <script>, load nothing from elsewhere, and fit a screen 360 px wide.",
    reference: "API reference",
    openApi: "OpenAPI document",
  },
} as const;
