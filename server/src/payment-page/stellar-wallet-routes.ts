/**
 * Paying by a Stellar wallet in the browser, such as Freighter. It signs and does nothing else, and the page may ask no
 * third party: so the transaction is made here, and what was signed is handed to Horizon from here. Nothing is believed
 * on the way: whether the order is paid is decided, as always, by what appears in the ledger.
 */
import type { CheckoutDossier, Commitment } from '../checkouts/checkout.ts';
import { missingAmount } from '../checkouts/missing-amount.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { isAccountId } from '../lib/strkey.ts';
import type { FoundPage, PageDeps, PageFinder } from './find-page.ts';

export type StellarAccess = { readonly horizonUrl: string; readonly passphrase: string };

/** In stroops, at most: what is taken is what the network asks for, mostly 100. */
const feeMax = '100000';
const validSeconds = 600;
const timeoutMs = 20_000;

export function stellarWalletRoutes(
  deps: PageDeps & { readonly stellar: StellarAccess | null },
  { about }: PageFinder,
): Route[] {
  const { stellar } = deps;
  if (!stellar) return [];
  const { passphrase } = stellar;
  const horizon = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${stellar.horizonUrl.replace(/\/+$/, '')}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) });

  /** What the wallet is asked to sign, or null when its account does not exist or nothing is due. */
  async function build({ dossier, shown }: FoundPage, account: string): Promise<PageReply> {
    const commitment = stellarCommitment(dossier, shown.pay?.assetId);
    const amount = commitment && missingAmount(deps, dossier, commitment, deps.clock.now());
    const issuer = shown.pay?.sep7?.issuer;
    if (!commitment || amount === undefined || issuer === undefined || !isAccountId(account)) return refused;
    const reply = await horizon(`/accounts/${account}`);
    if (!reply.ok) return refused;
    const { sequence } = (await reply.json()) as { sequence: string };
    const { Account, Asset, Memo, Operation, TransactionBuilder } = await import('@stellar/stellar-sdk');
    const asset = issuer === null ? Asset.native() : new Asset(commitment.quote.paymentCode, issuer);
    const maxTime = Math.floor(deps.clock.now().getTime() / 1000) + validSeconds;
    const transaction = new TransactionBuilder(new Account(account, sequence), {
      fee: feeMax,
      networkPassphrase: passphrase,
      timebounds: { minTime: 0, maxTime },
      memo: commitment.memo === null ? Memo.none() : Memo.text(commitment.memo),
    })
      .addOperation(Operation.payment({ destination: commitment.address, asset, amount }))
      .build();
    return json({ transaction: transaction.toXDR(), passphrase });
  }

  /** Hands on what pays this checkout, and nothing else: this is no public entrance to Horizon. */
  async function submit({ dossier }: FoundPage, signed: string): Promise<PageReply> {
    if (!(await paysCheckout(dossier, signed, passphrase))) return refused;
    const reply = await horizon('/transactions', { method: 'POST', body: new URLSearchParams({ tx: signed }) });
    return reply.ok ? json({}) : refused;
  }

  return [
    pageRoute({
      methods: ['POST'],
      path: '/ajax/checkout/:id/stellar',
      handle: about(async (found, { rawBody, log }: PageContext) => {
        const form = new URLSearchParams(rawBody.toString('utf8'));
        try {
          const signed = form.get('signed');
          return await (signed === null ? build(found, form.get('account') ?? '') : submit(found, signed));
        } catch (error) {
          log.warn({ err: error, checkoutId: found.shown.id }, 'a wallet in the browser could not be served');
          return { status: 503, headers: { 'cache-control': 'no-store' } };
        }
      }),
    }),
  ];
}

const json = (body: object): PageReply => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});
const refused: PageReply = { status: 422, headers: { 'cache-control': 'no-store' } };

const stellarCommitment = ({ commitments }: CheckoutDossier, assetId: string | undefined): Commitment | undefined =>
  commitments.findLast((each) => each.network === 'STELLAR' && each.asset === assetId);

async function paysCheckout({ commitments }: CheckoutDossier, signed: string, passphrase: string): Promise<boolean> {
  const { Transaction, TransactionBuilder } = await import('@stellar/stellar-sdk');
  try {
    const transaction = TransactionBuilder.fromXDR(signed, passphrase);
    if (!(transaction instanceof Transaction)) return false;
    const [operation, ...others] = transaction.operations;
    if (operation?.type !== 'payment' || others.length > 0) return false;
    const { value } = transaction.memo;
    const memo = value === null ? null : typeof value === 'string' ? value : Buffer.from(value).toString('utf8');
    return commitments.some((each) => each.address === operation.destination && each.memo === memo);
  } catch {
    return false; // No transaction at all.
  }
}
