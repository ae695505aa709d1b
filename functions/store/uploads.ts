import type { Act } from "../domain/audit.ts";
import { type Upload, uploadExpiresAtMs } from "../domain/upload.ts";
import { auditWrite } from "./audit-trail.ts";
import { type KeptAnswer, keepingWrite, requireNotKept } from "./kept-answers.ts";
import { keys } from "./keys.ts";
import { getItem } from "./table.ts";
import { transact } from "./transaction.ts";

/** Uploads in steps, by owner and id. */
export const uploads = {
  /**
   * Remembers what was declared, until it expires. False where the id is taken.
   *
   * @throws AnswerKeptError
   */
  async insert(upload: Upload, act: Act, kept?: KeptAnswer): Promise<boolean> {
    const { ownerId, id, ...attributes } = upload;
    const ttl = Math.ceil(uploadExpiresAtMs(upload) / 1000);
    const outcome = await transact([
      {
        put: { ...keys.upload(ownerId, id), ...attributes, ttl },
        condition: "attribute_not_exists(pk)",
      },
      ...(kept ? [keepingWrite(kept)] : []),
      auditWrite(act, { ownerId, blobId: id }),
    ]);
    if (!outcome.committed) requireNotKept(outcome.failed, 1);
    return outcome.committed;
  },

  /** The upload, or undefined where there is none, or none any more. */
  async find(ownerId: string, id: string, nowMs: number): Promise<Upload | undefined> {
    const item = await getItem(keys.upload(ownerId, id));
    if (item === undefined) return undefined;
    const upload: Upload = {
      id,
      ownerId,
      namespace: item.namespace as string,
      filename: item.filename as string,
      contentType: item.contentType as string,
      sizeBytes: item.sizeBytes as number,
      createdAtMs: item.createdAtMs as number,
    };
    return uploadExpiresAtMs(upload) > nowMs ? upload : undefined;
  },
};
