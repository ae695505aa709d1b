import { s3 } from "../../functions/drops/page-objects.ts";
import { dynamodb } from "../../functions/table/table.ts";

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
