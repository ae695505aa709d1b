import type { AuditLine } from "./audit.ts";

/** Serializes a line of the audit trail with ids, numbers and scopes only: no name, address or text. */
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
