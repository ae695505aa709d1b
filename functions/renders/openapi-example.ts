import { findingsOf } from "./findings.ts";
import { renderedMessage, requestedMessage, untrusted } from "./presenter.ts";
import type { RenderResponse } from "./schemas.ts";

const retryAfterSeconds = 5;

/** A table that is wider than a phone's screen, as `GET /api/drops/{slug}/render` tells of it: when it is there, and before. */
export function exampleRender({
  slug,
  renderedAtMs,
}: {
  readonly slug: string;
  readonly renderedAtMs: number;
}) {
  const overflow = { pixels: 240, elements: [{ selector: "table", pixels: 240 }] };
  const nothing = { console: [], requests: [], attempts: [], accessibility: [] };
  const seen = { name: "phone-light", loadMs: 48, overflow, ...nothing } as const;
  const weight = { pageBytes: 414, fileBytes: 0, requests: 0 };
  const findings = findingsOf({ views: [seen], weight });
  return {
    response: {
      slug,
      version: 2,
      state: "rendered",
      message: renderedMessage(findings),
      rendered_at: renderedAtMs,
      milliseconds: 6_400,
      untrusted,
      findings,
      views: [
        {
          name: seen.name,
          width: 360,
          height: 800,
          color_scheme: "light",
          picture: {
            url: `https://bucket.s3.us-east-1.amazonaws.com/_reports/${slug}/3Fq0aZ81mKx2vB7c/phone-light.jpeg?X-Amz-Signature=0123`,
            expires_at: renderedAtMs + 960_000,
            content_type: "image/jpeg",
            width: 360,
            height: 800,
            size_bytes: 21_804,
          },
          load_ms: seen.loadMs,
          overflow,
          ...nothing,
        },
      ],
      weight: { page_bytes: weight.pageBytes, file_bytes: weight.fileBytes, requests: weight.requests },
    } satisfies RenderResponse,
    accepted: {
      slug,
      version: 2,
      state: "asked",
      message: requestedMessage(retryAfterSeconds),
      retry_after_seconds: retryAfterSeconds,
    } satisfies RenderResponse,
  };
}
