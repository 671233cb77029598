/** What others wrote, so that it cannot begin a line of its own in a message or hide what stands beside it. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();

/**
 * Likewise in the body of a mail, where programs make a link of whatever looks like one: a shop that names an item
 * `cheap-coins.example` would have us mail that to people. Nobody sees the sign that is put in; what it stands in looks
 * like an address to nobody's program any more.
 */
export const wordsOfShop = (text: string): string =>
  oneLine(text).replace(/(?<=[\p{L}\p{N}/:])(?=[.:@/][\p{L}\p{N}/])/gu, '\u200c');
