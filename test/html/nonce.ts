/** Nonce of the pages that tests render. */
export const nonce = "cGFnZS1ub25jZQ==";
