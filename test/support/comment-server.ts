import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface IssueComment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

/** The part of GitHub's API that is about an issue's comments. */
export interface CommentServer {
  readonly address: string;
  /** In the order that they were made. */
  readonly comments: IssueComment[];
  stop(): void;
}

/**
 * Starts it with comments of other people's.
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
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const sent = (JSON.parse((await text(request)) || "{}") as { body?: string }).body ?? "";
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`)
      return answer(401, { message: "Bad credentials" });
    const found = comments.find(({ id }) => String(id) === one.exec(url.pathname)?.[1]);
    if (request.method === "GET" && url.pathname === all) {
      const [page, size] = [
        Number(url.searchParams.get("page") ?? 1),
        Number(url.searchParams.get("per_page") ?? 30),
      ];
      return answer(200, comments.slice((page - 1) * size, page * size));
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
  return { address: `http://127.0.0.1:${port}`, comments, stop: () => server.close() };
}
