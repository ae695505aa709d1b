/** Exit codes of the program. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, signInNeeded: 3 } as const;

/** Error whose message is for the person at the terminal; the program ends with its exit code. */
export class Problem extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
