let chosen: string | undefined;

/** Chooses the account that this process acts as, by namespace: the option `--as`, else `DROPLEAF_AS`. */
export function chooseAccount(as: string | undefined): void {
  chosen = as ?? (process.env.DROPLEAF_AS || undefined);
}

/** The chosen account, by namespace; undefined for the default one. */
export function chosenAccount(): string | undefined {
  return chosen;
}
