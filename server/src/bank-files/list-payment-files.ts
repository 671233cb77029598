/** Payment files with what became of the orders in them. */
import type { Query } from '../db/database.ts';
import { countOrders, type FiledOrder, type OrderTally, ordersOfFile } from '../sending/file-order-store.ts';
import { type FileFate, fileFate, type OrderCounts, type OrderState, orderState } from './payment-file-state.ts';
import { findPaymentFile, listPaymentFiles, type PaymentFile } from './payment-file-store.ts';

export type ListedFile = PaymentFile & { readonly counts: OrderCounts; readonly fate: FileFate };
export type ListedOrder = Omit<FiledOrder, 'state'> & { readonly state: OrderState };

const withCounts = (file: PaymentFile, tallies: readonly OrderTally[]): ListedFile => {
  const counts: Partial<Record<OrderState, number>> = {};
  for (const tally of tallies.filter(({ fileId }) => fileId === file.id)) {
    const state = orderState(file.state, tally);
    counts[state] = (counts[state] ?? 0) + tally.count;
  }
  return { ...file, counts, fate: fileFate(file.state, counts) };
};

async function counted(query: Query, network: string, files: readonly PaymentFile[]): Promise<ListedFile[]> {
  const tallies = await countOrders(
    query,
    network,
    files.map(({ id }) => id),
  );
  return files.map((file) => withCounts(file, tallies));
}

/** The newest first. */
export async function listFiles(
  query: Query,
  network: string,
  page: { readonly before: string | null; readonly limit: number },
): Promise<ListedFile[]> {
  return counted(query, network, await listPaymentFiles(query, network, page));
}

export async function findFile(query: Query, id: string): Promise<ListedFile | undefined> {
  const file = await findPaymentFile(query, id);
  return file && (await counted(query, file.network, [file]))[0];
}

export async function listOrders(query: Query, { id, network, state }: PaymentFile): Promise<ListedOrder[]> {
  const orders = await ordersOfFile(query, network, id);
  return orders.map((order) => ({ ...order, state: orderState(state, order) }));
}
