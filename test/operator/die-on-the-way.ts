import { dieAt } from "./die-at.ts";

/** Options of simulated crashes. */
interface Deaths {
  /** Detects an error which means that the previous run crashed after its last step. */
  readonly isOver?: (error: Error) => boolean;
  /** Checks an invariant after each crash. */
  readonly check?: () => Promise<void>;
}

/**
 * Runs a command again and again until it completes. Each run crashes one command to AWS later than the previous one, alternately before
 * and after the command is performed. Returns the number of crashes.
 */
export async function dieOnTheWay(
  run: () => Promise<unknown>,
  { isOver = () => false, check = async () => {} }: Deaths = {},
): Promise<number> {
  for (let [step, deaths] = [1, 0]; ; step += 1) {
    const end = dieAt(step, step % 2 === 0);
    const error = await run().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    end();
    if (error === undefined || isOver(error)) return deaths;
    if (error.message !== "killed") throw error;
    deaths += 1;
    await check();
  }
}
