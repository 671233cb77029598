/**
 * JSON-RPC as Ethereum's nodes speak it. Calls made at the same moment are sent in one HTTP request.
 *
 * The URL of a hosted node contains its secret key, and viem's errors repeat the URL: so we never pass these errors on.
 */
import { type BaseError, http, RpcError, RpcRequestError } from 'viem';
import { NetworkError } from '../../port/connector.ts';

export type EvmRpc = {
  call<Result>(method: string, ...params: readonly unknown[]): Promise<Result>;
};

/** The node answered with an error. `code` and `reason` are the node's own. */
export class EvmRefusal extends NetworkError {
  readonly code: number;
  readonly reason: string;

  constructor(method: string, code: number, reason: string) {
    super(`The node refused ${method}: ${reason} (${code}).`, { isRetryable: true });
    this.name = 'EvmRefusal';
    this.code = code;
    this.reason = reason;
  }
}

const callsPerRequest = 100;
/** Enough for several full blocks of a busy chain in one answer. */
const replyBytesMax = 100_000_000;

export function createEvmRpc(rpcUrl: string, timeoutMs: number): EvmRpc {
  const { url, authorization } = splitCredentials(rpcUrl);
  const transport = http(url, {
    batch: { batchSize: callsPerRequest },
    // Once more, because a node may close an idle connection at the moment when we send. Reading can be repeated.
    retryCount: 1,
    timeout: timeoutMs,
    maxResponseBodySize: replyBytesMax,
    ...(authorization !== undefined && { fetchOptions: { headers: { authorization } } }),
  })({});

  return {
    async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
      try {
        return (await transport.request({ method, params })) as Result;
      } catch (error) {
        throw toNetworkError(method, error);
      }
    },
  };
}

function toNetworkError(method: string, error: unknown): NetworkError {
  const { shortMessage, details } = error as Partial<BaseError>;
  if (error instanceof RpcError || error instanceof RpcRequestError) {
    return new EvmRefusal(method, error.code, details ?? shortMessage ?? 'without a reason');
  }
  const { status } = error as { status?: number };
  if (status === 401 || status === 403) {
    return new NetworkError('The node refuses our key or password.', { isRetryable: false });
  }
  return new NetworkError(`The node does not answer (${method}).`, {
    isRetryable: true,
    cause: new Error(shortMessage ?? 'the request failed'),
  });
}

/** `fetch` refuses a URL with credentials; they travel in the header instead. */
function splitCredentials(rpcUrl: string): { url: string; authorization: string | undefined } {
  const url = new URL(rpcUrl);
  if (url.username === '') return { url: url.href, authorization: undefined };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url: url.href, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
