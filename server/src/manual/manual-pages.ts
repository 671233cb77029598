/**
 * The contents of the manual: which file of `docs/` is read in which order, under which heading. A page is served under
 * the name of its file; the README of a folder is the page of the folder. The reference is written from the contract and
 * comes after them.
 */
export type ManualPart = { readonly title: string; readonly files: readonly string[] };

/** Shown at `/docs`, before the contents. */
export const startFile = 'README.md';

export const manualParts: readonly ManualPart[] = [
  { title: 'Begin', files: ['quick-start.md', 'testing.md', 'going-live.md'] },
  {
    title: 'Integrate',
    files: ['life-of-a-checkout.md', 'webhooks.md', 'sdks.md', 'payment-links.md', 'invoices.md', 'mails.md'],
  },
  {
    title: 'Shops',
    files: [
      'shops/README.md',
      'shops/woocommerce.md',
      'shops/wordpress.md',
      'shops/magento-2.md',
      'shops/prestashop.md',
    ],
  },
  { title: 'Run it', files: ['operations.md', 'banks.md', 'security-model.md', 'add-a-network.md'] },
  { title: 'Words', files: ['glossary.md'] },
];

export const manualRoot = '/docs';

/** `shops/README.md` is `/docs/shops`, `operations.md` is `/docs/operations`. */
export const pathOfFile = (file: string): string => {
  const name = file.replace(/\.md$/, '').replace(/(^|\/)README$/, '');
  return name === '' ? manualRoot : `${manualRoot}/${name}`;
};
