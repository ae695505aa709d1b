/**
 * For as many days the table can be restored to any second, and a page that was deleted is kept: a restored table must
 * find its pages. DynamoDB allows 1 to 35.
 */
export const recoveryDays = 35;

/** For as many days a file that was deleted can be brought back. */
export const fileVersionDays = 7;

/** Staged uploads are copied when they are complete, so they are never the only copy. */
export const stagedVersionDays = 1;
