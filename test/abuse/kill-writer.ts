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

/** Later than any moment of a test. */
const endless = Number.MAX_SAFE_INTEGER;

/** A call that was not answered, and the moments between which the service may have worked on it. */
export interface LostCall {
  readonly call: Call;
  readonly sentAtMs: number;
  readonly endedAtMs: number;
}

/** Somebody who writes until the service is gone, and then says what must be there. */
export class Writer {
  readonly #player: Player;
  /** It may have been done, or not. */
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

  /** Does one thing after the other, until one is not answered or all are done. */
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

  /** Takes note that a call of the account was made, and what came of it is not known. */
  lose(lost: LostCall): void {
    this.#unanswered = lost;
  }

  /**
   * Takes note that the service was killed: a message that was being handled comes again only after its visibility timeout, so
   * that what was closed just before is served until then, and what was opened is not.
   */
  noteKill(killedAtMs: number): void {
    this.#killedAtMs = killedAtMs;
    this.#player.state = withFollowUpsDelayed(this.state, killedAtMs);
  }

  /** Takes note that every message was handled since: nothing is served that was closed. */
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
   * Reads back everything: it must be what was acknowledged, with what was not answered wholly there or not at all.
   *
   * @throws with both reasons when it is neither
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
      `What was not answered is there in part, or something else is lost.\n${reasons.join("\n")}`,
    );
  }

  /** The account as it is if the lost response was good: that is made again of what can be read now. */
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

  /** The owner's page shows or does not show what is edited, and the response says no more. */
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

  /** The owner's page tells of a file again, all but its times: the response's is no more than one that may be. */
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

  /** The drop with the warnings that the lost response had: nothing says them later. */
  async #readChanged(before: AccountState, { params, body = {} }: Call): Promise<ReceivedResponse> {
    const read = await this.#readDrop(String(params?.slug));
    const drop = before.drops.find(({ slug }) => slug === params?.slug);
    return drop === undefined
      ? read
      : withWarningsTold(read, changeWarnings(drop, body as Partial<DropBody>));
  }

  /** Read with every token that may be good: which are, is what is to be found out. */
  async #read(call: Call): Promise<ReceivedResponse> {
    const tokens = this.state.tokens.filter(({ isRevoked }) => !isRevoked);
    const calls = tokens.map(({ plaintext: token }) => ({ ...call, token }));
    const observations = await this.#player.observeAll(calls);
    const good = observations.find(({ response }) => response.status !== 401) ?? observations[0];
    if (good === undefined) throw new Error("The writer has no token left.");
    return good.response;
  }
}

/** With what a response says of the page that has come, and nothing says later: its digest, and what its publisher may have meant. */
function withPublicationTold(read: ReceivedResponse, { body }: Call, status = read.status): ReceivedResponse {
  const { html } = body as { readonly html: string };
  const page = { sha256: createHash("sha256").update(html).digest("hex"), open_feedback: 0 };
  const told = { ...read, status, text: JSON.stringify({ ...JSON.parse(read.text), ...page }) };
  return withWarningsTold(told, html.includes("<") ? [] : ["html has no tags"]);
}

/** With these warnings after those that the response has. */
function withWarningsTold(read: ReceivedResponse, added: readonly string[]): ReceivedResponse {
  if (added.length === 0) return read;
  const body = JSON.parse(read.text) as { readonly warnings?: readonly string[] };
  return { ...read, text: JSON.stringify({ ...body, warnings: [...(body.warnings ?? []), ...added] }) };
}

/** The account with what was due at this moment, or later, due only when messages are delivered again. */
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

/** The call that was not answered may have used its token, and what is read to find that out uses others. */
function withUsesUnknown(state: AccountState): AccountState {
  const tokens = state.tokens.map((token) => ({
    ...token,
    lastUsedAtMs: { from: token.lastUsedAtMs.from, to: endless },
  }));
  return { ...state, tokens };
}

/** When a file was made, whose upload was not answered, the next response about it tells. */
function withTimeUnknown(state: AccountState, before: AccountState, createdAtMs: Range): AccountState {
  const known = new Set(before.blobs.map(({ id }) => id));
  return {
    ...state,
    blobs: state.blobs.map((blob) => (known.has(blob.id) ? blob : { ...blob, createdAtMs })),
  };
}

/** A file that may have arrived, or not, is not asked for again: only its completion would tell. */
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
