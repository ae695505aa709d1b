import type { Terminal } from "../terminal.ts";

/** A step for the report: it was tried, or the service does not offer it. */
type Step =
  | {
      readonly name: string;
      readonly milliseconds: number;
      /** @default - it worked */
      readonly failure?: string;
    }
  | { readonly name: string; readonly skipped: string };

/** The service does not have what a step would try. The message says why. */
export class NotOffered extends Error {
  override readonly name = "NotOffered";
}

/** Runs steps, prints each, and goes on with the next one where one fails. */
export class Steps {
  readonly #terminal: Terminal;
  readonly #tried: Step[] = [];
  /** Aborted when the operator interrupts: what waits ends then, and no further step begins. */
  readonly signal: AbortSignal;

  constructor(terminal: Terminal, signal: AbortSignal) {
    this.#terminal = terminal;
    this.signal = signal;
  }

  get isWell(): boolean {
    return !this.signal.aborted && !this.#tried.some((step) => "failure" in step);
  }

  /** Returns the step's result, or undefined where it failed, was skipped or did not begin. */
  async take<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> {
    return this.signal.aborted ? undefined : this.takeAnyhow(name, run);
  }

  /** The same for what is done after an interruption too. */
  async takeAnyhow<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> {
    const startedAtMs = performance.now();
    const elapsedMs = () => Math.round(performance.now() - startedAtMs);
    try {
      const result = await run();
      this.#note({ name, milliseconds: elapsedMs() });
      return result;
    } catch (error) {
      if (error instanceof NotOffered) this.#note({ name, skipped: error.message });
      else this.#note({ name, milliseconds: elapsedMs(), failure: reasonOf(error) });
      return undefined;
    }
  }

  /** Prints something about the step that is under way. */
  report(text: string): void {
    this.#terminal.print(`${" ".repeat(19)}${text}`);
  }

  /** One line for each step, as they were printed. */
  lines(): string[] {
    return this.#tried.map(lineOf);
  }

  #note(step: Step): void {
    this.#tried.push(step);
    this.#terminal.print(lineOf(step));
  }
}

function lineOf(step: Step): string {
  if ("skipped" in step) return `skipped            ${step.name}: ${step.skipped}`;
  const { name, milliseconds, failure } = step;
  const verdict = failure === undefined ? "ok" : "failed";
  const time = `${verdict.padEnd(8)}${String(milliseconds).padStart(6)} ms  ${name}`;
  return failure === undefined ? time : `${time}: ${failure}`;
}

/** Errors of a connection that several addresses refused have a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "AbortError") return "interrupted";
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}
