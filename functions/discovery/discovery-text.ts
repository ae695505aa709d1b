import { limits } from "../core/limits.ts";

/** Texts of the home page and of `/docs`. */
export const discoveryText = {
  reference: {
    title: "Reference",
    description: "Every operation of Dropleaf with its request, responses and errors.",
    guide: "Guide for agents",
    openApi: "OpenAPI",
    otherForms: "Other formats",
    contents: "Contents",
    filter: "Find an operation",
    noneFound: "No operation matches.",
    withToken: "With an API token.",
    withoutToken: "Without a token.",
    parameters: "Parameters",
    places: { path: "in the path", query: "in the query", header: "a header" },
    body: "Body",
    responses: "Responses",
    schemas: "Schemas",
    errors: "Errors",
    required: "required",
    fieldsOf: (name: string) => `Fields of ${name}`,
    listOf: "list of",
    or: " or ",
    from: (least: number) => `from ${least}`,
    upTo: (most: number) => `up to ${most}`,
    ifAbsent: (value: string) => `default ${value}`,
  },

  home: {
    title: "Dropleaf",
    description: "Publish one self-contained HTML page and get a permanent address with a version history.",
    heading: "A page from your agent, at an address that stays.",
    lead: "Your agent makes a page. Dropleaf gives the page a link that never changes, keeps every version, and can lock the page with a passcode.",
    connectHeading: "Connect your agent",
    copy: "Copy",
    copyAddress: "Copy the MCP address",
    copied: "Copied",
    connect:
      "Add this address as a remote MCP server in Claude, ChatGPT, Cursor or others. Sign in when a browser opens.",
    askLead: "Or tell any agent:",
    ask: "Publish this page with Dropleaf, at",
    readsGuide: "Agents find their guide here:",
    signIn: "Sign in",
    haveCode: "I have a code",
    ownToken: "Get a token without an agent",
    humanHeading: "For you",
    human: [
      {
        heading: "Sign in once",
        body: "Your agent shows a code and a link. Open the link, check that the codes match, and sign in.",
      },
      {
        heading: "Share the link",
        body: "Change the page as often as you like. The address stays the same, and older versions are one click away.",
      },
      {
        heading: "Choose the readers",
        body: "Each page can be for anyone, for members, or for people and groups that you name. You can add a passcode. It does not encrypt the page, so publish no secrets.",
      },
    ],
    agentHeading: "For your agent",
    agentLead: "Three calls from the first code to a published page.",
    steps: [
      {
        heading: "Ask for a code",
        body: "Show your human the code and the verification_url from the response. Keep the poll_token.",
      },
      {
        heading: "Wait for the token",
        body: `Poll every ${limits.pollIntervalSeconds} seconds until the status is verified. Only that response contains the api_token.`,
      },
      {
        heading: "Publish the first and every later version",
        body: "The first call publishes the page. Later calls for the same project publish its next version. The url in the response stays the same.",
      },
    ],
    agentLabel: "my agent",
    more: "All calls, all fields, and how to write pages that read well:",
    documents: [
      { path: "/llms.txt", name: "the guide for agents" },
      { path: "/docs", name: "the reference, for people" },
      { path: "/openapi.json", name: "the API description, for programs" },
    ],
  },
} as const;
