/** What customers would see of a shop in one state, with made-up orders. It can do nothing. */
import { addMs, minutes } from '../lib/clock.ts';
import type { BrandFont } from '../merchants/brand.ts';
import type { Html } from '../web/html.ts';
import { type PagePlace, topOfPage } from '../web/page-language.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { PageLanguage, TextKey } from '../web/texts/page-texts.ts';
import { checkoutPage } from './checkout-page.ts';
import { accountText, helpEmail, isPageSettingOn, legalLinks, pageSetting, sellerEmail } from './page-setting.ts';
import type { PageMerchant, PublicCheckout } from './public-checkout.ts';
import { type SampleState, sampleCheckout } from './sample-checkouts.ts';

export type PreviewFacts = {
  readonly state: SampleState;
  /** Undefined: of no shop. */
  readonly merchant: PageMerchant | undefined;
  readonly now: Date;
  readonly inLanguage: (language: PageLanguage) => string;
  readonly place?: PagePlace;
  /** Above the page, for who comes upon it. */
  readonly notice?: string;
  /** A page that has just been paid goes back to its shop by itself: this one was paid a while ago. */
  readonly stays?: boolean;
};

export function previewPage(
  look: PageLook,
  { state, merchant, now, inLanguage, place = topOfPage, notice, stays }: PreviewFacts,
): Html {
  const sample = sampleCheckout(state, now, look.language);
  const completedAt = sample.completedAt && (stays ? addMs(now, -minutes(5)) : sample.completedAt);
  const checkout = asOf(merchant, { ...sample, completedAt, place });
  return checkoutPage(look, checkout, { now, notice, inLanguage });
}

/** The sample with the account's names and addresses. */
function asOf(merchant: PageMerchant | undefined, sample: PublicCheckout): PublicCheckout {
  if (!merchant) return sample;
  const ofAccount = { payload: {} };
  const isSellerShown = isPageSettingOn(ofAccount, merchant, 'displaySellerInfo');
  return {
    ...sample,
    shopName: pageSetting(ofAccount, merchant, 'shopName') ?? merchant.name,
    legalLine: accountText(merchant, 'legalLine'),
    legalLinks: legalLinks(merchant),
    helpEmail: helpEmail(ofAccount, merchant),
    sellerEmail: isSellerShown ? sellerEmail(merchant) : null,
    buyer: isPageSettingOn(ofAccount, merchant, 'displayBuyerInfo') ? sample.buyer : null,
  };
}

export const fontNames = {
  system: 'fontSystem',
  humanist: 'fontHumanist',
  geometric: 'fontGeometric',
  rounded: 'fontRounded',
  serif: 'fontSerif',
  slab: 'fontSlab',
  mono: 'fontMono',
} as const satisfies Record<BrandFont, TextKey>;

export const stateTitles = {
  created: 'chooseMethod',
  pending: 'waiting',
  memo: 'memo',
  partial: 'partialTitle',
  processing: 'processingTitle',
  converting: 'convertingTitle',
  completed: 'completedTitle',
  late: 'lateText',
  overpaid: 'tooMuch',
  underpaid: 'underpaidTitle',
  expired: 'expiredTitle',
  canceled: 'canceledTitle',
  replaced: 'transactionReplaced',
  refunded: 'refundedTitle',
} as const satisfies Record<SampleState, TextKey>;
