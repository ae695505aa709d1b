import { s3 } from "../../functions/drops/page-objects.ts";
import { dynamodb } from "../../functions/table/table.ts";

/** Makes the nth command to AWS and all later ones fail, before or after the nth is performed. Returns a function that ends this. */
export function dieAt(step: number, afterwards: boolean): () => void {
  let commands = 0;
  const name = "die";
  // The compiler does not know that the two clients' stacks have a common type.
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
