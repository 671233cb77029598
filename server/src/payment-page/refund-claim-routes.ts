/**
 * The page behind the link of a refund. The token in it is the proof, so a wrong one is answered like a checkout that
 * does not exist, and neither the page nor its address is kept anywhere.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { findPublicCheckout } from '../checkouts/checkout-store.ts';
import type { Refund } from '../checkouts/refund.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import { GatewayError } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';
import { formatUnits } from '../money/amount.ts';
import type { Destination } from '../networks/port/sending.ts';
import { claimRefund, findClaimByToken, isClaimable } from '../refunds/claim-refund.ts';
import { invoiceAmount } from '../refunds/refund-carrier.ts';
import type { AdvanceDeps } from '../settlements/advance-checkout.ts';
import { pageBrand } from '../web/page-brand.ts';
import { pageLanguage } from '../web/page-language.ts';
import { createLook, type PageLook, pageReply } from '../web/page-layout.ts';
import { plainPage } from '../web/plain-page.ts';
import { type BrandPlacement, brandPlacement, sendElsewhere } from './brand-placement.ts';
import { isCrossSite, type PageDeps } from './find-page.ts';
import { pageSetting } from './page-setting.ts';
import { claimedPage, claimPage, claimPath, type ShownRefund } from './refund-claim-page.ts';
import { transactionLink } from './transaction-link.ts';

export type ClaimPageDeps = Pick<AdvanceDeps, 'db' | 'clock' | 'connectors' | 'assets' | 'health'> &
  Pick<PageDeps, 'isSandbox' | 'files' | 'domains' | 'brandOf' | 'merchantOf'>;

const path = '/:lang/checkout/:id/refund';

export function refundClaimRoutes(deps: ClaimPageDeps): Route[] {
  function lookOf({ params, query, headers }: PageContext): PageLook {
    const language = pageLanguage({
      ...{ inPath: params['lang'] ?? '', ofCheckout: 'auto', chosen: query['language'] },
      acceptLanguage: headers['accept-language'],
    });
    return createLook(language, deps);
  }

  const dressed = async (look: PageLook, placement: BrandPlacement, merchantId: string): Promise<PageLook> =>
    placement === 'branded' ? { ...look, brand: pageBrand(await deps.brandOf(merchantId)) } : look;

  const checkoutIdOf = ({ params }: PageContext): string => params['id'] ?? '';
  const invalid = (look: PageLook): PageReply => pageReply(404, look, plainPage(look, 'invalidTitle', 'invalidText'));
  const isToken = (token: string): boolean => /^[\w-]{40,50}$/.test(token);

  async function shown(checkoutId: string, merchantId: string, refund: Refund): Promise<ShownRefund> {
    const [found, account] = await Promise.all([findPublicCheckout(deps.db, checkoutId), deps.merchantOf(merchantId)]);
    const checkout = present(found, `checkout ${checkoutId}`);
    const merchant = present(account, `merchant ${merchantId}`);
    const { assetCode, ledgerScale } = present(findAsset(deps.assets, refund.asset), `asset ${refund.asset}`);
    const connector = deps.connectors.get(refund.network);
    const onInvoice = (units: bigint) => connector && invoiceAmount(deps, connector, { asset: refund.asset, units });
    const written = (units: bigint): string => onInvoice(units)?.amount ?? formatUnits(units, ledgerScale);
    return {
      checkoutId,
      shopName: pageSetting(checkout, merchant, 'shopName') ?? merchant.name,
      state: refund.state,
      amount: written(refund.units),
      sentAmount: written(refund.sentUnits),
      fee: refund.feePaidBy === 'customer' ? written(refund.feeUnits) : null,
      asset: onInvoice(0n)?.code ?? assetCode,
      network: findNetwork(refund.network)?.name ?? refund.network,
      isByInvoice: connector?.network.hasInvoices === true,
      hasMemos: connector?.network.hasMemos === true,
      address: refund.address,
      txHash: refund.txHash,
      href: refund.txHash === null ? null : transactionLink(deps.connectors, refund.network, refund.txHash),
    };
  }

  function pageOf(look: PageLook, refund: Refund, shownRefund: ShownRefund, token: string): PageReply {
    if (isClaimable(refund, deps.clock.now())) return pageReply(200, look, claimPage(look, shownRefund, token));
    const isOnItsWay = refund.state === 'SENDING' || refund.state === 'COMPLETED';
    if (isOnItsWay) return pageReply(200, look, claimedPage(look, shownRefund, token));
    return pageReply(410, look, plainPage(look, 'refundEndedTitle', 'refundEndedText'));
  }

  return [
    pageRoute({
      methods: ['GET'],
      path,
      async handle(context) {
        const look = lookOf(context);
        const checkoutId = checkoutIdOf(context);
        const token = String(context.query['token'] ?? '');
        if (!isId(checkoutId) || !isToken(token)) return invalid(look);
        const found = await findClaimByToken(deps, checkoutId, token);
        const placement = found && brandPlacement(deps.domains, context.shopDomain, found.merchantId);
        if (!found || !placement || placement === 'hidden') return invalid(look);
        if (typeof placement === 'object') return sendElsewhere(placement, context);
        const shopLook = await dressed(look, placement, found.merchantId);
        return pageOf(shopLook, found.refund, await shown(checkoutId, found.merchantId, found.refund), token);
      },
    }),
    pageRoute({
      methods: ['POST'],
      path,
      async handle(context) {
        const look = lookOf(context);
        const checkoutId = checkoutIdOf(context);
        if (isCrossSite(context)) return invalid(look);
        const form = new URLSearchParams(context.rawBody.toString('utf8'));
        const token = form.get('token') ?? '';
        if (!isId(checkoutId) || !isToken(token)) return invalid(look);
        const destination = readDestination(form);
        const claim = await findClaimByToken(deps, checkoutId, token);
        const placement = claim && brandPlacement(deps.domains, context.shopDomain, claim.merchantId);
        if (!claim || !placement || placement === 'hidden') return invalid(look);
        try {
          const refund = await claimRefund(deps, { checkoutId, token, destination });
          if (!refund) return invalid(look);
          const location = claimPath(look.language, checkoutId, token);
          return { status: 303, headers: { location, 'cache-control': 'no-store' } };
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          const found = await findClaimByToken(deps, checkoutId, token);
          if (!found) return invalid(look);
          const problem = error.code === 'invalid_request' ? 'refundBadAddress' : 'refundUnavailable';
          const tried = { problem, address: destination.address.slice(0, 200) } as const;
          const shopLook = await dressed(look, placement, claim.merchantId);
          const refund = await shown(checkoutId, claim.merchantId, found.refund);
          const again = pageReply(error.httpStatus, shopLook, claimPage(shopLook, refund, token, tried));
          return { ...again, headers: { ...again.headers, ...error.headers } };
        }
      },
    }),
  ];
}

/** Stellar's memos are texts or numbers of 64 bits; a number is what exchanges ask for, and theirs begin with no zero. */
export function readDestination(form: URLSearchParams): Destination {
  const address = (form.get('address') ?? '').trim().slice(0, 2048);
  const memo = (form.get('memo') ?? '').trim().slice(0, 64);
  if (memo === '') return { address, memo: null, memoType: null };
  const isNumber = /^(?:0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) < 2n ** 64n;
  return { address, memo, memoType: isNumber ? 'id' : 'text' };
}
