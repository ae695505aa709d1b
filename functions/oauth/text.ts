import { oauthLimits } from "./limits.ts";

const minutes = oauthLimits.authorizationRequestSeconds / 60;

/** Texts of the consent page, and of the pages that replace it. */
export const oauthText = {
  consent: {
    allowed: [
      "publish pages and files under your name,",
      "read, change, lock and delete them,",
      "read pages that others share with you.",
    ],
    until: (days: number) =>
      `Access lasts up to ${days === 1 ? "a day" : `${days} days`}, or until you revoke it on your tokens page. The program never sees your password.`,
  },

  problems: {
    refused: (host: string, why: string) =>
      `The program at ${host} sent you here with a request that is not valid. ${why} Nothing was sent to ${host}.`,
    over: `This request has ended. A request is valid for ${minutes} minutes and one decision. Start again in the program that sent you here.`,
  },
} as const;
