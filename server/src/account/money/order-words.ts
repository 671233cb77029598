/**
 * Where money goes, in the words that a passkey signs. All that decides it is in them: what is shown and done, is signed.
 * The account is added to every order by `account-route`.
 */
import type { Holder } from '../../networks/port/sending.ts';

export type Goal = {
  readonly network: string;
  /** Null: of a refund that the customer says where to send, by a link. */
  readonly address: string | null;
  readonly memo: string | null;
  readonly memoType: string | null;
  /** Whose account it is, where the network asks for that. */
  readonly holder: Holder | null;
};

export function goalWords({ network, address, memo, memoType, holder }: Goal, name: string | null = null): string {
  const to = address ?? 'whoever has the link of the refund';
  const named = name === null ? '' : ` (${name})`;
  const withMemo = memo === null ? '' : ` with the memo ${memo} (${memoType})`;
  const held = holder === null ? '' : ` of ${holderWords(holder)}`;
  return `on ${network} to ${to}${held}${named}${withMemo}`;
}

/** All that is sent to the bank. */
export const holderWords = ({ name, street, postCode, town, country, bic }: Holder): string =>
  [name, street, postCode, town, country, bic && `BIC ${bic}`].filter((part) => part !== null).join(', ');

export const orderInAccount = (order: string, { id, name }: { readonly id: string; readonly name: string }): string =>
  `${order}, in the account ${id} (${name})`;
