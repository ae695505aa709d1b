/** Texts of the page that compares two versions. */
export const comparisonText = {
  heading: "Compare versions",
  version: (number: number) => `Version ${number}`,
  open: "Open",
  before: "Before",
  after: "After",
  lineIn: (number: number) => `Line in version ${number}`,
} as const;
