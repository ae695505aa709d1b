import { randomBytes } from "node:crypto";
import { served } from "../drops/served.ts";
import { feedback } from "../feedback/store.ts";
import { cookieProof, frameProof } from "../pages/gate.ts";
import { ApiError } from "../platform/errors.ts";
import { limits } from "../platform/limits.ts";
import { joinQuery } from "../platform/page-query.ts";
import type { HttpRequest } from "../platform/request.ts";
import { type Site, type SiteHost, seenPath } from "../platform/site.ts";
import type { Draft, Problem } from "./draft.ts";
import { entranceOf, type FoundFeedback, signInPath, writerOf } from "./feedback-drop.ts";
import { renderFeedbackPage } from "./feedback-page.tsx";
import { partOf, threadsPerPart, toShownThreads } from "./shown-threads.ts";

/** Which threads are asked for. */
interface Asked {
  /** The part of the list, from 1. */
  readonly part: number;
  /** One thread, as a whole. @default - those of the part */
  readonly thread: number | undefined;
}

/** Where the page is shown, and to whom. */
interface Shown {
  readonly request: HttpRequest;
  readonly host: SiteHost;
  readonly site: Site;
}

/**
 * The page of a drop's feedback, for whoever was found to read it.
 *
 * @param refused what somebody has typed that was not taken, and why
 * @throws ApiError `not_found` for a part or a thread that there is not
 */
export async function viewFeedback(
  { request, host, site }: Shown,
  found: FoundFeedback,
  { part, thread }: Asked,
  refused?: { readonly draft: Draft; readonly problem: Problem },
): Promise<(nonce: string) => string> {
  const { drop, version } = found;
  const { slug, latest } = drop;
  const [all, versions, proof, askingProof] = await Promise.all([
    feedback.list(slug),
    served.listVersions(slug),
    cookieProof("feedback", request, slug),
    frameProof(request, drop),
  ]);
  const chosen = thread === undefined ? partOf(all, part) : all.filter((one) => one.thread.thread === thread);
  const isOutside = chosen.length === 0 && (thread !== undefined || part !== 1);
  if (isOutside) throw new ApiError("not_found", { message: "There are no such threads here." });
  const isWhole = thread !== undefined;
  const threads = await toShownThreads(chosen, { version, pageKey: found.pageKey, versions, isWhole });
  const urlOf = (number: number, ...besides: readonly (string | undefined)[]) => {
    const pin = number === latest.version ? undefined : `v=${number}`;
    return seenPath(host, `/p/${slug}/feedback`) + joinQuery(pin, ...besides);
  };
  const partUrl = (number: number) => urlOf(version, number === 1 ? undefined : `page=${number}`);
  const hasOlder = !isWhole && all.length > part * threadsPerPart;
  return (nonce) =>
    renderFeedbackPage({
      title: drop.title,
      version,
      latestVersion: latest.version,
      openThreads: all.filter(({ thread: { state } }) => state === "open").length,
      isFull: all.length >= limits.threadsPerDropMax,
      threads,
      newerUrl: !isWhole && part > 1 ? partUrl(part - 1) : undefined,
      olderUrl: hasOlder ? partUrl(part + 1) : undefined,
      allUrl: isWhole ? partUrl(1) : undefined,
      writer: writerOf(found),
      frameUrl: seenPath(host, `/p/${slug}/raw?v=${version}&framed=1`),
      viewerUrl:
        seenPath(host, `/p/${slug}`) + joinQuery(version === latest.version ? undefined : `v=${version}`),
      versionUrl: (number) => urlOf(number),
      threadUrl: (number) => urlOf(version, `thread=${number}`),
      action: `${seenPath(host, `/p/${slug}/feedback`)}?v=${version}`,
      proof,
      frameProof: askingProof,
      signInUrl: signInPath(host, entranceOf(slug, version)),
      readerUrl: `${site.baseUrl}/login/read`,
      newFormId: () => randomBytes(16).toString("base64url"),
      refused,
      nonce,
    });
}
