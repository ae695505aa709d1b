/**
 * Replaces `entities/decode` in the bundles: htmlparser2's tokenizer imports its 26 KB of tables, and the only tokenizer here
 * (`functions/drops/page-objects.ts`) never decodes an entity.
 */
export const DecodingMode = { Legacy: 0, Strict: 1, Attribute: 2 } as const;

/** Never called: `decodeEntities` is off. */
export class EntityDecoder {}

export const htmlDecodeTree = undefined;
export const xmlDecodeTree = undefined;
