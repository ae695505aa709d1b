/** Look-up of folders' hosts. `table.ts` provides it: a function that has no grant on the table reads no such address. */
export const folderHosts: {
  /** Finds the slug of a host's folder. */
  findSlug?: (id: string) => Promise<string | undefined>;
} = {};
