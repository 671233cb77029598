/** What customers read on a shop's pages, and where these lead: which texts there are, and how each must be. */

export type PageSettingForm = {
  readonly kind: 'words' | 'email' | 'webAddress';
  readonly pattern: RegExp;
  /** Letters at most. */
  readonly most: number;
  /** What it must be, after "it must be". */
  readonly right: string;
};

const words = (most: number): PageSettingForm => ({
  kind: 'words',
  pattern: new RegExp(`^.{1,${most}}$`, 'u'),
  most,
  right: `a line of at most ${most} letters`,
});

const email: PageSettingForm = {
  kind: 'email',
  pattern: /^[^\s@]{1,64}@[^\s@]{1,189}$/,
  most: 254,
  right: 'an e-mail address such as help@shop.example',
};

/** A shop's page links to nothing else. */
const webAddress: PageSettingForm = {
  kind: 'webAddress',
  pattern: /^https:\/\/[^\s]{3,500}$/,
  most: 508,
  right: 'a web address that begins with https:// and has no blanks',
};

export const pageSettingForms = {
  shopName: words(100),
  supportEmail: email,
  legalLine: words(200),
  taxId: words(40),
  legalNoticeUrl: webAddress,
  privacyUrl: webAddress,
  termsUrl: webAddress,
  returnUrl: webAddress,
  cancelUrl: webAddress,
} as const satisfies Readonly<Record<string, PageSettingForm>>;

export type PageTextName = keyof typeof pageSettingForms;
