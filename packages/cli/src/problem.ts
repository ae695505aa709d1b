/** Exit codes of the program. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, signInNeeded: 3 } as const;

/** Error codes by exit code, for errors without a code from the service. */
const codes: Readonly<Record<number, string>> = {
  [exitCodes.failed]: "failed",
  [exitCodes.usage]: "usage",
  [exitCodes.signInNeeded]: "sign_in_needed",
};

/** An error as JSON output, for programs. */
export interface DescribedProblem {
  readonly code: string;
  readonly message: string;
  /** HTTP status of the service's response. @default - the error is not a response of the service */
  readonly status?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Error whose message is shown to the user at the terminal. The program exits with the error's exit code. */
export class Problem extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Returns the error as JSON output. */
  describe(): DescribedProblem {
    return { code: codes[this.exitCode] ?? "failed", message: this.message };
  }
}
