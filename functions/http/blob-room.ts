import { ApiError } from "../contract/api-error.ts";
import { accounts } from "../store/accounts.ts";
import { blobQuotaExceeded, hasBlobRoom } from "../store/blobs.ts";

/**
 * Refuses a file early that the account has no room for now. Only the transaction that counts the file decides.
 *
 * @throws ApiError `quota_exceeded`; `unauthorized` where the account is gone
 */
export async function requireBlobRoom(userId: string, sizeBytes: number): Promise<void> {
  const account = await accounts.find(userId);
  if (account === undefined) throw new ApiError("unauthorized");
  if (!hasBlobRoom(account, sizeBytes)) throw blobQuotaExceeded(account, sizeBytes);
}
