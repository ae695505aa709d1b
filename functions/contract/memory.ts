/** What a function has where its row says nothing, in MB. */
export const memoryMegabytesDefault = 512;

/** So many megabytes stand for a processor; AWS Lambda developer guide, "Configure Lambda function memory". */
const megabytesPerProcessor = 1_769;

/** The memory of a row's function, in MB: what its work asks for. */
export function memoryMegabytesOf({ memoryMegabytes }: { readonly memoryMegabytes?: number }): number {
  return memoryMegabytes ?? memoryMegabytesDefault;
}

/** The share of a processor that comes with so much memory. */
export function processorsOf(memoryMegabytes: number): number {
  return memoryMegabytes / megabytesPerProcessor;
}
