import { limits } from "../core/limits.ts";
import type { TokenScope } from "../table/identifiers.ts";

const codeMinutes = limits.deviceCodeSeconds / 60;

/** Texts of the pages of sign-in. */
export const identityText = {
  permissions: {
    allowed: {
      read: ["read your pages, comments and answers,", "read pages that others share with you."],
      publish: [
        "publish pages and files under your name,",
        "change their content, title and tags,",
        "reply to comments,",
        "read your pages, and those that others share with you.",
      ],
      all: [
        "publish pages and files under your name,",
        "change, lock and delete them,",
        "see your usage, and manage your tokens.",
      ],
    } satisfies Readonly<Record<TokenScope, readonly string[]>>,
    refused: {
      read: "It can’t publish, change or delete anything.",
      publish: "It can’t delete anything, or change who can read a page that is already published.",
    },
    until: (days: number | undefined) =>
      days === undefined
        ? "This lasts until you revoke it."
        : `This lasts ${days === 1 ? "a day" : `${days} days`}, or until you revoke it.`,
    learns:
      "When you sign in, Dropleaf receives your user name and ID, your verified e-mail addresses and, if the operator uses them, your groups.",
  },

  verify: {
    title: "Connect an agent",
    heading: "Is this your agent?",
    lead: {
      read: "It wants to read your pages. It should show you this code:",
      publish: "It wants to publish under your name. It should show you this code:",
      all: "It wants to publish under your name. It should show you this code:",
    } satisfies Readonly<Record<TokenScope, string>>,
    claim: "It calls itself",
    claimNote: "The agent chose this name. It is not verified.",
    noName: "It gave no name.",
    allowHeading: "If you continue, it can",
    caution: "Continue only if your agent shows the same code.",
    continue: "The codes match: continue to sign in",
    otherwise:
      "If the codes differ, or you did not ask an agent to connect, close this page. Nothing will happen.",
  },

  codeEntry: {
    title: "Connect an agent",
    heading: "Which code does your agent show?",
    lead: "You followed a link on another site. Type the end of the code that your agent shows.",
    label: (shown: string) => `The last four letters, after ${shown}`,
    wrong: "These letters don’t match. If your agent shows a different code, close this page.",
    submit: "Continue",
    otherwise: "If you did not ask an agent to connect, close this page. Nothing will happen.",
  },

  notAMember: {
    title: "Not a member yet",
    heading: "Not a member yet",
    lead: "You have signed in, but only members can publish, and you are not a member yet.",
    contactHeading: (contact: string) => `Ask ${contact}`,
    askHeading: (host: string) => `Ask the operator of ${host}`,
    send: "Send them this message. It has everything they need to add you:",
    nameless:
      "Your identity provider sent neither a user name nor a verified e-mail address. Say who you are:",
    request: (baseUrl: string) => `Please let me publish on ${baseUrl}.`,
    username: (name: string) => `User name: ${name}`,
    email: (address: string) => `Verified e-mail address: ${address}`,
    subject: (host: string) => `Publishing on ${host}`,
    write: "Write to them",
    goThere: "Open their page",
    afterwardsHeading: "What happens next",
    afterwards: "Once they have added you, ask your agent for a new code. This one has been used.",
    other: "If another of your accounts is a member, sign out of this one at your identity provider first.",
    kept: "No account was created, and nothing that your provider sent was stored.",
  },

  undone: {
    title: "Access revoked",
    heading: "Access revoked",
    lead: "The agent can’t publish under your name. Its sign-in and any token from it no longer work.",
    published:
      "If it has already published something, your public page lists it, and any of your agents can delete it.",
  },

  accountChoice: {
    title: "Choose an account",
    heading: "Who publishes?",
    lead: "You belong to a team. The token works for one account only: yours or the team’s.",
    submit: "Continue",
    unchosen: "Choose your own account or one of your teams. You may have left the team in the meantime.",
  },

  confirmation: {
    title: (namespace: string) => `Signed in as ${namespace}`,
    heading: "You’re connected",
    account: "Account",
    address: "Your public page",
    agent: "Agent (name not verified)",
    nextHeading: "What happens next",
    next: "Your agent gets its token within seconds. You can close this tab.",
    revokeHeading: "To revoke access",
    undo: "This wasn’t me: revoke access",
    undoNote: `This works for up to ${codeMinutes} minutes. Later, revoke the token on your tokens page, or ask one of your agents to revoke it.`,
    ownHeading: "You’re signed in",
    tokenName: "Token name",
    ownNext: "The token is shown only once. Store it like a password.",
    showToken: "Show my token",
  },

  login: {
    title: "Sign in",
    heading: "Sign in",
    lead: "Read pages that are shared with you, and manage your own.",
    signIn: "Sign in",
    codeHeading: "Does your agent show a code?",
    codeLead: "Enter it and sign in once, and the agent can publish.",
    codeLabel: "The code your agent shows",
    codeNote: `Eight letters, such as BCDF-GHJK. A code lasts ${codeMinutes} minutes.`,
    submit: "Continue",
    noCodeHeading: "Connect an agent",
    noCode: "Ask your agent to sign in to Dropleaf at this address. It finds its instructions there:",
    noAgentHeading: "No agent?",
    noAgent: "You can also publish by hand or from a script.",
    ownToken: "Get your own token",
  },

  tokenRequest: {
    title: "Your own token",
    heading: "Your own token",
    lead: "Use it in a script, or to try the API by hand. Agents get their own tokens.",
    label: "Token name",
    labelValue: "Created by hand",
    labelNote: "Helps you recognize the token later.",
    scope: "What it can do",
    scopes: {
      all: "Everything",
      publish: "Publish and change content, but not delete or share",
      read: "Only read",
    } satisfies Readonly<Record<TokenScope, string>>,
    submit: "Continue",
    otherwise: "Does your agent show a code?",
    haveCode: "Sign in with a code",
  },

  browserSignIn: {
    title: "Sign in to get a token",
    heading: "Sign in to get your token",
    lead: "You asked for a token in this browser. Sign in to see it here.",
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
    publishHeading: "Publish your first page",
    publish: "The response contains the page’s URL. Your public page lists it too:",
    revokeHeading: "To revoke it",
    revoke: "Make this call with any of your tokens.",
  },

  membershipRefused: {
    title: "For members only",
    heading: "For members only",
    lead: "You are signed in and can read pages that are shared with you. Only members can publish, and you are not a member at the moment.",
    kept: "Your published pages stay as they are.",
    ask: (whom: string) => `Ask ${whom}.`,
    askHost: "Ask the operator of this service.",
  },

  barred: {
    message: "This account can’t see or change anything here at the moment. Nothing was deleted.",
    standing: "See who you are signed in as",
  },

  /** Asking a page's owner for access. */
  access: {
    label: "Message to the page’s owner (optional)",
    note: "If the page exists, its owner sees your name, your e-mail address and this message for 30 days.",
    ask: "Ask for access",
    sentTitle: "Request sent",
    sentHeading: "Sent",
    sent: "Sent. If the page exists, its owner sees your request.",
    tooLong: (most: number) => `This message has more than ${most} characters. Shorten it.`,
    nameless:
      "Pages can’t be shared with this account: it has no verified e-mail address. Sign in with another account.",
    wait: (hours: number) =>
      `You can ask for access three times a day. Try again in ${hours === 1 ? "an hour" : `${hours} hours`}.`,
  },

  staleForm:
    "You have signed in again or switched accounts since this form was shown. Check it and send it again.",
} as const;
