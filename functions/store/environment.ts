/**
 * The value of an environment variable that the stack sets.
 *
 * @throws Error when it is missing: the function's row in the contract does not ask for what its code uses.
 */
export function readEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** The value of an environment variable that the stack sets only where the operator has chosen something. */
export function findEnvironment(name: string): string | undefined {
  return process.env[name] || undefined;
}
