import { randomBytes } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { folderHostUrl } from "../drops/presenter.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { formProofs } from "../http/form-proof.ts";
import { joinQuery } from "../http/page-operation.ts";
import type { Site } from "../http/site.ts";
import { signInPath } from "../identity/destination.ts";
import { folderPath } from "../viewer/folder-address.ts";
import type { Draft, Problem } from "./draft.ts";
import { type FoundFeedback, feedbackPath, writerOf } from "./feedback-drop.ts";
import { renderFeedbackPage } from "./feedback-page.tsx";
import { readPart, readWholeThread, threadsPerPart, toShownThreads } from "./shown-threads.ts";

/** Threads and view that the request selects. */
interface Selection {
  /** Page number in the list of threads, from 1. */
  readonly part: number;
  /** Number of the thread to show alone. @default - one page of the thread list */
  readonly thread: number | undefined;
  /** Path of the folder page that the frame shows first. @default - the entry page */
  readonly path?: string | undefined;
  readonly isPanel: boolean;
}

/**
 * Prepares the feedback page for a reader who may read the drop. Returns a function that renders the page, and the URLs that the page frames.
 *
 * @param refused refused form to show again, with the reason
 * @throws ApiError `not_found` if the page of the list or the thread does not exist
 */
export async function viewFeedback(
  { site }: { readonly site: Site },
  found: FoundFeedback,
  { part, thread, path, isPanel }: Selection,
  refused?: { readonly draft: Draft; readonly problem: Problem },
) {
  const { drop, version } = found;
  const { slug, latest } = drop;
  const isWhole = thread !== undefined;
  const [{ conversations, counts }, versions, proofOf] = await Promise.all([
    isWhole ? readWholeThread(slug, thread) : readPart(slug, part),
    publicDrops.listVersions(slug),
    // The CSRF token is bound to the session, so the form does not work for another reader or after sign-out.
    formProofs(found.session ?? ""),
  ]);
  if (conversations.length === 0 && (isWhole || part !== 1))
    throw new ApiError("not_found", { message: "This page of the thread list does not exist." });
  const threads = await toShownThreads(conversations, { slug, version, pageKey: found.pageKey, versions });
  const urlOf = (number: number, further?: string) =>
    feedbackPath(slug, number === latest.version ? undefined : number, isPanel, further);
  const partUrl = (number: number) => urlOf(version, number === 1 ? undefined : `page=${number}`);
  const hasOlder = !isWhole && counts.threads > part * threadsPerPart;
  const framedHost = folderHostUrl(site, drop, found, { version, isFramed: true });
  const framedRoot = framedHost ?? folderPath(slug, { version, isFramed: true });
  const framedPageUrl = found.folder && ((page: string) => framedRoot + encodePath(page));
  const framedPath = refused?.draft.path ?? path;
  const frameUrl =
    framedPageUrl && framedPath
      ? framedPageUrl(framedPath)
      : (framedHost ?? `/p/${slug}/raw?v=${version}&framed=1`);
  const viewerUrlAt = (number: number) =>
    (path ? `/d/${slug}/${encodePath(path)}` : `/p/${slug}`) +
    joinQuery(number === latest.version ? undefined : `v=${number}`);
  const viewerUrl = viewerUrlAt(version);
  const render = (nonce: string) =>
    renderFeedbackPage({
      title: drop.title,
      version,
      latestVersion: latest.version,
      openThreads: counts.openThreads,
      isFull: counts.threads >= limits.threadsPerDropMax,
      threads,
      newerUrl: !isWhole && part > 1 ? partUrl(part - 1) : undefined,
      olderUrl: hasOlder ? partUrl(part + 1) : undefined,
      allUrl: isWhole ? partUrl(1) : undefined,
      writer: writerOf(found),
      frameUrl,
      framedPageUrl,
      viewerUrl,
      isPanel,
      versionUrl: isPanel ? viewerUrlAt : (number) => urlOf(number),
      threadUrl: (number) => urlOf(version, `thread=${number}`),
      action: feedbackPath(slug, version, isPanel),
      proof: proofOf(`/p/${slug}/feedback`),
      signInUrl: signInPath(isPanel ? viewerUrl : feedbackPath(slug, version)),
      readerUrl: `${site.baseUrl}/login/read`,
      newFormId: () => randomBytes(16).toString("base64url"),
      refused,
      nonce,
    });
  return { render, frames: isPanel ? [] : [frameUrl] };
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
