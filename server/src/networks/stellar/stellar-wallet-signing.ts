/**
 * Paying with a Stellar wallet in the browser, such as Freighter. It only signs, and the page may ask no third party:
 * so the transaction is made here, and what was signed is sent to Horizon from here. Nothing that the page says is
 * believed: whether a checkout is paid is decided, as always, by what is in the ledger.
 */
import type { Secret } from '../../lib/secret.ts';
import { isAccountId } from '../../lib/strkey.ts';
import type { WalletSigning } from '../port/connector.ts';
import type { DepositTarget } from '../port/receiving.ts';
import type { Sep7 } from './stellar-payer.ts';

/** In stroops, at most: the network takes only what it asks for, mostly 100. */
const feeMax = '100000';
const validSeconds = 600;
const timeoutMs = 20_000;

export function createStellarSigning(options: {
  readonly horizonUrl: Secret;
  readonly passphrase: string;
  readonly issuers: Sep7['issuers'];
}): WalletSigning {
  const { passphrase, issuers } = options;
  const horizon = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${options.horizonUrl.reveal().replace(/(?<!\/)\/+$/, '')}${path}`, {
      ...init,
      signal: AbortSignal.timeout(timeoutMs),
    });

  return {
    async build(account, { assetCode, amount, address, memo }, now) {
      const issuer = issuers.get(assetCode);
      if (issuer === undefined || !isAccountId(account)) return null;
      const reply = await horizon(`/accounts/${account}`);
      if (!reply.ok) return null;
      const { sequence } = (await reply.json()) as { sequence: string };
      const { Account, Asset, Memo, Operation, TransactionBuilder } = await import('@stellar/stellar-sdk');
      const asset = issuer === null ? Asset.native() : new Asset(assetCode, issuer);
      const maxTime = Math.floor(now.getTime() / 1000) + validSeconds;
      const transaction = new TransactionBuilder(new Account(account, sequence), {
        fee: feeMax,
        networkPassphrase: passphrase,
        timebounds: { minTime: 0, maxTime },
        memo: memo === null ? Memo.none() : Memo.text(memo),
      })
        .addOperation(Operation.payment({ destination: address, asset, amount }))
        .build();
      return { transaction: transaction.toXDR(), passphrase };
    },

    async submit(signed, targets) {
      if (!(await pays(targets, signed, passphrase))) return false;
      const reply = await horizon('/transactions', { method: 'POST', body: new URLSearchParams({ tx: signed }) });
      return reply.ok;
    },
  };
}

/** Only what pays one of these targets, and does nothing else, is sent on: this is no public way to Horizon. */
async function pays(
  targets: readonly Pick<DepositTarget, 'address' | 'memo'>[],
  signed: string,
  passphrase: string,
): Promise<boolean> {
  const { Transaction, TransactionBuilder } = await import('@stellar/stellar-sdk');
  try {
    const transaction = TransactionBuilder.fromXDR(signed, passphrase);
    if (!(transaction instanceof Transaction)) return false;
    const [operation, ...others] = transaction.operations;
    if (operation?.type !== 'payment' || others.length > 0) return false;
    const { value } = transaction.memo;
    const memo = value === null ? null : typeof value === 'string' ? value : Buffer.from(value).toString('utf8');
    return targets.some((each) => each.address === operation.destination && each.memo === memo);
  } catch {
    return false; // No transaction at all.
  }
}
