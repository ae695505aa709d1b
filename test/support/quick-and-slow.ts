/** Cases of one speed, and the options of their tests. */
interface CasesOfSpeed<Case> {
  readonly cases: readonly Case[];
  readonly options: { readonly tags: string[] };
}

/** Splits cases into those that `npm test` runs and those that only `npm run test:slow` runs. */
export function quickAndSlow<Case>(
  all: readonly Case[],
  isQuick: (one: Case) => boolean,
): readonly CasesOfSpeed<Case>[] {
  return [
    { cases: all.filter(isQuick), options: { tags: [] } },
    { cases: all.filter((one) => !isQuick(one)), options: { tags: ["slow"] } },
  ];
}
