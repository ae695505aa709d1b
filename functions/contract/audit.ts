/** How long a line of the audit trail is kept where the operator has not chosen otherwise, in days. */
export const auditDaysDefault = 400;

/** The longest that an operator may choose: ten years. */
export const auditDaysMax = 3_650;

/** What a first sign-in does beside its operation, and has a line of its own for. */
export const accountCreation = "create-account";
