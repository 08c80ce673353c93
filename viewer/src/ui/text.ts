/** Text of a run is anybody's. It is shown as text, and what hides or turns text is made visible. */

const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

const MOST = 5_000;

/**
 * Control characters, lone surrogates and marks of direction as escapes, such as \u202e. Of more
 * than `most` letters the beginning: what may be read whole is shown by `Long`.
 */
export function visible(text: string, most = MOST): string {
  const shown = text.length > most ? `${text.slice(0, most)}...` : text;
  return shown.replace(
    HIDDEN,
    (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** A text of errors that stands by itself. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The beginning of a long text, and whether there is more. */
export function cut(text: string, most: number): [string, boolean] {
  return text.length > most ? [text.slice(0, most), true] : [text, false];
}

/**
 * A number as it is printed: digits behind the point, none for what is whole, two digits that count
 * for what would round to nothing, a dash for none.
 */
export function number(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const small = Math.abs(value) < 0.5 * 10 ** -digits;
  return small ? value.toPrecision(2) : value.toFixed(digits);
}
