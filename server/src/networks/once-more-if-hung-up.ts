/**
 * A server closes connections that were idle for a while, and it may do so in the moment in which we speak. For calls
 * that can be repeated: reading changes nothing, and a transaction broadcast twice is one transaction. The other kept
 * connections have been idle for as long, so the second attempt is told to take a new one, if it can.
 */
export async function onceMoreIfHungUp<T>(attempt: (isAgain: boolean) => Promise<T>): Promise<T> {
  try {
    return await attempt(false);
  } catch (error) {
    // `fetch` wraps what the connection says, node:http does not.
    const { code } = ((error as Error).cause ?? error) as { code?: string };
    if (code !== 'ECONNRESET' && code !== 'EPIPE' && code !== 'UND_ERR_SOCKET') throw error;
    return attempt(true);
  }
}
