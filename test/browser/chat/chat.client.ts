/** Chat around an app: its display, and its responses to the app's requests. Both hosts use it. */
import type { McpUiHostContext, McpUiMessageRequest } from "@modelcontextprotocol/ext-apps";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** Settings of the chat, from the test's server. */
export interface ChatSettings {
  /** HTML of the app. */
  readonly html: string;
  readonly sandboxUrl: string;
  /** Tool that the agent called. Its result opens the app. */
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly result: CallToolResult;
  readonly context: McpUiHostContext;
}

/** Requests that the chat has received from the app. */
export interface ChatRecord {
  readonly calls: { readonly name: string; readonly arguments?: Record<string, unknown> }[];
  readonly messages: string[];
  readonly links: string[];
  readonly heights: number[];
  /** True if the chat refuses messages and links. */
  isRefusing: boolean;
  /** Changes the host's context. */
  change: (context: McpUiHostContext) => void;
}

declare global {
  interface Window {
    chat: ChatRecord;
  }
}

// The library logs every message, and the test would receive each line through a pipe.
console.debug = () => {};

window.chat = { calls: [], messages: [], links: [], heights: [], isRefusing: false, change: () => {} };
const { chat } = window;

export async function readSettings(): Promise<ChatSettings> {
  return (await fetch("/settings")).json();
}

export async function callTool(params: {
  name: string;
  arguments?: Record<string, unknown> | undefined;
}): Promise<CallToolResult> {
  chat.calls.push({ name: params.name, ...(params.arguments ? { arguments: params.arguments } : {}) });
  const response = await fetch("/tools/call", { method: "POST", body: JSON.stringify(params) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

export function takeMessage({ content }: McpUiMessageRequest["params"]): { isError?: true } {
  if (chat.isRefusing) return { isError: true };
  const words = content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
  chat.messages.push(words);
  const bubble = document.createElement("p");
  bubble.className = "person";
  bubble.textContent = words;
  document.querySelector("main")?.append(bubble);
  return {};
}

export function openLink(url: string): { isError?: true } {
  if (chat.isRefusing) return { isError: true };
  chat.links.push(url);
  return {};
}

/** Records the height that the app requests, and returns it limited to the maximum. */
export function takeHeight(height: number | undefined, maxHeight: number): number {
  chat.heights.push(height ?? 0);
  return Math.min(height ?? 0, maxHeight);
}
