import { exitCodes, Problem } from "../problem.ts";
import { cleanText } from "./clean-text.ts";
import type { Output } from "./output.ts";

/** Runs a task and shows its progress on a terminal. Without a terminal, nothing is animated. */
export async function withProgress<Result>(
  { isInteractive }: Output,
  message: string,
  run: (update: (message: string) => void) => Promise<Result>,
): Promise<Result> {
  if (!isInteractive) return run(() => {});
  const { spinner } = await import("@clack/prompts");
  const progress = spinner({ output: process.stderr });
  progress.start(cleanText(message));
  try {
    const result = await run((update) => progress.message(cleanText(update)));
    progress.clear();
    return result;
  } catch (error) {
    progress.clear();
    throw error;
  }
}

/**
 * Asks the user for confirmation.
 *
 * @param otherwise advice if the program cannot ask
 * @throws Problem if the user does not confirm
 */
export async function confirm(
  output: Output,
  message: string,
  { otherwise, refusal }: { readonly otherwise: string; readonly refusal: string },
): Promise<void> {
  requireTerminal(output, otherwise);
  const prompts = await import("@clack/prompts");
  const answer = await prompts.confirm({
    message: cleanText(message),
    initialValue: false,
    output: process.stderr,
  });
  if (prompts.isCancel(answer) || !answer) throw new Problem(refusal);
}

/** Asks for a secret that the terminal does not show. */
export async function askSecret(
  output: Output,
  message: string,
  { otherwise, refusal }: { readonly otherwise: string; readonly refusal: string },
): Promise<string> {
  requireTerminal(output, otherwise);
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: cleanText(message), output: process.stderr });
  if (isCancel(answer)) throw new Problem(refusal);
  return answer;
}

function requireTerminal({ isInteractive }: Output, message: string): void {
  if (!isInteractive || !process.stdin.isTTY) throw new Problem(message, exitCodes.usage);
}
