import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateUseRedirectUris } from "../../functions/oauth/client.ts";

test("docs/mcp.md lists exactly the accepted private-use redirect URIs", () => {
  const document = readFileSync(join(import.meta.dirname, "../../docs/mcp.md"), "utf8");
  const [paragraph = ""] = /\*\*Redirect addresses\*\*.*?\n\n/s.exec(document) ?? [];

  const listed = [...paragraph.matchAll(/`([^`\s]+:\/\/[^`\s]+)`/g)].map(([, address = ""]) => address);

  expect(listed.sort()).toEqual([...privateUseRedirectUris.keys()].sort());
});
