/** Texts of an owner's public page. */
export const ownerText = {
  title: (namespace: string) => `${namespace} on Dropleaf`,
  locked: "Locked page",
  search: "Search",
  searchPart: "Search this list",
} as const;
