/**
 * JSON-RPC as Bitcoin Core and similar nodes speak it. Old nodes send an error with HTTP 500 and a JSON body, new ones
 * with HTTP 200. So we look at the body, and at the status only when the body is no JSON. Large amounts stay text.
 */
import { onceMoreIfHungUp } from '../../once-more-if-hung-up.ts';
import { NetworkError } from '../../port/connector.ts';
import { postText } from '../../post-text.ts';

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

export type UtxoRpc = {
  call<Result>(method: string, ...params: readonly unknown[]): Promise<Result>;
  /** One HTTP request for many calls. A call that the node refuses gives its error in its place. */
  batch<Result>(calls: readonly RpcCall[]): Promise<readonly (Result | RpcRefusal)[]>;
};

/** The node answered with an error. `code` is the node's own. */
export class RpcRefusal extends NetworkError {
  readonly code: number;

  constructor(method: string, code: number, reason: string) {
    super(`The node refused ${method}: ${reason} (${code}).`, { isRetryable: code !== methodNotFoundCode });
    this.name = 'RpcRefusal';
    this.code = code;
  }
}

const methodNotFoundCode = -32601;
/** Core's RPC_MISC_ERROR: for example, a pruned node no longer has the block. */
export const miscErrorCode = -1;

type RpcReply<Result> = { id?: unknown; result?: Result | null; error?: { code: number; message: string } | null };

export function createUtxoRpc(rpcUrl: string, timeoutMs: number): UtxoRpc {
  const { url, authorization } = splitCredentials(rpcUrl);

  async function post(body: unknown, what: string): Promise<unknown> {
    let status: number;
    let text: string;
    try {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
      ({ status, text } = await onceMoreIfHungUp((isAgain) =>
        postText(url, { headers, body: JSON.stringify(body), timeoutMs, isOnNewConnection: isAgain }),
      ));
    } catch (cause) {
      throw new NetworkError(`The node does not answer (${what}).`, { isRetryable: true, cause });
    }
    if (status === 401 || status === 403)
      throw new NetworkError('The node refuses our user name and password.', { isRetryable: false });
    try {
      return readReply(text);
    } catch (cause) {
      // A node that is busy or starting answers 503, with a sentence or an empty body.
      throw new NetworkError(`The node answered ${what} with HTTP ${status} and no JSON.`, {
        isRetryable: true,
        cause,
      });
    }
  }

  return {
    async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
      const reply = (await post({ jsonrpc: '1.0', id: 0, method, params }, method)) as RpcReply<Result>;
      const result = resultOf(method, reply);
      if (result instanceof RpcRefusal) throw result;
      return result;
    },

    async batch<Result>(calls: readonly RpcCall[]): Promise<readonly (Result | RpcRefusal)[]> {
      if (calls.length === 0) return [];
      const what = `${calls.length} × ${calls[0]?.method}`;
      const requests = calls.map(({ method, params }, id) => ({ jsonrpc: '1.0', id, method, params }));
      const replies = await post(requests, what);
      if (!Array.isArray(replies))
        throw new NetworkError(`The node answered ${what} with one answer.`, { isRetryable: true });
      // JSON-RPC lets a server answer a batch in any order.
      const replyById = new Map((replies as RpcReply<Result>[]).map((reply) => [reply.id, reply]));
      return calls.map(({ method }, id) => resultOf<Result>(method, replyById.get(id) ?? {}));
    },
  };
}

/**
 * An amount with eight digits or more before the point, which JSON.parse may round. Only amounts have these names, and
 * the pattern finds nothing inside a string, because the quotes there are escaped.
 */
const largeAmount = /("(?:value|total_amount)":\s*)(\d{8,}(?:\.\d+)?)(?=\s*[,}])/g;

const readReply = (text: string): unknown => JSON.parse(text.replace(largeAmount, '$1"$2"'));

function resultOf<Result>(method: string, reply: RpcReply<Result>): Result | RpcRefusal {
  if (reply.error) return new RpcRefusal(method, reply.error.code, reply.error.message);
  if (reply.result === undefined)
    throw new NetworkError(`The node's answer to ${method} has no result.`, { isRetryable: true });
  return reply.result as Result;
}

/** Credentials travel in the header, not in the URL, which may be logged. */
function splitCredentials(rpcUrl: string): { url: URL; authorization: string | undefined } {
  const url = new URL(rpcUrl);
  if (url.username === '') return { url, authorization: undefined };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
