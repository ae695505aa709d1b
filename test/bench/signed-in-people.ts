import { signIn } from "../../scripts/bench/people-walk.ts";
import { callUnmeasured } from "../support/operation-caller.ts";

/** Signs in as several people, in the process of the functions. Returns their tokens. */
export async function signInMany(count: string): Promise<string[]> {
  const tokens: string[] = [];
  for (let number = 0; number < Number(count); number += 1)
    tokens.push(await signIn(callUnmeasured, `person-${number}`));
  return tokens;
}
