import { oauthLimits } from "./limits.ts";

const minutes = oauthLimits.authorizationRequestSeconds / 60;

/** The words of the page on which somebody lets an MCP client in, and of what comes in its place. */
export const oauthText = {
  consent: {
    title: "Connect a client",
    heading: "Connect a client?",
    nameless: "A client without a name",
    claim: "It calls itself",
    from: (host: string) => `It says so at ${host}. Go on only if you have just begun this yourself.`,
    claimNote: "Nobody has checked the name. Go on only if you have just begun this yourself.",
    goesTo: "Then you go to",
    machine: "A program on this computer",
    machineNote: "Only what runs here can answer there.",
    as: "You are signed in as",
    other: "Use another account",
    allowHeading: "It will be able to",
    allowed: [
      "publish pages and files under your name,",
      "read, change, lock and delete them,",
      "read what others here share with you.",
    ],
    allow: "Allow",
    deny: "Don’t allow",
    until: (days: number) =>
      `Until you revoke it among your tokens, and for ${days} days at most. It never sees your password.`,
  },

  problems: {
    noClient:
      "The program that sent you here did not say who it is: client_id is missing, or there several times.",
    unknownClient:
      "The program that sent you here is not registered here, or not any more. Remove the connection in it, and add it again.",
    noRedirect:
      "The program that sent you here did not say where to go back to: redirect_uri is missing, or there several times.",
    otherRedirect:
      "The program that sent you here wants to be answered at an address that it has not registered. Nothing was sent there.",
    over: `This request is over: it waits for ${minutes} minutes, and is answered once. Begin again in the program that sent you here.`,
    undecided: "This form did not come whole. Begin again in the program that sent you here.",
  },
} as const;
