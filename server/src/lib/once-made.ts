/** What takes a while to make and never changes: made when somebody asks for it first. */
export function onceMade<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
