/** "Pay now" in the sandbox: a real payment on a chain of the sandbox, and its confirmation. */
import { findAsset } from '../catalog/asset-catalog.ts';
import { type MissingDeps, missingCoins } from '../checkouts/missing-amount.ts';
import type { PageContext, PageReply, Route } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { backToPage, type FoundPage, formRoutes, type PageFinder } from './find-page.ts';
import type { PublicCheckout } from './public-checkout.ts';
import type { SandboxPayer } from './sandbox-payer.ts';
import type { Rendering } from './state-view.ts';

/** Which buttons a page shows: none without a sandbox. */
export function sandboxView(
  sandbox: SandboxPayer | null,
  shown: PublicCheckout,
  hasFailed: boolean,
): Rendering['sandbox'] {
  if (!sandbox) return undefined;
  const { pay, payments } = shown;
  const canPay = pay !== null && sandbox.canPay(pay.network);
  return { canPay, canMine: payments.some((each) => isMineable(sandbox, each)), hasFailed };
}

const isMineable = (sandbox: SandboxPayer, payment: PublicCheckout['payments'][number]): boolean =>
  !payment.isConfirmed && sandbox.canPay(payment.network);

export function sandboxRoutes(
  deps: MissingDeps & { readonly clock: Clock; readonly sandbox: SandboxPayer },
  finder: PageFinder,
): Route[] {
  const { sandbox } = deps;

  async function pay({ dossier, shown }: FoundPage): Promise<void> {
    const commitment = dossier.commitments.find(({ id }) => id === shown.commitmentId);
    const amount = commitment && missingCoins(deps, dossier, commitment, deps.clock.now());
    if (!commitment || amount === undefined) return;
    const asset = present(findAsset(deps.assets, commitment.asset), `asset ${commitment.asset}`);
    const { address, memo, network } = commitment;
    await sandbox.pay(network, { address, amount, asset: asset.assetCode, memo });
  }

  async function mine({ shown }: FoundPage): Promise<void> {
    const waiting = shown.payments.filter((payment) => isMineable(sandbox, payment));
    for (const [network, payments] of Map.groupBy(waiting, ({ network }) => network)) {
      const missing = payments.map(({ confirmations, confirmationsRequired }) => confirmationsRequired - confirmations);
      await sandbox.mine(network, Math.max(...missing));
    }
  }

  async function act(found: FoundPage, { rawBody, log }: PageContext): Promise<PageReply> {
    const action = new URLSearchParams(rawBody.toString('utf8')).get('action');
    try {
      if (action === 'pay') await pay(found);
      if (action === 'mine') await mine(found);
      return backToPage(found);
    } catch (error) {
      log.warn({ err: error, checkoutId: found.shown.id }, 'the sandbox did not obey');
      const { headers = {} } = backToPage(found);
      const location = headers['location'] ?? '';
      return {
        status: 303,
        headers: { ...headers, location: `${location}${location.includes('?') ? '&' : '?'}sandbox=failed` },
      };
    }
  }

  return formRoutes(finder, { path: '/:lang/checkout/:id/sandbox', answer: act });
}
