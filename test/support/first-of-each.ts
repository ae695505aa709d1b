/** Returns the first item of each kind, for code that treats all items of a kind alike. */
export function firstOfEach<Item>(items: readonly Item[], kindOf: (item: Item) => unknown): readonly Item[] {
  return [...new Map(items.toReversed().map((item) => [JSON.stringify(kindOf(item)), item])).values()];
}
