let chosen: string | undefined;

/** Sets the account that this process acts as, by namespace: the option `--as`, otherwise `DROPLEAF_AS`. */
export function chooseAccount(as: string | undefined): void {
  chosen = as ?? (process.env.DROPLEAF_AS || undefined);
}

/** Returns the namespace of the chosen account, or undefined for the default account. */
export function chosenAccount(): string | undefined {
  return chosen;
}
