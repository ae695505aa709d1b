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
  },

  verify: {
    lead: {
      read: "It wants to read your pages. It should show you this code:",
      publish: "It wants to publish under your name. It should show you this code:",
      all: "It wants to publish under your name. It should show you this code:",
    } satisfies Readonly<Record<TokenScope, string>>,
    continue: "The codes match: continue to sign in",
    otherwise:
      "If the codes differ, or you did not ask an agent to connect, close this page. Nothing will happen.",
  },

  confirmation: {
    undoNote: `This works for up to ${codeMinutes} minutes. Later, revoke the token on your tokens page, or ask one of your agents to revoke it.`,
  },

  login: {
    codeNote: `Eight letters, such as BCDF-GHJK. A code lasts ${codeMinutes} minutes.`,
  },

  tokenRequest: {
    scopes: {
      all: "Everything",
      publish: "Publish and change content, but not delete or share",
      read: "Only read",
    } satisfies Readonly<Record<TokenScope, string>>,
  },

  browserSignIn: {
    continue: "Continue to sign in",
    otherwise: "If you did not ask for a token, close this page. Nothing will happen.",
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
    wait: (hours: number) =>
      `You can ask for access three times a day. Try again in ${hours === 1 ? "an hour" : `${hours} hours`}.`,
  },

  staleForm:
    "You have signed in again or switched accounts since this form was shown. Check it and send it again.",
} as const;
