import { limits } from "../core/limits.ts";
import {
  type DescribedParameters,
  exampleSlug,
  exampleUserId,
  type OperationExamples,
} from "../http/openapi.ts";
import type { DocumentSite } from "../http/written-site.ts";
import type { SignInPollResponse, SignInStartResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  AuthPoll: "How a sign-in stands.",
  "AuthPoll.status":
    "`pending`: ask again after poll_interval seconds. `verified`: api_token is here, this once. `expired`, `claimed`, `not_found`: this sign-in is over; start another, unless the human was told that they may not publish here.",
  "AuthPoll.api_token": "The API token in plaintext, in the first verified answer only.",
  "AuthPoll.user_id": "The account's identifier, in verified responses.",
  AuthStart: "What a sign-in starts with: a code for the human, a token for the agent to ask with.",
  "AuthStart.code": "What the human compares with the verification page.",
  "AuthStart.verification_url": "The page that the human opens to sign in.",
  "AuthStart.poll_token": "What the agent asks with. It is a secret: show it to nobody.",
  "AuthStart.expires_in": "Seconds that the code lives.",
  "AuthStart.poll_interval": "Seconds to wait between two polls.",
  StartSignIn: "What the agent calls itself.",
  "StartSignIn.label": `At most ${limits.labelCodePointsMax} characters. The human sees it as the agent's own claim.`,
};

/** Query parameters, by name, or by operation and name where two operations differ. */
export const queryParameters: DescribedParameters = {
  account: {
    description: "`other` asks for another account than the one that the identity provider remembers.",
    example: "any",
  },
  code: {
    description: "The device code, `XXXX-XXXX`; for the callback, the identity provider's code.",
    example: "BCDF-GHJK",
  },
  error: {
    description:
      "What the identity provider says in place of `code` when it refuses: RFC 6749, section 4.1.2.1.",
    example: "access_denied",
  },
  iss: { description: "The identity provider's issuer: RFC 9207.", example: "https://id.example.com" },
  proof: {
    description: "From the link of the verification page.",
    example: "q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1C",
  },
  state: {
    description: "The device code, or a reader's sign-in, as the identity provider gives it back.",
    example: "BCDF-GHJK",
  },
  to: { description: "The path and query of this host to lead back to.", example: `/p/${exampleSlug}?v=2` },
  token: {
    description: "The poll_token of the sign-in.",
    example: "p0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0L",
  },
  typed: {
    description: "What the person has typed of the code, where the page asked for it.",
    example: "GHJK",
  },
};

const codeMinutes = limits.deviceCodeSeconds / 60;

/** Notes on the operations, beyond their summaries. */
export const notes: Readonly<Record<string, string>> = {
  "start-sign-in": `Show the human \`verification_url\` and \`code\`, then poll. The code lives ${codeMinutes} minutes.`,
  "poll-sign-in":
    "Ask every `poll_interval` seconds while the status is `pending`. The first `verified` answer holds `api_token`, which is never shown again: store it before anything else.",
  "show-verify-page": "For the human, in a browser.",
  "authorize-sign-in": "Reached by the link of the verification page.",
  "complete-sign-in": "Reached by the identity provider's redirect.",
  "start-browser-sign-in":
    "The form of the page at `GET /login/token`; it takes requests of the service's own pages only.",
  "reveal-token": "The form of the page that signing in by hand ends at.",
  "undo-sign-in": "The form of the page that confirms a sign-in, good while the code's cookie is.",
  "admit-reader":
    'The link "Sign in" of a page that is not open to everybody, or does not exist. With a session it leads on at once.',
  "sign-out-reader": "The form of the pages that show as whom somebody has signed in to read.",
};

/** An invented API token in the right shape. */
const exampleToken = "hb_0123456789ABCDEFGHIJabcdefghij012345";

/** Example calls and responses. */
export const examples = ({ baseUrl }: DocumentSite) =>
  ({
    "start-sign-in": {
      body: { label: "my agent" },
      response: {
        code: "BCDF-GHJK",
        verification_url: `${baseUrl}/verify?code=BCDF-GHJK`,
        poll_token: "p0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0L",
        expires_in: limits.deviceCodeSeconds,
        poll_interval: limits.pollIntervalSeconds,
      } satisfies SignInStartResponse,
    },
    "poll-sign-in": {
      response: {
        status: "verified",
        api_token: exampleToken,
        user_id: exampleUserId,
      } satisfies SignInPollResponse,
    },
    "start-browser-sign-in": { body: { label: "Made by hand" } },
    "reveal-token": { body: {} },
    "undo-sign-in": { body: {} },
    "sign-out-reader": { body: {} },
  }) satisfies OperationExamples;
