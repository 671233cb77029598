/** A long list in parts of a size: what strangers made long is worked on part by part, and others get their turn between. */
export function inParts<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const parts: (readonly Item[])[] = [];
  for (let first = 0; first < items.length; first += size) parts.push(items.slice(first, first + size));
  return parts;
}
