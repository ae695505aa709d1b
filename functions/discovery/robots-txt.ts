/**
 * `/robots.txt`, on every host. Pages say themselves whether they may be listed, and crawlers have to fetch them to
 * hear it; the API has nothing for crawlers but the guide.
 *
 * Source: RFC 9309.
 */
export function writeRobotsTxt(onboardingPath: string, llmsTxtUrl: string): string {
  return `# Agents: ${llmsTxtUrl} tells how to publish here.

User-agent: *
Allow: ${onboardingPath}
Disallow: /api/
`;
}
