/** The chat around an app: what it shows, and what the app asks of it. Both hosts use it. */
import type { McpUiHostContext, McpUiMessageRequest } from "@modelcontextprotocol/ext-apps";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** Settings of the chat, from the test's server. */
export interface ChatSettings {
  /** The app. */
  readonly html: string;
  readonly sandboxUrl: string;
  /** The agent's call, whose result the app is opened from. */
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
  /** The chat takes no messages and opens no links. */
  isRefusing: boolean;
  /** Changes the host's context. */
  change: (context: McpUiHostContext) => void;
}

declare global {
  interface Window {
    chat: ChatRecord;
  }
}

// The library logs every message. Nobody has this console open, and the test would take each line through a pipe.
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

/** Gives the app its height, as hosts do: no more than the maximum. */
export function takeHeight(height: number | undefined, maxHeight: number): number {
  chat.heights.push(height ?? 0);
  return Math.min(height ?? 0, maxHeight);
}
