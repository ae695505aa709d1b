import { limits } from "../core/limits.ts";
import {
  type DescribedParameters,
  exampleSlug,
  exampleToken,
  exampleUserId,
  type OperationExamples,
} from "../core/openapi.ts";
import type { DocumentSite } from "../core/written-site.ts";
import type { SignInPollResponse, SignInStartResponse } from "./schemas.ts";

/** Descriptions of schemas and their fields, keyed by schema name and field path. */
export const fields: Readonly<Record<string, string>> = {
  AuthPoll: "The status of a sign-in.",
  "AuthPoll.status":
    "`pending`: poll again after poll_interval seconds. `verified`: this response has api_token, once. `expired`, `claimed`, `not_found`: this sign-in is over. Start another, unless the human was told that they may not publish here.",
  "AuthPoll.api_token": "The API token in plaintext, only in the first `verified` response.",
  "AuthPoll.user_id": "The account's id, only in `verified` responses.",
  AuthStart: "The start of a sign-in: a code for the human, and a token for the agent to poll with.",
  "AuthStart.code": "The code that the human compares with the one on the verification page.",
  "AuthStart.verification_url": "The page that the human opens to sign in.",
  "AuthStart.poll_token": "The secret that the agent polls with. Do not show it to anyone.",
  "AuthStart.expires_in": "Seconds until the code expires.",
  "AuthStart.poll_interval": "Seconds to wait between two polls.",
  StartSignIn: "The agent's name, and the scope of its token.",
  "StartSignIn.scope":
    "`read`: changes nothing. `publish`: also publishes, uploads, edits content and replies, but deletes nothing and changes no access. `all`, the default: everything. The sign-in page explains the scope to the human.",
  "StartSignIn.label": `At most ${limits.labelCodePointsMax} characters. The human sees the label marked as unverified.`,
};

/** Descriptions of query parameters, keyed by name. If operations need different descriptions, the key includes the operation. */
export const queryParameters: DescribedParameters = {
  account: {
    description: "`other` lets the person choose a different account at the identity provider.",
    example: "any",
  },
  code: {
    description: "The device code, `XXXX-XXXX`; for the callback, the identity provider's code.",
    example: "BCDF-GHJK",
  },
  error: {
    description: "The identity provider's error, in place of `code` (RFC 6749, section 4.1.2.1).",
    example: "access_denied",
  },
  iss: { description: "The identity provider's issuer (RFC 9207).", example: "https://id.example.com" },
  proof: {
    description: "Proves that the browser followed the link on the verification page.",
    example: "q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1C",
  },
  state: {
    description: "The device code or the id of a reader's sign-in, returned by the identity provider.",
    example: "BCDF-GHJK",
  },
  to: { description: "The path and query on this host to return to.", example: `/p/${exampleSlug}?v=2` },
  token: {
    description: "The poll_token of the sign-in.",
    example: "p0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0Ll7t0k3nP0L",
  },
  typed: {
    description: "The part of the code that the person typed, if the page asked for it.",
    example: "GHJK",
  },
};

const codeMinutes = limits.deviceCodeSeconds / 60;

/** Descriptions of operations that need more than a summary. */
export const notes: Readonly<Record<string, string>> = {
  "start-sign-in": `Show the human \`verification_url\` and \`code\`, then poll. The code is valid for ${codeMinutes} minutes.`,
  "poll-sign-in":
    "Poll every `poll_interval` seconds while the status is `pending`. The first `verified` response has `api_token`, which is never shown again: store it before anything else.",
  "show-verify-page": "The human opens this page in a browser.",
  "authorize-sign-in": "The link on the verification page leads here.",
  "complete-sign-in": "The identity provider redirects the browser here.",
  "start-browser-sign-in":
    "The form of the page at `GET /login/token`. Only requests from the service's own pages are accepted.",
  "reveal-token": "The form on the last page of the sign-in at `GET /login/token`. It shows the new token.",
  "undo-sign-in":
    "The form on the page that confirms a sign-in. The form works until the code's cookie expires.",
  "admit-reader":
    'The "Sign in" link of a page that is restricted or does not exist. A browser with a session is redirected at once.',
  "sign-out-reader": "The sign-out form on pages that show a reader's identity.",
};

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
    "start-browser-sign-in": { body: { label: "Created by hand" } },
    "reveal-token": { body: {} },
    "undo-sign-in": { body: {} },
    "sign-out-reader": { body: {} },
  }) satisfies OperationExamples;
