/**
 * A text without what is repeated at its end. An expression such as `\/+$` looks for the end from every sign that it meets: with
 * a long row of them in the middle of a text it takes the square of its length.
 */
export function withoutEnd(text: string, isLeftOut: (sign: string) => boolean): string {
  let length = text.length;
  while (length > 0 && isLeftOut(text.charAt(length - 1))) length -= 1;
  return text.slice(0, length);
}
