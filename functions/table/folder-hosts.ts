/** Lookup of folders' hosts, set by `table.ts`. A function without a grant on the table cannot resolve URLs of folders' hosts. */
export const folderHosts: {
  /** Finds the slug of a host's folder. */
  findSlug?: (id: string) => Promise<string | undefined>;
} = {};
