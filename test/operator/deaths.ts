import { s3 } from "../../functions/drops/page-objects.ts";
import { dynamodb } from "../../functions/platform/table.ts";
import { isThorough } from "../support/thorough.ts";

/** How a command dies on its way. */
interface Deaths {
  /** Whether an error says that nothing is left to be done: the run before died when its last step was done. */
  readonly isOver?: (error: Error) => boolean;
  /** What must hold whenever it has died. */
  readonly check?: () => Promise<void>;
}

/**
 * Runs a command until it is through. Each run gets further than the last, and every other one dies after a command to AWS
 * was carried out; in a short run it dies at one of three. Returns how often it died.
 */
export async function dieOnTheWay(
  run: () => Promise<unknown>,
  { isOver = () => false, check = async () => {} }: Deaths = {},
): Promise<number> {
  for (let [step, deaths] = [1, 0]; ; step += isThorough ? 1 : 3) {
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

/** Lets the process "die" at its nth command to AWS, before or after it was carried out; what it returns ends that. */
export function dieAt(step: number, afterwards: boolean): () => void {
  let commands = 0;
  const name = "die";
  // What the two clients' stacks have in common, as the compiler cannot tell.
  const stacks = [dynamodb, s3].map((client) => client.middlewareStack as typeof dynamodb.middlewareStack);
  for (const stack of stacks) {
    stack.add(
      (next) => async (args) => {
        commands += 1;
        if (commands < step) return next(args);
        if (commands === step && afterwards) await next(args);
        throw new Error("killed");
      },
      { step: "initialize", name },
    );
  }
  return () => {
    for (const stack of stacks) stack.remove(name);
  };
}
