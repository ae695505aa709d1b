import { noContent, readIfMatch } from "../http/response.ts";
import { groups, type StoredGroup } from "./group-store.ts";
import {
  findByEquality,
  isRequestedAttribute,
  listResources,
  parseMembership,
  parseSelection,
  type Selection,
  selectAttributes,
} from "./list.ts";
import { parsePatch, patchGroup } from "./patch.ts";
import { locationOf, presentGroup } from "./presenter.ts";
import {
  type ResourceCalls,
  readScimBody,
  resourceResponse,
  type ScimInput,
  scimResponse,
} from "./resource-call.ts";
import { parseGroup } from "./resources.ts";
import { ScimError } from "./scim-error.ts";

/** Handles calls to /Groups and /Groups/{id} (RFC 7644, sections 3.3 to 3.6). */
export const callGroups: ResourceCalls = async (input, id) => {
  const { request, act, randomInt, site } = input;
  const respond = async (group: StoredGroup, location?: string) => {
    const body = await present(group, site.baseUrl, parseSelection(request));
    return resourceResponse(request, group, body, location);
  };
  switch (id === undefined ? `${request.method} all` : request.method) {
    case "GET all":
    case "HEAD all":
      return scimResponse(await listGroups(input));
    case "POST all": {
      const { members, ...facts } = parseGroup(await readScimBody(request));
      const group = await groups.create(facts, members, act, randomInt);
      return respond(group, locationOf(site.baseUrl, "Group", group.id));
    }
    case "GET":
    case "HEAD":
      return respond(await groups.require(id ?? ""));
    case "PUT": {
      const { members, ...facts } = parseGroup(await readScimBody(request));
      const whole = { isWhole: true, added: new Set(members), removed: new Set<string>() };
      const condition = readIfMatch(request);
      return respond(await groups.change(id ?? "", condition, act, () => ({ facts, members: whole })));
    }
    case "PATCH": {
      const operations = parsePatch(await readScimBody(request));
      const condition = readIfMatch(request);
      const group = await groups.change(id ?? "", condition, act, (facts) => patchGroup(facts, operations));
      // Responds without a body, because a group can have thousands of members. If the client requests certain attributes, the body
      // contains only these (RFC 7644, section 3.5.2).
      return parseSelection(request).wanted.length > 0 ? respond(group) : noContent();
    }
    case "DELETE":
      await groups.remove(id ?? "", readIfMatch(request), act);
      return noContent();
    default:
      throw new ScimError(405, `${request.method} is not supported here.`);
  }
};

async function present(group: StoredGroup, baseUrl: string, selection: Selection): Promise<object> {
  const members = isRequestedAttribute("members", selection) ? await groups.listMembers(group.id) : undefined;
  return selectAttributes(presentGroup(group, members, baseUrl), selection);
}

function listGroups({ request, site }: ScimInput): Promise<object> {
  return listResources(request, {
    ...groups,
    findByKey,
    // Omits `members`, because a filter on members would have to read the members of all groups.
    presentToFilter: (group) => presentGroup(group, undefined, site.baseUrl),
    present: (group, selection) => present(group, site.baseUrl, selection),
  });
}

/** Finds the groups for a filter on a name or on a single membership, without reading all groups. Returns undefined for other filters. */
async function findByKey(filter: string): Promise<readonly StoredGroup[] | undefined> {
  const membership = parseMembership(filter);
  if (membership !== undefined) {
    const { id, userId } = membership;
    return (await groups.isMember(id, userId)) ? groups.findAll([id]) : [];
  }
  return findByEquality(filter, lookUps);
}

const lookUps = new Map([
  ["displayname", (value: string) => groups.findByName({ kind: "group", value })],
  ["id", groups.find],
]);
