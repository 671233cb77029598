/**
 * The page behind the link of a refund. The token in the link is the proof, so a wrong one is answered like a checkout
 * that does not exist, and neither the page nor its address is kept anywhere.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { findDossier } from '../checkouts/checkout-store.ts';
import { arrivedUnits, type Refund } from '../checkouts/refund.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import { GatewayError } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';
import type { BrandDomains } from '../merchants/brand-domains.ts';
import { formatUnits } from '../money/amount.ts';
import type { Destination } from '../networks/port/sending.ts';
import { type ClaimDeps, checkClaim, claimRefund, findClaimByToken, isClaimable } from '../refunds/claim-refund.ts';
import { invoiceAmount } from '../refunds/refund-carrier.ts';
import { pageBrand } from '../web/page-brand.ts';
import { pageLanguage } from '../web/page-language.ts';
import { createLook, type PageLook, pageReply } from '../web/page-layout.ts';
import { deadLinkPage, invalidPath, plainPage } from '../web/plain-page.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { transactionLink } from '../web/transaction-link.ts';
import { type BrandPlacement, brandPlacement, sendElsewhere } from './brand-placement.ts';
import { domainOf, isCrossSite, type ShopLookDeps } from './find-page.ts';
import { accountText, legalLinks, orderReference, pageSetting } from './page-setting.ts';
import { heldWorth } from './public-sums.ts';
import {
  backToOrder,
  claimedPage,
  claimPage,
  claimPath,
  claimPathIn,
  confirmPage,
  confirmPath,
  type ShownRefund,
} from './refund-claim-page.ts';
import type { SandboxPayer } from './sandbox-payer.ts';

export type ClaimPageDeps = ClaimDeps &
  ShopLookDeps & { readonly domains: BrandDomains; readonly sandbox: Pick<SandboxPayer, 'addressFor'> | null };

const path = '/:lang/checkout/:id/refund';

export function refundClaimRoutes(deps: ClaimPageDeps): Route[] {
  function lookOf(context: PageContext): PageLook {
    const { params, query, headers } = context;
    const language = pageLanguage({
      inPath: params['lang'] ?? '',
      ofCheckout: 'auto',
      chosen: query['language'],
      acceptLanguage: headers['accept-language'],
    });
    return createLook(language, { ...deps, domain: domainOf(context) });
  }

  const dressed = async (look: PageLook, placement: BrandPlacement, merchantId: string): Promise<PageLook> =>
    placement === 'branded' ? { ...look, brand: pageBrand(await deps.brandOf(merchantId)) } : look;

  const checkoutIdOf = ({ params }: PageContext): string => params['id'] ?? '';
  const invalid = (look: PageLook): PageReply => pageReply(404, look, deadLinkPage(look, 'invalidTitle', invalidPath));
  const isToken = (token: string): boolean => /^[\w-]{40,50}$/.test(token);

  async function shown(checkoutId: string, merchantId: string, refund: Refund): Promise<ShownRefund> {
    const [found, account] = await Promise.all([
      findDossier(deps.db, merchantId, checkoutId),
      deps.merchantOf(merchantId),
    ]);
    const dossier = present(found, `checkout ${checkoutId}`);
    const { checkout } = dossier;
    const [whole, sent] = [heldWorth(dossier, refund, refund.units), heldWorth(dossier, refund, arrivedUnits(refund))];
    const merchant = present(account, `merchant ${merchantId}`);
    const { assetCode, ledgerScale } = present(findAsset(deps.assets, refund.asset), `asset ${refund.asset}`);
    const connector = deps.connectors.get(refund.network);
    const testAddressFor = async ({ network, sentUnits }: Refund) =>
      deps.sandbox &&
      deps.sandbox.addressFor(network, { asset: assetCode, amount: formatUnits(sentUnits, ledgerScale) });
    const onInvoice = (units: bigint) => connector && invoiceAmount(deps, connector, { asset: refund.asset, units });
    const written = (units: bigint): string => onInvoice(units)?.amount ?? formatUnits(units, ledgerScale);
    return {
      checkoutId,
      orderReference: orderReference(checkout),
      shopName: pageSetting(checkout, merchant, 'shopName') ?? merchant.name,
      state: refund.state,
      amount: written(refund.units),
      sentAmount: written(arrivedUnits(refund)),
      fee: refund.feePaidBy === 'customer' ? written(refund.feeUnits) : null,
      asset: onInvoice(0n)?.code ?? assetCode,
      worth: whole === null || sent === null ? null : { whole, sent, currency: checkout.billingCurrency },
      network: findNetwork(refund.network)?.name ?? refund.network,
      isByInvoice: connector?.network.hasInvoices === true,
      hasMemos: connector?.network.hasMemos === true,
      address: refund.address,
      testAddress: isClaimable(refund, deps.clock.now()) ? await testAddressFor(refund) : null,
      txHash: refund.txHash,
      href: refund.txHash === null ? null : transactionLink(deps.connectors, refund.network, refund.txHash),
      hasPage: checkout.type === 'HOSTED',
      legalLine: accountText(merchant, 'legalLine'),
      legalLinks: legalLinks(merchant),
    };
  }

  function pageOf(look: PageLook, refund: Refund, shownRefund: ShownRefund, token: string): PageReply {
    if (isClaimable(refund, deps.clock.now())) return pageReply(200, look, claimPage(look, shownRefund, token));
    const inLanguage = (language: PageLanguage): string => claimPathIn(language, shownRefund.checkoutId, token);
    const isOnItsWay = refund.state === 'SENDING' || refund.state === 'COMPLETED';
    if (isOnItsWay) return pageReply(200, look, claimedPage(look, shownRefund, token));
    const shop = { name: shownRefund.shopName, href: null };
    const more = backToOrder(look, shownRefund);
    return pageReply(410, look, plainPage(look, 'refundEndedTitle', 'refundEndedText', { shop, inLanguage, more }));
  }

  type Asked = {
    readonly look: PageLook;
    readonly checkoutId: string;
    readonly token: string;
    readonly destination: Destination;
    readonly merchantId: string;
  };

  /** The form once more, with what is wrong. */
  async function refusal({ look, checkoutId, token, destination, merchantId }: Asked, error: unknown) {
    if (!(error instanceof GatewayError)) throw error;
    const found = await findClaimByToken(deps, checkoutId, token);
    if (!found) return invalid(look);
    const problem = error.code === 'invalid_request' ? 'refundBadAddress' : 'refundUnavailable';
    const tried = { problem, address: destination.address.slice(0, 200) } as const;
    const refund = await shown(checkoutId, merchantId, found.refund);
    const again = pageReply(error.httpStatus, look, claimPage(look, refund, token, tried));
    return { ...again, headers: { ...again.headers, ...error.headers } };
  }

  /** Asks whether it shall go there. Nothing is stored, so it may be opened as often as anybody likes. */
  async function question(asked: Asked): Promise<PageReply> {
    const { look, token, destination } = asked;
    try {
      const checked = await checkClaim(deps, asked);
      if (!checked) return invalid(look);
      const refund = await shown(asked.checkoutId, asked.merchantId, checked.found.refund);
      return pageReply(200, look, confirmPage(look, refund, token, destination));
    } catch (error) {
      return refusal(asked, error);
    }
  }

  const seeOther = (location: string): PageReply => ({
    status: 303,
    headers: { location, 'cache-control': 'no-store' },
  });

  return [
    pageRoute({
      methods: ['GET'],
      path,
      async handle(context) {
        const look = lookOf(context);
        const checkoutId = checkoutIdOf(context);
        const given = (name: string): string => String(context.query[name] ?? '');
        const token = given('token');
        if (!isId(checkoutId) || !isToken(token)) return invalid(look);
        const found = await findClaimByToken(deps, checkoutId, token);
        const placement = found && brandPlacement(deps.domains, context.shopDomain, found.merchantId);
        if (!found || !placement || placement === 'hidden') return invalid(look);
        if (typeof placement === 'object') return sendElsewhere(placement, context);
        const { merchantId, refund } = found;
        const shopLook = await dressed(look, placement, merchantId);
        const destination = readDestination(new URLSearchParams({ address: given('address'), memo: given('memo') }));
        if (destination.address !== '' && isClaimable(refund, deps.clock.now()))
          return question({ look: shopLook, checkoutId, token, destination, merchantId });
        return pageOf(shopLook, refund, await shown(checkoutId, merchantId, refund), token);
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
        const { merchantId } = claim;
        const asked = { look: await dressed(look, placement, merchantId), checkoutId, token, destination, merchantId };
        try {
          if (form.get('step') === 'check') {
            if (!(await checkClaim(deps, asked))) return invalid(look);
            return seeOther(confirmPath(look.language, checkoutId, token, destination));
          }
          if (!(await claimRefund(deps, asked))) return invalid(look);
          return seeOther(claimPath(look.language, checkoutId, token));
        } catch (error) {
          return refusal(asked, error);
        }
      },
    }),
  ];
}

/** Stellar's memos are texts or numbers of 64 bits. Exchanges ask for a number, and theirs do not begin with a zero. */
export function readDestination(form: URLSearchParams): Destination {
  const address = (form.get('address') ?? '').trim().slice(0, 2048);
  const memo = (form.get('memo') ?? '').trim().slice(0, 64);
  if (memo === '') return { address, memo: null, memoType: null, holder: null };
  const isNumber = /^(?:0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) < 2n ** 64n;
  return { address, memo, memoType: isNumber ? 'id' : 'text', holder: null };
}
