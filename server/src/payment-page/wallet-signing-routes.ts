/**
 * Paying with a browser wallet that only signs. The page may not ask third parties, so the network's connector makes
 * the transaction, and sends it when it is signed.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { type MissingDeps, missingAmount } from '../checkouts/missing-amount.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Connector, WalletSigning } from '../networks/port/connector.ts';
import type { FoundPage, PageFinder } from './find-page.ts';

export const signingPath = (checkoutId: string, network: string): string =>
  `/ajax/checkout/${checkoutId}/${network.toLowerCase()}`;

export function walletSigningRoutes(
  deps: Omit<MissingDeps, 'connectors'> & {
    readonly clock: Clock;
    readonly connectors: ReadonlyMap<string, Connector>;
  },
  { about }: PageFinder,
): Route[] {
  const signers = Array.from(deps.connectors.values()).filter(({ walletSigning }) => walletSigning !== undefined);
  if (signers.length === 0) return [];

  /** What the wallet is asked to sign: refused when its account does not exist or nothing is due. */
  async function build(
    { dossier, shown }: FoundPage,
    network: string,
    signing: WalletSigning,
    account: string,
  ): Promise<PageReply> {
    const now = deps.clock.now();
    const commitment = dossier.commitments.findLast(
      (each) => each.network === network && each.asset === shown.pay?.assetId,
    );
    const amount = commitment && missingAmount(deps, dossier, commitment, now);
    if (!commitment || amount === undefined) return refused;
    const { assetCode } = present(findAsset(deps.assets, commitment.asset), `asset ${commitment.asset}`);
    const { address, memo } = commitment;
    const request = await signing.build(account, { assetCode, amount, address, memo }, now);
    return request ? json(request) : refused;
  }

  return [
    pageRoute({
      methods: ['POST'],
      path: '/ajax/checkout/:id/:network',
      handle: about(async (found, { params, rawBody, log }: PageContext) => {
        const signer = signers.find(({ network }) => network.id.toLowerCase() === params['network']);
        if (!signer?.walletSigning) return { status: 404, headers: { 'cache-control': 'no-store' } };
        const { network, walletSigning } = signer;
        const form = new URLSearchParams(rawBody.toString('utf8'));
        try {
          const signed = form.get('signed');
          if (signed === null) return await build(found, network.id, walletSigning, form.get('account') ?? '');
          const targets = found.dossier.commitments.filter((each) => each.network === network.id);
          return (await walletSigning.submit(signed, targets)) ? json({}) : refused;
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
