import { createHash } from "node:crypto";
import type { DropListResponse, DropResponse } from "../../functions/drops/schemas.ts";
import type { Call, Observation } from "../model/call.ts";
import type { Intent } from "../model/intents/intent.ts";
import { judge } from "../model/judge.ts";
import { Player } from "../model/player.ts";
import type { Range } from "../model/range.ts";
import { changeWarnings, type DropBody } from "../model/rules/drop-rules.ts";
import { forAnybody, readableBy } from "../model/rules/visibility-rule.ts";
import { type AccountState, type BlobState, ownerAddress } from "../model/state.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { elementsOf } from "../support/visitor.ts";

/** A time later than the end of any test. */
const endless = Number.MAX_SAFE_INTEGER;

/** A call without a response, and the times between which the service may have processed it. */
export interface LostCall {
  readonly call: Call;
  readonly sentAtMs: number;
  readonly endedAtMs: number;
}

/** Writes until the service is killed, and then checks what must be stored. */
export class Writer {
  readonly #player: Player;
  /** A call that may or may not have been processed. */
  #unanswered: LostCall | undefined;
  #killedAtMs: number | undefined;

  private constructor(player: Player) {
    this.#player = player;
  }

  static async begin(name: string): Promise<Writer> {
    return new Writer(await Player.begin(name, 4));
  }

  get state(): AccountState {
    return this.#player.state;
  }

  /** Makes calls sequentially, until one gets no response or all are done. */
  async write(intents: readonly Intent[]): Promise<void> {
    for (const intent of intents) {
      const call = intent.toCall(this.state, this.state);
      const sentAtMs = Date.now();
      try {
        await this.#player.make(call);
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        this.lose({ call, sentAtMs, endedAtMs: Date.now() });
        return;
      }
    }
  }

  /** Records a call whose outcome is unknown. */
  lose(lost: LostCall): void {
    this.#unanswered = lost;
  }

  /**
   * Records that the service was killed. A message in progress is redelivered only after its visibility timeout. Until
   * then, pages closed just before are still served, and pages opened just before are not.
   */
  noteKill(killedAtMs: number): void {
    this.#killedAtMs = killedAtMs;
    this.#player.state = withFollowUpsDelayed(this.state, killedAtMs);
  }

  /** Records that all messages were redelivered and processed, so that no closed page is served. */
  noteRedelivery(): void {
    this.#killedAtMs = undefined;
    const isOver = (untilMs: number | undefined) => untilMs !== undefined && untilMs < endless;
    this.#player.state = {
      ...this.state,
      leftovers: this.state.leftovers.filter(({ untilMs }) => isOver(untilMs)),
      blobs: this.state.blobs.map(({ opensByMs, ...blob }) =>
        isOver(opensByMs) ? { ...blob, opensByMs } : blob,
      ),
    };
  }

  /**
   * Reads everything back. All acknowledged calls must be stored, and the unanswered call completely or not at all.
   *
   * @throws with both reasons if neither is the case
   */
  async expectAllThere(): Promise<"done" | "not done" | "all answered"> {
    const unanswered = this.#unanswered;
    this.#unanswered = undefined;
    if (unanswered === undefined) {
      await this.#player.readEverything();
      return "all answered";
    }
    const before = withoutUnknown(withUsesUnknown(this.state), unanswered.call);
    const reasons: string[] = [];
    for (const [outcome, stateOf] of [
      ["not done", async () => before],
      ["done", async () => this.#after(before, unanswered)],
    ] as const) {
      try {
        this.#player.state = await stateOf();
        await this.#player.readEverything();
        return outcome;
      } catch (error) {
        reasons.push(`If ${unanswered.call.operation} was ${outcome}: ${(error as Error).message}`);
      }
    }
    throw new Error(
      `The unanswered call was stored partially, or another write is lost.\n${reasons.join("\n")}`,
    );
  }

  /** Returns the account's state if the unanswered call succeeded, with its response rebuilt from current reads. */
  async #after(before: AccountState, unanswered: LostCall) {
    const { call, sentAtMs, endedAtMs } = unanswered;
    const response = await this.#lostResponse(before, call, sentAtMs);
    const observation: Observation = { call, response, sentAtMs, answeredAtMs: endedAtMs };
    const after = judge(before, observation);
    const timed = withUsesUnknown(withTimeUnknown(after, before, { from: sentAtMs, to: endedAtMs }));
    return this.#killedAtMs === undefined ? timed : withFollowUpsDelayed(timed, this.#killedAtMs);
  }

  async #lostResponse(before: AccountState, call: Call, sentAtMs: number): Promise<ReceivedResponse> {
    switch (call.operation) {
      case "publish-drop":
        return withPublicationTold(await this.#readDrop(await this.#unknownSlug(before)), call, 201);
      case "publish-version":
        return withPublicationTold(await this.#readChanged(before, call), call);
      case "edit-drop":
        return this.#readChanged(before, call);
      case "set-passcode":
      case "undelete-drop":
        return this.#readDrop(String(call.params?.slug));
      case "upload-blob":
      case "complete-upload":
        return this.#lostUpload(before, call, sentAtMs);
      case "edit-blob":
        return this.#lostEdit(before, call);
      default:
        return { ...(await this.#readList()), status: 204, text: "", bytes: Buffer.alloc(0) };
    }
  }

  async #unknownSlug(before: AccountState): Promise<string> {
    const { drops } = JSON.parse((await this.#readList()).text) as DropListResponse;
    const known = new Set(before.drops.map(({ slug }) => slug));
    return drops.find((drop: DropResponse) => !known.has(drop.slug))?.slug ?? "aaaaaaa";
  }

  /** Rebuilds the response to an edit of a file from the known state. */
  async #lostEdit(before: AccountState, { params, body }: Call): Promise<ReceivedResponse> {
    const blob = before.blobs.find(({ id }) => id === params?.id);
    const { visibility = blob?.visibility } = (body ?? {}) as Partial<BlobState>;
    const told = blob && {
      id: blob.id,
      filename: blob.filename,
      content_type: blob.contentType,
      size_bytes: Buffer.byteLength(blob.bytes),
      url: `${ownerAddress(before)}/b/${blob.id}`,
      created_at: blob.createdAtMs.from,
      visibility,
      readable_by: readableBy({ ...blob, visibility: visibility ?? blob.visibility }),
    };
    return { ...(await this.#readList()), text: JSON.stringify(told ?? {}) };
  }

  /** Rebuilds the response to an upload from the owner's page. Its creation time is only a possible one. */
  async #lostUpload(before: AccountState, call: Call, sentAtMs: number): Promise<ReceivedResponse> {
    const owner = ownerAddress(before);
    const page = await fetchPage(`${owner}/`);
    const known = new Set(before.blobs.map(({ id }) => id));
    const ids = elementsOf(page, "a").flatMap(
      ({ attribs }) => /\/b\/(\w{7})$/.exec(attribs.href ?? "")?.[1] ?? [],
    );
    const id = ids.find((one) => !known.has(one)) ?? "aaaaaaa";
    const upload = before.uploads.find((one) => one.id === call.params?.id);
    const text = upload?.arrived ?? call.text ?? "";
    const body = {
      id,
      filename: upload?.filename ?? (call.query as { readonly filename?: string } | undefined)?.filename,
      content_type: upload?.contentType ?? String(call.headers?.["content-type"]),
      size_bytes: Buffer.byteLength(text),
      url: `${owner}/b/${id}`,
      created_at: sentAtMs,
      visibility: "public",
      readable_by: readableBy(forAnybody),
    };
    return { ...(await this.#readList()), status: 201, text: JSON.stringify(body) };
  }

  #readList(): Promise<ReceivedResponse> {
    return this.#read({ operation: "list-drops", query: [["pageSize", "200"]] });
  }

  #readDrop(slug: string): Promise<ReceivedResponse> {
    return this.#read({ operation: "get-drop", params: { slug } });
  }

  /** Reads the drop and adds the warnings of the lost response, which later reads omit. */
  async #readChanged(before: AccountState, { params, body = {} }: Call): Promise<ReceivedResponse> {
    const read = await this.#readDrop(String(params?.slug));
    const drop = before.drops.find(({ slug }) => slug === params?.slug);
    return drop === undefined
      ? read
      : withWarningsTold(read, changeWarnings(drop, body as Partial<DropBody>));
  }

  /** Reads with every token that may be valid, because the unanswered call may have revoked one. */
  async #read(call: Call): Promise<ReceivedResponse> {
    const tokens = this.state.tokens.filter(({ isRevoked }) => !isRevoked);
    const calls = tokens.map(({ plaintext: token }) => ({ ...call, token }));
    const observations = await this.#player.observeAll(calls);
    const good = observations.find(({ response }) => response.status !== 401) ?? observations[0];
    if (good === undefined) throw new Error("The writer has no token left.");
    return good.response;
  }
}

/** Adds what only the response to a publication contains: the page's digest, its open feedback, and a warning about HTML without tags. */
function withPublicationTold(read: ReceivedResponse, { body }: Call, status = read.status): ReceivedResponse {
  const { html } = body as { readonly html: string };
  const page = { sha256: createHash("sha256").update(html).digest("hex"), open_feedback: 0 };
  const told = { ...read, status, text: JSON.stringify({ ...JSON.parse(read.text), ...page }) };
  return withWarningsTold(told, html.includes("<") ? [] : ["html has no tags"]);
}

/** Appends warnings to those of the response. */
function withWarningsTold(read: ReceivedResponse, added: readonly string[]): ReceivedResponse {
  if (added.length === 0) return read;
  const body = JSON.parse(read.text) as { readonly warnings?: readonly string[] };
  return { ...read, text: JSON.stringify({ ...body, warnings: [...(body.warnings ?? []), ...added] }) };
}

/** Delays the effects that were due at the kill or later until messages are redelivered. */
function withFollowUpsDelayed(state: AccountState, killedAtMs: number): AccountState {
  return {
    ...state,
    leftovers: state.leftovers.map((left) =>
      left.untilMs < killedAtMs ? left : { ...left, untilMs: endless },
    ),
    blobs: state.blobs.map((blob) =>
      (blob.opensByMs ?? 0) < killedAtMs ? blob : { ...blob, opensByMs: endless },
    ),
  };
}

/** Accepts any later last use of all tokens: the unanswered call may have used one, and the reads use others. */
function withUsesUnknown(state: AccountState): AccountState {
  const tokens = state.tokens.map((token) => ({
    ...token,
    lastUsedAtMs: { from: token.lastUsedAtMs.from, to: endless },
  }));
  return { ...state, tokens };
}

/** Accepts a range as creation time of a newly uploaded file, until a response states it. */
function withTimeUnknown(state: AccountState, before: AccountState, createdAtMs: Range): AccountState {
  const known = new Set(before.blobs.map(({ id }) => id));
  return {
    ...state,
    blobs: state.blobs.map((blob) => (known.has(blob.id) ? blob : { ...blob, createdAtMs })),
  };
}

/** Forgets an upload whose file may or may not have been received, because only its completion would show it. */
function withoutUnknown(state: AccountState, { operation, params }: Call): AccountState {
  if (operation !== "send-file") return state;
  return { ...state, uploads: state.uploads.filter(({ id }) => id !== params?.id) };
}

/** Recognizes the error of a request whose connection was lost, or refused while the service starts. */
export function isConnectionLoss(error: unknown): boolean {
  const codes = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];
  const { code, cause, message } = error as NodeJS.ErrnoException & { readonly cause?: unknown };
  if (codes.includes(code ?? "") || message === "socket hang up" || message === "aborted") return true;
  return cause instanceof Error && isConnectionLoss(cause);
}
