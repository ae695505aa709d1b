/** The first item of each kind, for what the code of a kind does for all of its items alike. */
export function firstOfEach<Item>(items: readonly Item[], kindOf: (item: Item) => unknown): readonly Item[] {
  return [...new Map(items.toReversed().map((item) => [JSON.stringify(kindOf(item)), item])).values()];
}
