/**
 * A server closes connections that were idle for a while, and it may do so at the very moment when we send. For calls
 * that can be repeated: reading changes nothing, and a transaction broadcast twice is one transaction. Our other open
 * connections have been idle as long, so the second attempt should use a new one, if it can.
 */
export async function onceMoreIfHungUp<T>(attempt: (isAgain: boolean) => Promise<T>): Promise<T> {
  try {
    return await attempt(false);
  } catch (error) {
    // `fetch` wraps the error of the connection, node:http does not.
    const { code } = ((error as Error).cause ?? error) as { code?: string };
    if (code !== 'ECONNRESET' && code !== 'EPIPE' && code !== 'UND_ERR_SOCKET') throw error;
    return attempt(true);
  }
}
