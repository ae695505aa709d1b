/** How long a copy of the file holds good. */
const goodForDays = 90;

/**
 * `/.well-known/security.txt`: whom to tell of a vulnerability. It expires 90 days after it was asked for, so that
 * nobody goes by an old copy, and a service that runs for years without a new deployment still has a good one.
 *
 * Source: RFC 9116.
 */
export function writeSecurityTxt(contact: string, canonicalUrl: string, nowMs: number): string {
  const expires = new Date(nowMs + goodForDays * 86_400_000);
  expires.setUTCHours(0, 0, 0, 0);
  return `Contact: ${contact}
Expires: ${expires.toISOString().replace(".000Z", "Z")}
Canonical: ${canonicalUrl}
Preferred-Languages: en
`;
}
