/**
 * Where money goes, in the words that a passkey signs. All that decides it is in them: what is shown and done, is signed.
 * The account is added to every order by `account-route`.
 */
export type Goal = {
  readonly network: string;
  /** Null: of a refund that the customer says where to send, by a link. */
  readonly address: string | null;
  readonly memo: string | null;
  readonly memoType: string | null;
};

export function goalWords({ network, address, memo, memoType }: Goal, name: string | null = null): string {
  const to = address ?? 'whoever has the link of the refund';
  const named = name === null ? '' : ` (${name})`;
  const withMemo = memo === null ? '' : ` with the memo ${memo} (${memoType})`;
  return `on ${network} to ${to}${named}${withMemo}`;
}

export const orderInAccount = (order: string, { id, name }: { readonly id: string; readonly name: string }): string =>
  `${order}, in the account ${id} (${name})`;
