/**
 * Tag of a hidden file. The bucket's policy denies CloudFront objects with this tag, and removing the tag shows the file again. See
 * docs/adr/0030-suspension-and-legal-hold.md.
 */
export const hiddenTag = { Key: "dropleaf-hidden", Value: "true" } as const;
