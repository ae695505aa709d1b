import type { Terminal } from "./terminal.ts";

/** npm passes a Ctrl-C on to a process that the terminal has told already. */
const sameInterruptMs = 1_000;

/**
 * Runs work that has to clean up. The first Ctrl-C aborts its signal, the second one ends the process.
 *
 * @param advice printed at the first one: what is still done, and what a second one leaves behind
 */
export async function withInterruption<Result>(
  terminal: Terminal,
  advice: string,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let interruptedAtMs: number | undefined;
  const interrupt = () => {
    if (interruptedAtMs !== undefined && Date.now() - interruptedAtMs > sameInterruptMs) process.exit(1);
    if (interruptedAtMs !== undefined) return;
    interruptedAtMs = Date.now();
    terminal.report(`Interrupted: ${advice}`);
    controller.abort();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) process.on(name, interrupt);
  try {
    return await run(controller.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}
