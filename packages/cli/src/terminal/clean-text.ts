/** Scripts in which a joiner character changes the shape of letters (RFC 5892, appendix A). */
const joining = String.raw`\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}`;

/**
 * Characters that control a terminal or hide text: control characters (C0, DEL and C1, which include ESC, CSI and OSC), line separators,
 * bidirectional overrides and isolates, lone surrogates, and invisible characters. Arabic number signs are excluded, because they are
 * visible although they are format characters.
 */
const acting = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}[\p{Cf}--[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2]]]`;

/** Harmless characters: joiners in emoji and in scripts that need them, and variation selectors after visible characters. */
const harmless = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${joining}])[\u200C\u200D](?=[\p{L}\p{M}])`,
  String.raw`(?<=[\p{L}\p{N}\p{P}\p{S}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`,
];

const actingCharacters = new RegExp(`(?<harmless>${harmless.join("|")})|${acting}`, "gv");
const actingInJson = new RegExp(acting, "gv");

/**
 * Cleans a line of untrusted text before styling. A page's title must not control the terminal or imitate other output. Line breaks become
 * spaces, tabs stay, and other control characters become U+FFFD.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(/\r?\n/g, " ")
    .replaceAll(actingCharacters, (character, harmlessOne) =>
      character === "\t" || harmlessOne !== undefined ? character : "\uFFFD",
    );
}

/** Serializes JSON that cannot control a terminal. Control characters are escaped, so the data stays the same. */
export function toTerminalJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(actingInJson, (character) =>
    character === "\n"
      ? character
      : Array.from(
          { length: character.length },
          (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
        ).join(""),
  );
}
