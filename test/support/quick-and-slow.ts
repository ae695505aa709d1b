/** Cases that run together, and the options of their tests. */
export interface CasesOfRun<Case> {
  readonly cases: readonly Case[];
  readonly options: { readonly tags: string[] };
}

/** Splits cases into those that `npm test` runs and those that only `npm run test:slow` runs. */
export function quickAndSlow<Case>(
  all: readonly Case[],
  isQuick: (one: Case) => boolean,
): readonly CasesOfRun<Case>[] {
  return split(all, isQuick, [], ["slow"]);
}

/** Splits cases into those that `npm run test:slow` runs and those that only `npm run test:nightly` runs. */
export function slowAndNightly<Case>(
  all: readonly Case[],
  isSlow: (one: Case) => boolean,
): readonly CasesOfRun<Case>[] {
  return split(all, isSlow, ["slow"], ["nightly"]);
}

function split<Case>(
  all: readonly Case[],
  isFirst: (one: Case) => boolean,
  first: string[],
  second: string[],
): readonly CasesOfRun<Case>[] {
  return [
    { cases: all.filter(isFirst), options: { tags: first } },
    { cases: all.filter((one) => !isFirst(one)), options: { tags: second } },
  ];
}
