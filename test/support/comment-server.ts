import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface IssueComment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

/** A fake of the issue-comment endpoints of GitHub's API. */
export interface CommentServer {
  readonly address: string;
  /** In order of creation. */
  readonly comments: IssueComment[];
  /** Rejects writes, as GitHub does for a read-only token. */
  isReadOnly: boolean;
  stop(): void;
}

/**
 * Starts the server with other people's comments.
 *
 * Source: GitHub Docs, "REST API endpoints for issue comments".
 */
export async function startCommentServer(
  token: string,
  issue: string,
  bodies: readonly string[],
): Promise<CommentServer> {
  const comments = bodies.map(
    (body, index): IssueComment => ({ id: index + 1, user: { login: "mallory" }, body }),
  );
  const all = `/repos/${issue.replace("#", "/issues/")}/comments`;
  const one = new RegExp(`^/repos/${issue.split("#")[0]}/issues/comments/(\\d+)$`);
  const started = { address: "", comments, isReadOnly: false, stop: () => server.close() };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const sent = (JSON.parse((await text(request)) || "{}") as { body?: string }).body ?? "";
    const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      response
        .writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
        .end(JSON.stringify(body));
    if (!new RegExp(`^(Bearer|token) ${token}$`).test(request.headers.authorization ?? ""))
      return answer(401, { message: "Bad credentials" });
    if (started.isReadOnly && request.method !== "GET")
      return answer(403, { message: "Resource not accessible by integration" });
    const found = comments.find(({ id }) => String(id) === one.exec(url.pathname)?.[1]);
    if (request.method === "GET" && url.pathname === all) {
      const [page, size] = [
        Number(url.searchParams.get("page") ?? 1),
        Number(url.searchParams.get("per_page") ?? 30),
      ];
      url.searchParams.set("page", String(page + 1));
      const next = { link: `<${started.address}${url.pathname}${url.search}>; rel="next"` };
      const isLast = comments.length <= page * size;
      return answer(200, comments.slice((page - 1) * size, page * size), isLast ? {} : next);
    }
    if (request.method === "POST" && url.pathname === all) {
      const comment = { id: comments.length + 1, user: { login: "github-actions[bot]" }, body: sent };
      comments.push(comment);
      return answer(201, comment);
    }
    if (request.method === "PATCH" && found !== undefined) {
      found.body = sent;
      return answer(200, found);
    }
    return answer(404, { message: "Not Found" });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  started.address = `http://127.0.0.1:${port}`;
  return started;
}
