/**
 * The tag of a file that is hidden for now: the bucket's policy denies CloudFront an object with it, and it can be removed again.
 * docs/adr/0030-suspension-and-legal-hold.md.
 */
export const hiddenTag = { Key: "dropleaf-hidden", Value: "true" } as const;
