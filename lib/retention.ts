/**
 * Number of days in which the table can be restored to any second, and a deleted page is kept: a restored table must find its pages.
 * DynamoDB allows 1 to 35.
 */
export const recoveryDays = 35;

/** Number of days in which a deleted file can be restored. */
export const fileVersionDays = 7;

/** Staged uploads are copied when they are complete, so they are never the only copy. */
export const stagedVersionDays = 1;
