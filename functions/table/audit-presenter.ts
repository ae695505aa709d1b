import type { AuditLine } from "./audit.ts";

/** Presents an audit entry with ids, numbers and scopes only, without names, addresses or texts. */
export function presentAuditLine({ act: { action, actor, atMs, requestId }, subject, id }: AuditLine) {
  return {
    id,
    at: new Date(atMs).toISOString(),
    action,
    by: actor.kind,
    token_id: "tokenId" in actor ? actor.tokenId : undefined,
    person_id: "personId" in actor ? actor.personId : undefined,
    account_id: subject.ownerId,
    slug: subject.slug,
    version: subject.version,
    thread: subject.thread,
    comment: subject.comment,
    answer: subject.answer,
    access_request: subject.access,
    blob_id: subject.blobId,
    about_token_id: subject.tokenId,
    scope: subject.scope,
    new_account_id: subject.newOwnerId,
    scim_id: subject.provisionedId,
    tokens: subject.ended?.tokens,
    sessions: subject.ended?.sessions,
    grants: subject.ended?.grants,
    request_id: requestId,
  };
}

/** Labels of the fields that describe an entry's subject, in display order. */
const labels = {
  slug: "drop",
  version: "version",
  thread: "thread",
  comment: "comment",
  answer: "answer",
  access_request: "request",
  blob_id: "file",
  about_token_id: "token",
  scope: "scope",
  new_account_id: "to",
  scim_id: "SCIM",
  tokens: "ended tokens",
  sessions: "ended sessions",
  grants: "ended grants",
} as const;

/** Describes the subject of an audit entry in words, such as `drop Ab3dE6g`, without its account. */
export function describeSubject(line: AuditLine): string[] {
  const shown = presentAuditLine(line);
  return (Object.keys(labels) as (keyof typeof labels)[]).flatMap((field) =>
    shown[field] === undefined ? [] : [`${labels[field]} ${shown[field]}`],
  );
}
