/** What a function has where its row says nothing, in MB. */
export const memoryMegabytesDefault = 512;

/** The memory of a row's function, in MB: what its work asks for. */
export function memoryMegabytesOf({ memoryMegabytes }: { readonly memoryMegabytes?: number }): number {
  return memoryMegabytes ?? memoryMegabytesDefault;
}
