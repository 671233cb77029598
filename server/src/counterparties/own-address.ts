import type { Query } from '../db/database.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { Destination } from '../networks/port/sending.ts';

/**
 * Whether this is an address that we gave out, or our wallet: money that we send to ourselves never leaves and pays
 * nothing. We do not say whose address it is.
 *
 * Where a memo tells targets apart they all share an address, so one of them is enough; elsewhere the key is the
 * address in the case that nodes use.
 */
export async function isOwnAddress(
  query: Query,
  { wallet, network: { id: network } }: Connector,
  { address }: Pick<Destination, 'address'>,
): Promise<boolean> {
  if (wallet?.address.toLowerCase() === address.toLowerCase()) return true;
  const [row] = await query<{ is_own: boolean | null }>`
    select exists (select from deposit_target
                    where network = ${network} and key = any(${[address, address.toLowerCase()]}))
        or (select address = ${address} from deposit_target where network = ${network} order by key limit 1) as is_own`;
  return row?.is_own === true;
}
