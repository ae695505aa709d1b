/**
 * The tag of a file that nobody is to read for now: the bucket's policy keeps CloudFront from an object that has it, and
 * it comes off again. docs/adr/0030-suspension-and-legal-hold.md.
 */
export const hiddenTag = { Key: "dropleaf-hidden", Value: "true" } as const;
