import preferredMediaTypes from "negotiator/lib/mediaType.js";
import type { DocumentSite } from "../core/written-site.ts";
import type { HttpRequest } from "../http/request.ts";
import { type ContentKind, mediaTypes } from "../http/route.ts";
import {
  listAgentSkillsRoute,
  onboardingPath,
  readAgentSkillRoute,
  readApiCatalogRoute,
  readLlmsTxtRoute,
  readOpenApiRoute,
  showReferenceRoute,
} from "./rows.ts";

/** Paths of the documents about the service. The keys are their names in the guide for agents. */
const documentPaths = {
  llms_txt: readLlmsTxtRoute.path,
  onboarding: onboardingPath,
  onboarding_markdown: `${onboardingPath}?format=md`,
  openapi: readOpenApiRoute.path,
  reference: showReferenceRoute.path,
  skill: readAgentSkillRoute.path,
  skills_index: listAgentSkillsRoute.path,
  api_catalog: readApiCatalogRoute.path,
} as const;

/** Returns the URL of each document. */
export function documentUrls({ baseUrl }: DocumentSite): Record<keyof typeof documentPaths, string> {
  const urls = Object.entries(documentPaths).map(([name, path]) => [name, baseUrl + path]);
  return Object.fromEntries(urls) as Record<keyof typeof documentPaths, string>;
}

/** Lists the links to the API's descriptions, with media types and link relations (RFC 8631). */
export function documentLinks() {
  return [
    { rel: "service-desc", path: documentPaths.openapi, type: bareType("json") },
    { rel: "service-doc", path: documentPaths.reference, type: bareType("html") },
    { rel: "service-doc", path: documentPaths.llms_txt, type: bareType("text") },
    { rel: "service-doc", path: documentPaths.onboarding_markdown, type: bareType("markdown") },
    { rel: "service-meta", path: documentPaths.onboarding, type: bareType("json") },
    { rel: "service-meta", path: documentPaths.skills_index, type: bareType("json") },
  ];
}

/** Returns the home page's Link header, with links to all documents (RFC 8288; RFC 9727, section 3). */
export function writeLinkHeader(): string {
  const links = documentLinks().map(({ rel, path, type }) => `<${path}>; rel="${rel}"; type="${type}"`);
  return [`<${documentPaths.api_catalog}>; rel="api-catalog"`, ...links].join(", ");
}

/** Checks if the Accept header prefers Markdown to another media type, the default (RFC 9110, section 12.5.1). */
export function prefersMarkdown({ headers }: HttpRequest, defaultType: string): boolean {
  const accept = headers.accept?.join(", ") ?? "*/*";
  return preferredMediaTypes(accept, [defaultType, "text/markdown"])[0] === "text/markdown";
}

/** Returns a media type without its parameters. */
export function bareType(kind: ContentKind): string {
  return mediaTypes[kind].split(";")[0] ?? "";
}
