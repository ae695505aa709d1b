import { hasAccessRequests } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { withoutInvisibleCharacters } from "../core/text.ts";
import { findDropAndReader } from "../gate/readable-version.ts";
import { page } from "../html/page.ts";
import { requireFormProof } from "../http/form-proof.ts";
import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { seeOther, toApiError } from "../http/response.ts";
import { requireOwnPage } from "../http/site.ts";
import { accessFormSubject, messageField, offerAccessForm } from "../identity/access-form.tsx";
import { notShared, renderAccessRequestedPage } from "../identity/not-shared-page.tsx";
import { barred } from "../identity/signed-in-page.ts";
import type { Reader } from "../people/find-reader.ts";
import { canRead, presentReader } from "../policies/access.ts";
import { readerActor } from "../table/audit.ts";
import { hashSecret } from "../table/identifiers.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import { accessRequestRule } from "../table/rate-rules.ts";
import { accessRequestId, accessRuleOf } from "./access-request.ts";
import { requestAccessRoute } from "./page-rows.ts";
import { accessRequests } from "./store.ts";

/**
 * POST /p/{slug}/access: asks a page's owner for access. The response and the number of reads and writes do not reveal whether a page is
 * missing, deleted, expired or unshared.
 */
export const requestAccess = pageOperation(requestAccessRoute, async (input) => {
  const { request, path, body, site, nowMs } = input;
  const { slug } = path;
  requireOwnPage(request, site);
  if (!hasAccessRequests()) throw new ApiError("not_found");
  const to = `/p/${slug}`;
  const { drop, session, reader } = await findDropAndReader({ request, slug, nowMs });
  if (drop !== undefined && canRead(drop, reader, nowMs)) return seeOther(site.baseUrl + to);
  if (session === undefined || reader === undefined || reader.isSessionOver) throw notShared(to, undefined);
  if (reader.isBarred) throw barred();
  const fields = parseForm(body);
  const text = withoutInvisibleCharacters((fields.get(messageField) ?? "").toWellFormed(), "line").trim();
  try {
    await requireFormProof(session.reference, accessFormSubject, fields);
    await send(reader, text);
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) throw thrown;
    const form = await offerAccessForm(session, slug);
    throw notShared(to, session.identity, form && { ...form, text, error });
  }
  return page("sign-in", (nonce) => renderAccessRequestedPage(nonce));

  async function send(person: Reader, message: string) {
    if ([...message].length > limits.accessRequestCodePointsMax)
      throw new ApiError("invalid_arg", {
        message: `This message has more than ${limits.accessRequestCodePointsMax} characters. Shorten it.`,
        details: { field: messageField },
      });
    const rule = accessRuleOf(person);
    if (rule === undefined)
      throw new ApiError("forbidden", {
        message:
          "Pages can’t be shared with this account, because it has no verified e-mail address. Sign in with another account.",
      });
    const { provider, id: personId, username: name } = person.identity;
    const identity = `${provider}#${personId}`;
    await rateLimiter.spend(accessRequestRule, identity, nowMs);
    const sent = {
      id: accessRequestId(slug, identity),
      name,
      reader: presentReader(rule),
      text: message || undefined,
      requestedAtMs: nowMs,
      personHash: hashSecret(identity),
    };
    const act = { ...input.act, actor: readerActor(person) };
    await accessRequests.send(slug, drop?.ownerId, sent, act).catch(async (error: unknown) => {
      await rateLimiter.refund(accessRequestRule, identity);
      throw error;
    });
  }
});
