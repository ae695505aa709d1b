/**
 * A call by an agent that has not read all documentation, and the words in the response that lead to a correct next
 * call.
 */
export interface WrongCall {
  /** The line itself, used as the title of its test. */
  readonly line: string;
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  /** @default - the call succeeds, or a tool returns the error */
  readonly code: string | undefined;
  readonly words: readonly Word[];
}

/** Words of a response. */
interface Word {
  readonly text: string;
  /** The message must not contain it. */
  readonly isAbsent: boolean;
  /** The details may contain it instead of the message. */
  readonly isInDetails: boolean;
}

const html = "<!doctype html><title>A page</title><p>Hello";
const parts: Readonly<Record<string, string>> = {
  $page: `"title":"A page","html":"${html}"`,
  $html: html,
  $long: "a".repeat(300),
};

/**
 * Reads calls, one a line: `METHOD /address [header: value; header: value] body -> status code: word | word`. `tool name {arguments}` calls a
 * tool, `rpc method {params}` another method of MCP. `$page`, `$html` and `$long` stand for texts. A word after `!` must be absent; one after `~`
 * may be in the details.
 */
export function readCalls(text: string): readonly WrongCall[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(readCall);
}

function readCall(line: string): WrongCall {
  const [, call = "", answer = ""] = /^(.*) ->(.*)$/.exec(line) ?? [];
  const [, method = "", address = "", sent = "", rest = ""] =
    /^(\S+) (\S+)(?: \[([^\]]*:[^\]]*)\])?(?: (.*))?$/.exec(call) ?? [];
  const [, status = "200", code, words = ""] = /^(?: (\d{3})(?: (\w+))?:|:)? (.*)$/.exec(answer) ?? [];
  if (words === "") throw new Error(`The line is no call: ${line}`);
  const body = rest.replace(/\$(page|html|long)/g, (name) => parts[name] ?? name);
  const headers = sent.split("; ").filter((one) => one !== "");
  return {
    line,
    ...(/^(tool|rpc)$/.test(method)
      ? ofMcp(method, address, body)
      : {
          method,
          address,
          body: /^[{["]/.test(body) ? body : body.replace(/\\r/g, "\r").replace(/\\n/g, "\n"),
        }),
    headers: Object.fromEntries(
      headers.map((one) => {
        const [name = "", value = ""] = one.split(/:\s?(.*)/s);
        return [name, value.replace("$long", parts.$long ?? "")];
      }),
    ),
    status: Number(status),
    code,
    words: words.split(" | ").map(readWord),
  };
}

function ofMcp(kind: string, name: string, sent: string) {
  const params = JSON.parse(sent || "{}") as unknown;
  const message =
    kind === "rpc" ? { method: name, params } : { method: "tools/call", params: { name, arguments: params } };
  return { method: "POST", address: "/mcp", body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }) };
}

function readWord(word: string): Word {
  return {
    text: word.replace(/^[!~]/, ""),
    isAbsent: word.startsWith("!"),
    isInDetails: word.startsWith("~"),
  };
}
