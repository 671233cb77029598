/** What runs in a thread of `heavy-work`: a function of a module is called with what was sent, and its result sent back. */
import { parentPort } from 'node:worker_threads';
import { GatewayError } from './errors.ts';
import { withBuffers } from './with-buffers.ts';

export type ThreadOrder = { readonly module: string; readonly run: string; readonly given: readonly unknown[] };

export type ThreadAnswer =
  | { readonly output: unknown }
  | { readonly expected: Pick<GatewayError, 'code' | 'httpStatus' | 'told' | 'headers' | 'facts'> }
  | { readonly error: unknown };

async function answerTo({ module, run, given }: ThreadOrder): Promise<ThreadAnswer> {
  try {
    const { [run]: work } = await import(module);
    return { output: await work(...given.map(withBuffers)) };
  } catch (error) {
    if (!(error instanceof GatewayError)) return { error };
    const { code, httpStatus, told, headers, facts } = error;
    return { expected: { code, httpStatus, told, headers, facts } };
  }
}

parentPort?.on('message', (order: ThreadOrder) => {
  void answerTo(order).then((answer) => parentPort?.postMessage(answer));
});
