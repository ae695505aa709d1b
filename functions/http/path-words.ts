/**
 * Sentences by words of unknown paths. A key lists the words, and before them the methods that it is for: by default all. The first key
 * with the word counts. A sentence names the right calls, or says that the service has no such thing, and the nearest one.
 */
type WordTable = Readonly<Record<string, string>>;

/** Words after the slug of a drop, or after the id of another service's page. */
const wordsOfDrop: WordTable = {
  "GET HEAD comments comment feedback feedbacks threads replies reviews discussion discussions annotations notes":
    "GET /api/feedback?slug={slug} lists what readers have written, and waits for more with wait=25.",
  "POST PUT reply respond answer":
    'POST /api/drops/{slug}/feedback/{thread}/replies with {"text": "…"} replies to a reader.',
  "POST comments comment feedback feedbacks threads replies reviews discussion annotations notes suggestions":
    'Readers write comments on the page, if PATCH /api/drops/{slug} has set {"feedback": "readers"}. To reply to one, send POST /api/drops/{slug}/feedback/{thread}/replies with {"text": "…"}.',
  "PUT PATCH DELETE comments comment feedback feedbacks threads replies reviews":
    'PATCH /api/drops/{slug}/feedback/{thread} with {"state": "resolved"} resolves a thread; DELETE /api/drops/{slug}/feedback/{thread} deletes it.',
  "resolve resolved close reopen":
    'PATCH /api/drops/{slug}/feedback/{thread} with {"state": "resolved"} resolves a thread, and "open" reopens it.',
  "PATCH DELETE versions version history revisions v commits":
    "DELETE /api/drops/{slug}/v/{n} deletes a version. A version never changes: PUT /api/drops/{slug} publishes a new one.",
  "POST PUT versions version history revisions v commits releases draft drafts publish republish deploy deploys deployments promote":
    'PUT /api/drops/{slug} with "html" publishes a new version at once. There are no drafts.',
  "versions version history revisions v commits releases snapshots latest":
    "GET /api/drops/{slug}/versions lists the versions, GET /api/drops/{slug}/v/{n} describes one, and GET /api/drops/{slug}/html?v={n} is its page.",
  "restore rollback revert":
    'POST /api/drops/{slug}/restore with {"version": 1} publishes an earlier version as the newest.',
  "undelete untrash unarchive recover":
    'A deleted drop cannot be restored: publish it again with POST /api/drops. For an earlier version of a drop, send POST /api/drops/{slug}/restore with {"version": 1}.',
  "diff diffs compare changes": "GET /api/drops/{slug}/diff?from=1&to=2 compares two versions.",
  "GET HEAD share shares sharing permission permissions access acl collaborators members readers viewers users visibility privacy grants":
    'GET /api/drops/{slug} shows "visibility" and "readers"; PATCH /api/drops/{slug} changes them.',
  "share shares sharing permission permissions access acl collaborators collaborator members readers viewers users grants invite invites invitations teams team groups contributors editors make-public":
    'To choose the readers, send PATCH /api/drops/{slug} with {"visibility": "people", "readers": ["ada@example.com"]}, or with "public" and no readers. Nobody but the owner can change a drop.',
  "visibility private public privacy unlisted archive archived unpublish hide disable deactivate":
    'To choose who can read it, send PATCH /api/drops/{slug} with "visibility": "public", "unlisted" (everybody with the link), "members", or "people" with "readers". DELETE /api/drops/{slug} deletes it for good.',
  "GET HEAD tags tag labels label topics keywords categories metadata meta properties fields":
    'GET /api/drops/{slug} has the tags in "metadata".',
  "tags tag labels label topics keywords categories metadata meta properties fields move folder parent":
    'Tags are metadata: PATCH /api/drops/{slug} with {"metadata": {"team": "ops"}} replaces all of them. There are no folders.',
  "title description rename name settings config indexed seo robots":
    'PATCH /api/drops/{slug} with {"title": "…"} changes it; so for "description", "indexed" and "feedback".',
  "passcode password lock locked unlock protect protection gate":
    'POST /api/drops/{slug}/passcode with {"passcode": "…"} locks the drop, and the empty string unlocks it.',
  "freeze readonly read-only pin pins":
    "A drop cannot be frozen or pinned: nobody but its owner changes it. DELETE /api/drops/{slug}/v/{n} removes a version, and nothing else removes one.",
  "expiry expiration expire expires ttl":
    'PATCH /api/drops/{slug} with {"expires_in_days": 7} has a drop expire, and with null never. DELETE /api/drops/{slug} deletes it at once.',
  "schedule scheduled":
    'A drop is published at once. {"visibility": "people"} with your own address in "readers" keeps others out until you PATCH /api/drops/{slug}.',
  "stats statistics views view analytics metrics insights traffic visits visitors hits reads opens activity audit events log logs":
    "GET /api/drops/{slug} has view_count, and GET /api/drops/{slug}/reads lists who opened a drop whose readers sign in. GET /api/drops/{slug}/versions lists its changes.",
  "hook hooks webhook webhooks subscribe subscription subscriptions subscribers watch watchers notify notifications channels":
    "A drop has no webhooks: the operator sets them for the whole service. GET /api/feedback?slug={slug}&wait=25 waits for comments.",
  "asset assets file files attachment attachments image images picture media upload uploads blobs":
    "POST /api/blobs?filename=chart.png uploads a file; write its url into the page, and send that with PUT /api/drops/{slug}.",
  "screenshot screenshots thumbnail preview render card og og-image picture png jpg jpeg pdf report check validate lint audit lighthouse":
    "GET /api/drops/{slug}/render shows the page as a picture, with what is wrong with it. There is no PDF.",
  "GET HEAD markdown md text txt source plain":
    "GET /api/drops/{slug}/source is the Markdown that a page was made of; GET /api/drops/{slug}/html is the page.",
  "GET HEAD html raw content contents body file document page export download archive zip export.html index index.html data blocks children":
    "GET /api/drops/{slug}/html is the page, and GET /api/drops/{slug} its details.",
  "html raw content contents body file document page source markdown data append prepend edit edits update replace overwrite patch blocks children sections upsert index index.html":
    'PUT /api/drops/{slug} with the complete page as "html" publishes it as the next version. PATCH /api/drops/{slug} changes title, tags and readers.',
  "DELETE delete remove destroy trash": "DELETE /api/drops/{slug} deletes a drop with all its versions.",
  "delete remove destroy trash": "DELETE /api/drops/{slug} deletes a drop with all its versions.",
  "fork forks copy clone duplicate":
    "To copy a page, read GET /api/drops/{slug}/html, and publish it with POST /api/drops.",
  "star stars like likes favorite favorites reaction reactions vote votes upvote rating ratings":
    "There are no stars and votes. Readers can write comments: GET /api/feedback?slug={slug} lists them.",
  "transfer owner owners ownership":
    "A drop stays with its owner. To copy it to another account, publish its page there with POST /api/drops.",
  "slug alias aliases domain domains url urls link links shortlink shorten qr qrcode redirect redirects embed oembed":
    "The address of a drop never changes, and its owner cannot choose it. GET /api/drops/{slug} has it in url, and the page alone in raw_url.",
  "status state info details summary": "GET /api/drops/{slug} is all that there is to know of a drop.",
};

/** Words at the beginning of a path. */
const firstWords: WordTable = {
  "POST PUT upload uploads files file media assets":
    "To publish a page, send POST /api/drops with Content-Type: text/html. To upload a picture or another file, send POST /api/blobs?filename=chart.png with its bytes.",
  "search find query lookup":
    "Your own drops have no search: GET /api/drops?metadata.<key>=<value> lists those with a tag. GET /api/library?q=… searches what others share with you.",
  "team teams org orgs organization organizations group groups member members contacts roles invites invitations permissions shares":
    'There are no teams to manage in the API. To share a drop with a group, send PATCH /api/drops/{slug} with {"visibility": "people", "readers": ["group:engineering"]}.',
  "folder folders collection collections category categories tag tags label labels topics spaces space workspaces workspace notebooks":
    'There are no folders: PATCH /api/drops/{slug} tags a drop with {"metadata": {"team": "ops"}}, and GET /api/drops?metadata.team=ops lists those with the tag.',
  "hook hooks webhook webhooks subscription subscriptions notifications notification integrations":
    "Webhooks are set by the operator for the whole service. GET /api/feedback?wait=25 waits for readers' comments.",
  "event events activity activities audit audit-log logs log stream feed changes":
    "The API has no list of events. GET /api/drops?sortBy=updated_at lists what has changed, and GET /api/feedback?wait=25 waits for readers' comments.",
  "trash bin deleted archive archived recycle-bin drafts scheduled":
    "There are no drafts and no trash: a deleted drop cannot be restored. GET /api/drops lists what there is.",
  "rate_limit rate-limit ratelimit rate_limits limit limits quota quotas usage billing plan plans subscription-plan credits stats statistics analytics metrics":
    "GET /api/me/usage tells what the account uses of its limits. GET /api/drops has the view_count of each drop.",
  "import imports fetch crawl clip scrape convert markdown":
    'The service fetches no pages: send the page itself as "html" with POST /api/drops, or Markdown as the body with Content-Type: text/markdown.',
  "screenshot screenshots render renders preview previews thumbnail thumbnails pdf validate lint check":
    "GET /api/drops/{slug}/render shows a drop as a picture, with what is wrong with it. It has to be published first, with POST /api/drops.",
  "comment comments feedback feedbacks thread threads replies reviews inbox messages":
    "GET /api/feedback lists what readers have written. POST /api/drops/{slug}/feedback/{thread}/replies replies.",
  "rotate refresh regenerate revoke renew":
    "A token is not renewed: POST /api/auth/start signs in for a new one. DELETE /api/tokens/{id} then revokes the old one.",
  "logout signout sign-out": "DELETE /api/tokens/{id} revokes a token; GET /api/tokens lists them.",
  "library public explore discover trending popular recent recents shared-with-me shared gallery":
    "GET /api/library lists what others share with you. GET /api/drops?sortBy=updated_at lists your own drops, the last changed first.",
  "health healthz status ping version versions info about config settings ready live":
    "There is no such address. GET /openapi.json has the version of the service, and GET /api/me shows that a token works.",
  "new create add publish": "POST /api/drops publishes a page.",
  "upsert put save":
    "PUT /api/drops?metadata.<key>=<value> publishes to the drop with this tag, or to a new one.",
  "presign presigned presigned-url signed-url upload-url signed multipart":
    "POST /api/blobs/uploads gives an address for a large file. Files up to 3 MB: POST /api/blobs?filename=chart.png.",
  "GET HEAD token tokens key keys api-keys apikeys": "GET /api/tokens lists your tokens with their ids.",
  "token tokens key keys api-keys apikeys login signin sign-in signup sign-up register session sessions auth oauth authorize device code":
    "POST /api/auth/start starts a sign-in, in which a person confirms a code. GET /api/auth/poll?token=<poll_token> then gives a token.",
  "mcp mcp.json sse messages message jsonrpc tools resources prompts":
    "The MCP server is at POST /mcp, by streamable HTTP.",
  "openid-configuration jwks jwks.json userinfo":
    "GET /.well-known/oauth-authorization-server describes the sign-in of MCP clients; programs use POST /api/auth/start.",
  "graphql batch bulk rpc":
    "There are no queries and batches: GET /api/drops lists your drops, and each is published by a call of its own, POST /api/drops.",
  "export exports backup backups dump":
    "`npx dropleaf export` copies all of an account into a folder. By calls: GET /api/drops lists the drops, and GET /api/drops/{slug}/html is the page of each.",
  "domain domains dns certificates themes theme templates template layouts env environments builds build":
    "There are no domains, templates and builds to set in the API. POST /api/drops publishes a complete HTML page at an address that the service chooses.",
  "drops drop pages documents repos gists sites posts":
    "GET /api/drops lists your drops, and POST /api/drops publishes one.",
  "user users people author authors": "GET /api/me is your own account. The API shows no other people's.",
  "profile settings preferences account me":
    "Name and address of an account come from its sign-in, and cannot be changed here. GET /api/me shows them.",
};

/** Words after the id of a file; `id` stands for the file itself. */
const wordsOfFile: WordTable = {
  "permission permissions share sharing access acl visibility readers public private":
    'PATCH /api/blobs/{id} with "visibility": "public", "unlisted", "members", or "people" with "readers" says who can read a file.',
  "GET HEAD id content raw download url metadata info":
    "GET /api/blobs/{id} describes one of your files. The file itself is at its url.",
  "DELETE trash delete remove": "DELETE /api/blobs/{id} deletes a file.",
  "POST PUT PATCH id content rename copy metadata update":
    "The name and bytes of a file never change, and the service chooses its id: POST /api/blobs?filename=chart.png uploads a new file, and DELETE /api/blobs/{id} deletes the old one.",
};

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Finds the sentence for the last word of a path that a table has: as a whole, without its file ending, or a part of it. */
function findSentence(table: WordTable, method: string, words: readonly string[]): string | undefined {
  for (const word of words.toReversed()) {
    const stem = word.replace(/\.\w+$/, "");
    for (const one of [word, stem, ...stem.split(/[-_:]/)]) {
      const found = Object.entries(table).find(([key]) => {
        const names = key.split(" ");
        const isForAll = !names.some((name) => methods.includes(name));
        return names.includes(one) && (isForAll || names.includes(method));
      });
      if (found !== undefined) return found[1];
    }
  }
  return undefined;
}

/** Parts of a drop that have an address. */
const partsOfDrop =
  "GET /api/drops/{slug} has all about a drop; its parts are /html, /source, /versions, /v/{n}, /diff, /render, /reads, /passcode, /restore and /feedback.";

/** Limit of the segments that are looked at. */
const segmentsMax = 8;

/**
 * Finds the sentence that mends an unknown path.
 *
 * @param segments of the path below `/api`, in lower case, with other services' words for pages and files replaced by `drops` and `blobs`
 */
export function explainPath(method: string, segments: readonly string[]): string | undefined {
  const [first = "", second = "", ...rest] = segments;
  if (first === "drops" && rest.length > 0) return findSentence(wordsOfDrop, method, rest) ?? partsOfDrop;
  if (first === "blobs" && second !== "") {
    const ofAll =
      rest.length > 0 || second.includes(".") ? undefined : findSentence(firstWords, method, [second]);
    return ofAll ?? findSentence(wordsOfFile, method, ["id", ...rest]);
  }
  return findSentence(firstWords, method, first === "drops" ? [second] : segments.slice(0, segmentsMax));
}

/** All sentences, for the test that each call of theirs exists. */
export const pathSentences: readonly string[] = [wordsOfDrop, wordsOfFile, firstWords].flatMap((table) =>
  Object.values(table),
);
