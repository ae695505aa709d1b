/**
 * Retention in days of the table's history and of deleted pages. The table can be restored to any second in this period, and a restored
 * table must find its pages. DynamoDB allows 1 to 35 days.
 */
export const recoveryDays = 35;

/** Number of days during which a deleted file can be restored. */
export const fileVersionDays = 7;

/** Retention of old versions of staged uploads, in days. The retention is short, because a complete upload is copied elsewhere. */
export const stagedVersionDays = 1;
