/** Lookup of folders' hosts. `table.ts` sets it, so a function that does not use the table cannot resolve URLs of folders' hosts. */
export const folderHosts: {
  /** Finds the slug of the folder with this host. */
  findSlug?: (id: string) => Promise<string | undefined>;
} = {};
