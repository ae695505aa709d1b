import { randomUUID } from "node:crypto";
import { bundledCommit } from "../../../lib/bundle/bundled-commit.ts";
import { serviceVersion } from "../../../lib/service-version.ts";
import type { Terminal } from "../command.ts";
import type { SmokeClient } from "./smoke-client.ts";

/** The service does not have what a step would try. The message says why. */
export class NotOffered extends Error {
  override readonly name = "NotOffered";
}

/** Runs steps, prints each, and goes on with the next one where one fails. */
export class Steps {
  readonly terminal: Terminal;
  /** Aborted when the operator interrupts: what waits ends then, and no further step begins. */
  readonly signal: AbortSignal;
  readonly client: SmokeClient;
  /** Distinguishes what this run creates from what others do. */
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

  /** Returns the step's result, or undefined where it failed, was skipped or did not begin. */
  async take<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> {
    return this.signal.aborted ? undefined : this.takeAnyhow(name, run);
  }

  /** The same for what is done after an interruption too. */
  async takeAnyhow<Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> {
    const startedAtMs = performance.now();
    const note = (verdict: string, end = "") => {
      const ms = Math.round(performance.now() - startedAtMs);
      this.#note(`${verdict.padEnd(8)}${String(ms).padStart(6)} ms  ${name}${end}`);
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

  /** Prints something about the step that is under way. */
  report(text: string): void {
    this.terminal.print(`${" ".repeat(19)}${text}`);
  }

  #note(line: string): void {
    this.#lines.push(line);
    this.terminal.print(line);
  }

  /** Makes a report that may be given to strangers: it has no host, no owner's name and no token. */
  async describe(region: string | undefined): Promise<string> {
    const { version, edge } = this.client.seen;
    const result = this.signal.aborted ? "interrupted" : this.isWell ? "all is well" : "something is wrong";
    const lines = [
      `started   ${new Date(this.#startedAtMs).toISOString()}`,
      `service   version ${version ?? "not told"}, region ${region ?? "unknown without --stack"}, edge ${edge ?? "not told"}`,
      `checkout  version ${serviceVersion}, commit ${(await bundledCommit()) ?? "not known"}, Node ${process.version}`,
      `result    ${result}`,
      "",
      ...this.#lines,
    ];
    return this.client.redact(lines.join("\n"));
  }
}

/** Errors of a connection that several addresses refused have a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "AbortError") return "interrupted";
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}
