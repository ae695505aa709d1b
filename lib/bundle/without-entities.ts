/**
 * Replaces `entities/decode` in the bundles. htmlparser2's tokenizer imports its 26 KB of tables, but the only tokenizer in the bundles
 * (`functions/drops/page-objects.ts`) never decodes entities.
 */
export const DecodingMode = { Legacy: 0, Strict: 1, Attribute: 2 } as const;

/** Stub that is never called, because `decodeEntities` is off. */
export class EntityDecoder {}

export const htmlDecodeTree = undefined;
export const xmlDecodeTree = undefined;
