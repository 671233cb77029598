/** Papers as the API shows them, and where they are seen. */
import type { PaperDetails, PaperRecord } from '@quittance/contract/paper';
import { formatTimestamp } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { createBuyerKey } from '../merchants/buyer-key.ts';
import { paperPath } from '../web/paper-path.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import type { ListedPaper, ShownPaper } from './list-papers.ts';
import type { PaperKind } from './paper-facts.ts';
import type { StoredPaper } from './paper-store.ts';

const kinds = { receipt: 'RECEIPT', invoice: 'INVOICE', creditNote: 'CREDIT_NOTE' } as const;

export const kindNamed = (name: PaperRecord['kind']): PaperKind =>
  (['receipt', 'invoice', 'creditNote'] as const).find((kind) => kinds[kind] === name) ?? 'receipt';

export function paperRecord({ paper, credited, mark }: ListedPaper): PaperRecord {
  const { facts } = paper;
  return {
    id: paper.id,
    number: paper.number,
    kind: kinds[paper.kind],
    timestamp: formatTimestamp(paper.issuedAt),
    checkoutId: paper.checkoutId,
    customerId: paper.customerId,
    orderReference: facts.orderReference,
    currency: facts.currency,
    net: facts.net,
    taxes: facts.taxes.map(({ name, percent, base, amount }) => ({ name, percent, base, amount })),
    rounding: facts.rounding,
    total: facts.total,
    credited,
    mark,
    corrects: facts.corrects && {
      id: facts.corrects.paperId,
      number: facts.corrects.number,
      reason: facts.corrects.reason.text,
    },
  };
}

export type PaperUrlDeps = { readonly originFor: (merchantId: string) => string; readonly encryption: Encryption };

export function paperDetails(deps: PaperUrlDeps, shown: ShownPaper): PaperDetails {
  const { facts } = shown.paper;
  return {
    ...paperRecord(shown),
    lines: facts.lines.map(({ label, kind, quantity, amount }) => ({ label, kind, quantity, amount })),
    sellerName: facts.seller.name,
    buyerEmail: facts.buyer?.email ?? null,
    creditNotes: shown.notes.map(({ id }) => id),
    url: paperUrl(deps, shown.paper, { language: facts.language, isWhole: true }),
    pdfUrl: paperUrl(deps, shown.paper, { language: facts.language, isWhole: true, format: 'pdf' }),
  };
}

/** `isWhole`: with the key that shows the buyer, for who may know. */
export function paperUrl(
  { originFor, encryption }: PaperUrlDeps,
  { merchantId, id, kind, checkoutId, facts }: StoredPaper,
  how: { readonly language: PageLanguage; readonly isWhole: boolean; readonly format?: 'pdf' },
): string {
  const buyerKey = how.isWhole && facts.buyer ? createBuyerKey(encryption, checkoutId) : null;
  const format = how.format && { format: how.format };
  return `${originFor(merchantId)}${paperPath(how.language, { kind, id: checkoutId, buyerKey, paperId: id, ...format })}`;
}
