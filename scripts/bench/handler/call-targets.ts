/** What one call may take at most, warm or in a fresh process, in milliseconds of the processors. */
export interface CallTargets {
  readonly first?: number;
  readonly second?: number;
  readonly warm?: number;
}

/**
 * By operation and variant. A list has its own, for which it was changed; a third less than they once were, the others of
 * the first group. The second group is held to where it is: a quarter above what was measured first, with other work
 * beside it.
 */
export const callTargets: Readonly<Record<string, CallTargets>> = {
  "list-drops 20 of 500 drops": { warm: 4, second: 15 },
  "list-drops 200 of 500 drops": { warm: 6, second: 15 },
  "get-drop ": { warm: 0.6, first: 4.5 },
  "view-drop ": { warm: 1.3 },
  "read-raw-page ": { warm: 1.1 },
  "read-raw-page 1 MB": { warm: 7.3 },
  "publish-drop ": { warm: 1.7 },
  "publish-drop 1 MB": { warm: 10 },

  "start-sign-in ": { first: 27.2, warm: 3.7 },
  "poll-sign-in pending": { first: 15.9, warm: 2.9 },
  "poll-sign-in verified: gives the token": { first: 31.8, warm: 5.8 },
  "show-verify-page ": { first: 30.7, warm: 2.9 },
  "authorize-sign-in ": { first: 24.7, warm: 1.7 },
  "complete-sign-in new account": { first: 61, warm: 10.3 },
  "complete-sign-in known account": { first: 57.8, warm: 9.1 },
  "show-login-page ": { first: 14.7, warm: 0.52 },
  "start-browser-sign-in ": { first: 28.2, warm: 4.6 },
  "show-token-page ": { first: 15.4, warm: 0.63 },
  "reveal-token ": { first: 36.9, warm: 5.3 },
  "undo-sign-in the token is there": { first: 34.4, warm: 5.7 },
  "get-me ": { first: 15.8, warm: 1.8 },
  "get-usage ": { first: 15.5, warm: 1.8 },
  "list-tokens 2 tokens": { first: 20.5, warm: 2.9 },
  "revoke-token ": { first: 21.8, warm: 2.9 },
  "upload-blob 1 KB": { first: 28.4, warm: 4.6 },
  "delete-blob ": { first: 22, warm: 3.4 },
  "start-upload ": { first: 24.2, warm: 3.1 },
  "complete-upload ": { first: 64, warm: 7.4 },
  "list-drops 3 drops": { first: 19.8, warm: 2.1 },
  "publish-drop first write of a minute": { first: 47.2, warm: 7.3 },
  "publish-drop with context": { first: 38.4, warm: 4.7 },
  "publish-drop with an Idempotency-Key": { first: 39.2, warm: 4.5 },
  "publish-drop with an Idempotency-Key, repeated": { first: 17.7, warm: 2 },
  "upsert-drop a new drop": { first: 40.8, warm: 5.4 },
  "upsert-drop a new version": { first: 44.9, warm: 6.2 },
  "publish-version ": { first: 38.3, warm: 5.1 },
  "publish-version with context and title": { first: 44.3, warm: 5.7 },
  "publish-version 1 MB": { first: 119, warm: 36.3 },
  "edit-drop ": { first: 27.3, warm: 3.6 },
  "delete-drop ": { first: 25.3, warm: 3.9 },
  "set-passcode lock": { first: 175.7, warm: 139.2 },
  "set-passcode unlock": { first: 35.4, warm: 5.8 },
  "list-versions 3 versions": { first: 20.5, warm: 2.6 },
  "get-version ": { first: 19.2, warm: 2.6 },
  "delete-version the latest": { first: 33.8, warm: 5.9 },
  "delete-version an older one": { first: 27.7, warm: 4.6 },
  "view-drop pinned": { first: 59.9, warm: 6.1 },
  "view-drop locked, at the gate": { first: 37.5, warm: 5.1 },
  "read-raw-page pinned": { first: 23, warm: 3.6 },
  "read-raw-page locked, with the cookie": { first: 25.7, warm: 3.9 },
  "read-context ": { first: 22, warm: 3.7 },
  "unlock-drop first try of a quarter of an hour": { first: 215.4, warm: 150.8 },
  "unlock-drop ": { first: 167.4, warm: 138.4 },
  "unlock-drop wrong passcode": { first: 165.3, warm: 137 },
  "show-home-page ": { first: 17.2, warm: 0.77 },
  "show-owner-page 500 drops": { first: 93.9, warm: 12 },
  "read-open-api ": { first: 18, warm: 0.4 },
  "show-reference ": { first: 17.5, warm: 0.59 },
  "read-llms-txt ": { first: 15.4, warm: 0.15 },
  "read-onboarding ": { first: 16.5, warm: 0.24 },
  "list-agent-skills ": { first: 11.2, warm: 0.29 },
  "read-agent-skill ": { first: 14.7, warm: 0.22 },
  "read-api-catalog ": { first: 10.9, warm: 0.14 },
  "read-robots-txt ": { first: 9.3, warm: 0.1 },
  "read-security-txt ": { first: 8.8, warm: 0.15 },
  "call-mcp list of tools": { first: 31.7, warm: 2.2 },
  "answer-not-found ": { first: 9.3, warm: 0.15 },
};

/** Which of them a call takes more than, of what it takes in milliseconds of the processors. */
export function overTargetsOf(
  operation: string,
  variant: string,
  cpuMs: Readonly<Record<keyof CallTargets, number>>,
): (keyof CallTargets)[] {
  const targets = callTargets[`${operation} ${variant}`] ?? {};
  return (["first", "second", "warm"] as const).filter(
    (which) => cpuMs[which] > (targets[which] ?? Number.NaN),
  );
}
