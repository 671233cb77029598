/** A return (devolução) that we ask the bank for: of which Pix, under which name, how much. Stored before it leaves. */
import { createHash } from 'node:crypto';
import { formatUnits } from '../../money/amount.ts';
import { NetworkError } from '../port/connector.ts';
import type { Payout } from '../port/sending.ts';
import { readCentavos, writeReais } from './pix-amount.ts';
import { assetCode, type PixReturn } from './received-pix.ts';

export type PixReturnOrder = {
  readonly endToEndId: string;
  /** Ours, so that asking twice gives back once. */
  readonly id: string;
  readonly units: bigint;
};

/** 1 to 35 letters and digits, unique for a Pix, whoever else gives something of it back. The same for ever. */
const returnIdOf = (payoutId: string): string =>
  createHash('sha256').update(`quittance pix return ${payoutId}`).digest('hex').slice(0, 32);

export const orderOf = ({ id, address, units }: Payout): PixReturnOrder => ({
  endToEndId: address,
  id: returnIdOf(id),
  units,
});

export const pathOf = ({ endToEndId, id }: PixReturnOrder): string => `/pix/${endToEndId}/devolucao/${id}`;

export const bodyOf = ({ units }: PixReturnOrder): { readonly valor: string } => ({ valor: writeReais(units) });

export const writeOrder = (order: PixReturnOrder): string =>
  JSON.stringify({ ...order, units: writeReais(order.units) });

export function readOrder(raw: string): PixReturnOrder {
  const { endToEndId, id, units } = JSON.parse(raw) as Record<'endToEndId' | 'id' | 'units', string>;
  const centavos = readCentavos(units);
  if (centavos === undefined) throw new Error('a stored return has no amount');
  return { endToEndId, id, units: centavos };
}

/** Our name with another amount is nothing that we asked for: then nobody may guess. */
export function demandAsOrdered(order: PixReturnOrder, found: PixReturn): PixReturn {
  if (found.id === order.id && found.units === order.units) return found;
  throw new NetworkError(`The Pix provider has another return as ${order.id} than it was asked for.`, {
    isRetryable: false,
  });
}

export const inReais = (units: bigint): string => `${formatUnits(units, 2)} ${assetCode}`;
