/** Cuts a long list into parts: strangers can make lists long, and between two parts others get their turn. */
export function inParts<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const parts: (readonly Item[])[] = [];
  for (let first = 0; first < items.length; first += size) parts.push(items.slice(first, first + size));
  return parts;
}
