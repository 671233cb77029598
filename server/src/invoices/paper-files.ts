/** The files of papers, made by threads. What is made of the same data has the same bytes, so it is kept for who asks again. */
import { createHash } from 'node:crypto';
import type { HeavyTask, HeavyWork } from '../lib/heavy-work.ts';
import { createKeptResults } from '../lib/kept-results.ts';
import type { BrandFile } from '../merchants/brand-store.ts';
import type { PictureWork } from '../merchants/picture-work.ts';
import type { EInvoice } from '../papers/e-invoice.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { Paper } from './paper.ts';
import type { paperPdf } from './paper-pdf.ts';
import type { EInvoiceFormat, writeEInvoice } from './write-e-invoice.ts';

export type PaperFiles = {
  pdf(look: Pick<PageLook, 'language' | 'brand'>, paper: Paper, logo: BrandFile | null): Promise<Buffer>;
  eInvoice(format: EInvoiceFormat, invoice: EInvoice): Promise<Buffer>;
};

const drawing: HeavyTask<typeof paperPdf> = {
  name: 'paper',
  module: import.meta.resolve('./paper-pdf.ts'),
  run: 'paperPdf',
  seconds: 30,
};

const writing: HeavyTask<typeof writeEInvoice> = {
  name: 'e-invoice',
  module: import.meta.resolve('./write-e-invoice.ts'),
  run: 'writeEInvoice',
  seconds: 30,
};

const keptBytes = 16 * 1024 * 1024;

/** Those of one merchant. */
export function createPaperFiles({
  heavyWork,
  pictures,
}: {
  readonly heavyWork: HeavyWork;
  readonly pictures: PictureWork;
}): (merchantId: string) => PaperFiles {
  const kept = createKeptResults<Buffer>({ bytesMax: keptBytes, bytesOf: (file) => file.length });
  const keyOf = (...from: unknown[]): string => createHash('sha256').update(JSON.stringify(from)).digest('base64');
  return (merchantId) => ({
    pdf({ language, brand }, paper, logo) {
      const key = keyOf('pdf', merchantId, language, brand, paper, logo && logo.name);
      return kept.of(key, async () => {
        const picture = logo && (await pictures.pngLogo(merchantId, logo));
        return heavyWork.run(drawing, merchantId, { language, brand }, paper, picture);
      });
    },
    eInvoice: (format, invoice) =>
      kept.of(keyOf(format, merchantId, invoice), () => heavyWork.run(writing, merchantId, format, invoice)),
  });
}
