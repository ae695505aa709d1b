import { oauthLimits } from "./limits.ts";

const minutes = oauthLimits.authorizationRequestSeconds / 60;

/** Texts of the consent page, and of the pages that replace it. */
export const oauthText = {
  consent: {
    title: "Connect a program",
    heading: "Connect a program?",
    nameless: "A program without a name",
    claim: "It calls itself",
    from: (host: string) =>
      `The name comes from ${host}. Continue only if you have just started this yourself.`,
    claimNote: "The name is not verified. Continue only if you have just started this yourself.",
    goesTo: "Then you return to",
    machine: "A program on this computer",
    machineNote: "Only programs on this computer can receive the connection.",
    as: "You are signed in as",
    other: "Use another account",
    allowHeading: "It will be able to",
    allowed: [
      "publish pages and files under your name,",
      "read, change, lock and delete them,",
      "read pages that others share with you.",
    ],
    allow: "Allow",
    deny: "Don’t allow",
    until: (days: number) =>
      `Access lasts up to ${days === 1 ? "a day" : `${days} days`}, or until you revoke it on your tokens page. The program never sees your password.`,
  },

  problems: {
    noClient:
      "The program that sent you here did not identify itself: client_id is missing or repeated. Programs register with POST /oauth/register.",
    unknownClient:
      "The program that sent you here is not registered, or its registration expired. Remove the connection in the program and add it again. Programs register with POST /oauth/register; scripts sign in with POST /api/auth/start.",
    noRedirect:
      "The program that sent you here did not say where to return: redirect_uri is missing or repeated.",
    otherRedirect:
      "The program that sent you here asked to return to an address that it has not registered. Nothing was sent there.",
    refused: (host: string, why: string) =>
      `The program at ${host} sent you here with a request that is not valid. ${why} Nothing was sent to ${host}.`,
    over: `This request has ended. A request is valid for ${minutes} minutes and one decision. Start again in the program that sent you here.`,
    undecided: "Part of the form was missing. Start again in the program that sent you here.",
  },
} as const;
