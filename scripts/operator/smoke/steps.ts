import { randomUUID } from "node:crypto";
import { bundledCommit } from "../../../lib/bundle/bundled-commit.ts";
import { serviceVersion } from "../../../lib/service-version.ts";
import type { Terminal } from "../command.ts";
import type { SmokeClient } from "./smoke-client.ts";

/** Error for a step that the service does not support. The message gives the reason. */
export class NotOffered extends Error {
  override readonly name = "NotOffered";
}

/** Runs steps and prints their results. Continues after a failed step. */
export class Steps {
  readonly terminal: Terminal;
  /** Signal that is aborted when the operator interrupts the run. Waits then end, and no further step begins. */
  readonly signal: AbortSignal;
  readonly client: SmokeClient;
  /** Id that marks the pages and files of this run. */
  readonly run = randomUUID();
  readonly #startedAtMs = Date.now();
  readonly #lines: string[] = [];
  #hasFailed = false;

  constructor(terminal: Terminal, signal: AbortSignal, client: SmokeClient) {
    this.terminal = terminal;
    this.signal = signal;
    this.client = client;
  }

  get isWell(): boolean {
    return !this.signal.aborted && !this.#hasFailed;
  }

  /** Runs a step. Returns its result, or undefined if the step failed, was skipped or did not begin. */
  async take<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> {
    return this.signal.aborted ? undefined : this.takeAnyhow(name, run);
  }

  /** Runs a step like `take`, even after an interruption. */
  async takeAnyhow<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> {
    const startedAtMs = performance.now();
    const note = (result: string, end = "") => {
      const ms = Math.round(performance.now() - startedAtMs);
      this.#note(`${result.padEnd(8)}${String(ms).padStart(6)} ms  ${name}${end}`);
    };
    try {
      const result = await run();
      note("ok");
      return result;
    } catch (error) {
      if (error instanceof NotOffered) this.#note(`skipped            ${name}: ${error.message}`);
      else {
        this.#hasFailed = true;
        note("failed", `: ${reasonOf(error)}`);
      }
      return undefined;
    }
  }

  /** Prints a line about the running step. */
  report(text: string): void {
    this.terminal.print(`${" ".repeat(19)}${text}`);
  }

  #note(line: string): void {
    this.#lines.push(line);
    this.terminal.print(line);
  }

  /** Writes a report that is safe to share with strangers. It contains no host, owner's name or token. */
  async describe(region: string | undefined): Promise<string> {
    const { version, edge } = this.client.seen;
    const result = this.signal.aborted ? "interrupted" : this.isWell ? "all is well" : "something is wrong";
    const lines = [
      `started   ${new Date(this.#startedAtMs).toISOString()}`,
      `service   version ${version ?? "unknown"}, region ${region ?? "unknown without --stack"}, edge ${edge ?? "unknown"}`,
      `checkout  version ${serviceVersion}, commit ${(await bundledCommit()) ?? "unknown"}, Node ${process.version}`,
      `result    ${result}`,
      "",
      ...this.#lines,
    ];
    return this.client.redact(lines.join("\n"));
  }
}

/** Describes an error. If several addresses refused the connection, the error has only a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "AbortError") return "interrupted";
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}
