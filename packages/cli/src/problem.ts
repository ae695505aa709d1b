/** Exit codes of the program. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, signInNeeded: 3 } as const;

/** Codes for problems that the service does not define, by exit code. */
const codes: Readonly<Record<number, string>> = {
  [exitCodes.failed]: "failed",
  [exitCodes.usage]: "usage",
  [exitCodes.signInNeeded]: "sign_in_needed",
};

/** A problem for programs. */
export interface DescribedProblem {
  readonly code: string;
  readonly message: string;
  /** Status and details of the service's response. @default - not a refusal by the service */
  readonly status?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Error whose message is for the person at the terminal; the program ends with its exit code. */
export class Problem extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Describes the problem for programs. */
  describe(): DescribedProblem {
    return { code: codes[this.exitCode] ?? "failed", message: this.message };
  }
}
