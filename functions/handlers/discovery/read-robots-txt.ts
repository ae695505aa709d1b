import { onboardingPath, readLlmsTxtRoute, readRobotsTxtRoute } from "../../contract/discovery-routes.ts";
import { writeRobotsTxt } from "../../discovery/robots-txt.ts";
import { document } from "../../http/document-answer.ts";
import { documentOperation } from "../../http/document-operation.ts";

/** GET /robots.txt, on every host. */
export const readRobotsTxt = documentOperation(readRobotsTxtRoute, async ({ site }) =>
  document("text", writeRobotsTxt(onboardingPath, site.baseUrl + readLlmsTxtRoute.path)),
);
