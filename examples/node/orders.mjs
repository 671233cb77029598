/** The orders: a file for each, which is there whole or not at all. Read and written in one go, so nobody comes between. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.ORDERS_DIR ?? join(import.meta.dirname, 'orders');
mkdirSync(folder, { recursive: true });

const fileOf = (id) => join(folder, `${id}.json`);

/** The id is random: who knows it may see the order. */
export function addOrder(charge) {
  return keep({ id: randomUUID(), charge, checkoutId: null, paymentPage: null, state: null });
}

/** Null: there is none. What strangers write into an address or a webhook is no path. */
export function findOrder(id) {
  if (!/^[0-9a-f-]{36}$/.test(id)) return null;
  try {
    return JSON.parse(readFileSync(fileOf(id), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

export function changeOrder(id, changes) {
  keep({ ...findOrder(id), ...changes });
}

function keep(order) {
  const draft = `${fileOf(order.id)}.new`;
  writeFileSync(draft, JSON.stringify(order, null, 2), { flush: true });
  renameSync(draft, fileOf(order.id));
  return order;
}
