import type { ErrorCode } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";

const signInAgain = "Sign in again.";
const mendField = "Mend the field that `error.details.field` names, then send the call again.";
const waitAsTold = "Wait as many seconds as `Retry-After` says, then send the same call again.";

/** What a client does about each error code, in words for agents. */
export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  unauthorized: `Look whether the header reads \`Authorization: Bearer <api_token>\`. If it does, the token was revoked or mistyped. ${signInAgain}`,
  invalid_token: signInAgain,
  token_required: "Give the poll_token as the query parameter `token`.",
  forbidden:
    "Where `error.details.reason` is `account_suspended`, stop and tell the human what `error.message` says: nothing is lost, and signing in again does not help. Otherwise call the service at its base URL; a form must be sent from the service's own page.",
  not_found:
    "There is nothing at this address that is yours. Look the drop up again by its metadata; it may have been deleted.",
  version_not_found: "List the drop's versions and take one of those.",
  invalid_slug: "Use the `slug` from the drop's answer: 7 letters or digits, not the whole URL.",
  invalid_arg: "Read `error.message`: it names the field or parameter, what came and what is allowed.",
  invalid_json:
    "Send one JSON object in UTF-8. Let a JSON library write it: html is full of quotes and line ends.",
  html_too_large: `Make the page smaller than ${limits.htmlBytesMax} bytes: leave out embedded images, or upload them as files.`,
  html_required: "Send `html`: the complete document as a string.",
  title_required: "Send `title`: a short text that is not only spaces.",
  title_too_long: `Shorten \`title\` to ${limits.titleCodePointsMax} characters.`,
  description_too_long: `Shorten \`description\` to ${limits.descriptionCodePointsMax} characters.`,
  context_too_large: `Shorten \`context\` to ${limits.contextCodePointsMax} characters, or leave it out.`,
  passcode_required: "Send `passcode`: a string; the empty one removes the gate.",
  passcode_too_short: `Choose a passcode of at least ${limits.passcodeCodePointsMin} characters.`,
  metadata_only_on_patch: "Send a new html with PUT. PATCH takes title, description and metadata.",
  last_version_cannot_be_deleted: "Publish another version first, or delete the whole drop.",
  version_limit_reached: "Delete versions that nobody needs, then publish again. Waiting does not help.",
  rate_limited: waitAsTold,
  daily_quota_exceeded: `${waitAsTold} It may be hours: tell the human.`,
  quota_exceeded:
    "Ask the human what may go, then delete drops or files. `GET /api/me/usage` shows what is used. Waiting does not help.",
  empty_blob: "Send the file's bytes as the request body.",
  blob_too_large: `A file has at most ${limits.blobBytesMax} bytes. Where \`error.details.bytes_max\` is less, one request takes no more here: upload it in steps with \`POST /api/blobs/uploads\`.`,
  invalid_filename: `Take a filename of at most ${limits.blobFilenameCharactersMax} letters, digits, dashes, dots and spaces.`,
  invalid_id: "Use the `id` from the answer: 7 letters or digits, not the whole URL.",
  expired_code: "Start another sign-in and show the human the new code.",
  idempotency_key_reused:
    "Send the request exactly as it was to get its answer again, or take a new `Idempotency-Key` for another one.",
  several_match:
    "`error.details.slugs` names the drops: PUT to the right one by its slug, or tell them apart by more metadata.",
  precondition_failed:
    "Somebody else has changed the drop. GET it, see whether your change still makes sense, and send it with the new `ETag`.",
  internal_error:
    "Try once more. If it fails again, stop and tell the human the `x-request-id` of the answer.",
  unavailable: `${waitAsTold} Give up after some tries.`,
  idp_unavailable: "The identity provider is out of order. Ask the human to try again in a while.",
};

/** What holds where a code is not known to the client. */
export const unknownCodeAdvice = `A code that you do not know: go by the status. 4xx: ${mendField} 5xx: wait a few seconds and try again, a few times at most.`;
