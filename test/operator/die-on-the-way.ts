import { dieAt } from "./die-at.ts";

/** How a command dies on its way. */
interface Deaths {
  /** Whether an error says that nothing is left to be done: the run before died when its last step was done. */
  readonly isOver?: (error: Error) => boolean;
  /** What must hold whenever it has died. */
  readonly check?: () => Promise<void>;
}

/**
 * Runs a command until it is through. Each run gets further than the last, and every other one dies after a command to AWS
 * was carried out. Returns how often it died.
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
