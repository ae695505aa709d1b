/**
 * Tag of a hidden file. The bucket's policy denies CloudFront access to objects with this tag. Removing the tag makes the file visible
 * again. See docs/adr/0030-suspension-and-legal-hold.md.
 */
export const hiddenTag = { Key: "dropleaf-hidden", Value: "true" } as const;
