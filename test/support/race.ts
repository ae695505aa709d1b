/** Starts `count` calls concurrently and returns their outcomes in the order of the starts. */
export function race<Outcome>(count: number, act: (index: number) => Promise<Outcome>): Promise<Outcome[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)));
}
