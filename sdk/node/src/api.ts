/** Calls by the name of their operation, with the types of the contract. What the resources are made of. */
import { type Operations, operations } from './contract.ts';
import { errorFrom, isSuccess } from './errors.ts';
import { List, type Page } from './list.ts';
import type { CallOptions, FileAnswer, Params, Transport } from './transport.ts';

export type Operation = keyof Operations;
export type Input<O extends Operation> = Operations[O]['input'];
export type Reply<O extends Operation> = Operations[O]['reply'];

export type Api = {
  call<O extends Operation>(operation: O, input: Input<O>, options?: CallOptions): Promise<Reply<O>>;
  file(operation: Operation, input: Params, options?: CallOptions): Promise<FileAnswer>;
};

export function createApi(transport: Transport): Api {
  async function send(operation: Operation, input: unknown, options: CallOptions | undefined, isFile: boolean) {
    const { method, path } = operations[operation];
    const answer = await transport.send({ method, path, params: input as Params, isFile }, options);
    if (!isSuccess(answer)) throw errorFrom(answer);
    return answer;
  }
  return {
    async call(operation, input, options) {
      return (await send(operation, input, options, false)).data as Reply<typeof operation>;
    },
    file: (operation, input, options) => send(operation, input, options, true),
  };
}

/** A list operation as a list: `itemsOf` finds the items in a reply. */
export function listOf<O extends Operation, T>(
  api: Api,
  operation: O,
  filter: Input<O>,
  options: CallOptions | undefined,
  itemsOf: (reply: Reply<O>) => readonly T[],
): List<T> {
  return new List<T>(async (cursor): Promise<Page<T>> => {
    const input: Input<O> = cursor === null ? filter : { ...filter, cursor };
    const reply = await api.call(operation, input, options);
    return { items: itemsOf(reply), next: (reply as { readonly next?: string | null }).next ?? null };
  });
}
