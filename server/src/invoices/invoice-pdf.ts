/** The invoice as a PDF. DejaVu, because the fonts that every PDF reader has cannot write Turkish or Polish. */
import { fileURLToPath } from 'node:url';
import { labelText } from '../payment-page/charge-lines.ts';
import { dateText, detailText, priceText } from '../payment-page/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { Invoice } from './invoice.ts';

const fontFile = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));

const margin = 56;
const width = 595.28 - 2 * margin; // A4 in points
const priceWidth = 130;

export async function invoicePdf({ say, language }: PageLook, invoice: Invoice): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit'); // Large, and most processes never print.
  const pdf = new PdfDocument({
    size: 'A4',
    margin,
    info: { Title: `${say('invoice')} ${invoice.id}`, Author: invoice.shopName, CreationDate: invoice.date },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => pdf.on('end', () => resolve()));
  pdf.registerFont('plain', fontFile('DejaVuSansCondensed')).registerFont('bold', fontFile('DejaVuSansCondensed-Bold'));

  const text = (line: string, font: 'plain' | 'bold' = 'plain', size = 10, link: string | null = null): void =>
    void pdf.font(font).fontSize(size).text(line, margin, pdf.y, { width, link });
  const row = (label: string, amount: string, font: 'plain' | 'bold' = 'plain'): void => {
    pdf.font(font).fontSize(10);
    const labelWidth = width - priceWidth - 12;
    const height = pdf.heightOfString(label, { width: labelWidth });
    if (pdf.y + height > pdf.page.height - margin) pdf.addPage();
    const { y } = pdf;
    pdf.text(label, margin, y, { width: labelWidth });
    pdf.text(amount, margin + width - priceWidth, y, { width: priceWidth, align: 'right' });
    pdf.y = y + height + 6;
  };
  const rule = (): void => {
    const y = pdf.y + 2;
    pdf
      .moveTo(margin, y)
      .lineTo(margin + width, y)
      .lineWidth(0.5)
      .stroke('#8a9099');
    pdf.y = y + 8;
  };

  text(invoice.shopName, 'bold', 12);
  if (invoice.sellerEmail !== null) text(invoice.sellerEmail);
  pdf.moveDown(2);
  if (invoice.buyer.length > 0) text(say('buyer'), 'bold');
  for (const line of invoice.buyer) text(line);
  pdf.moveDown(2);
  text(say('invoice'), 'bold', 20);
  pdf.moveDown(0.5);
  text(`${say('orderCode')}: ${invoice.id}`);
  text(`${say('invoiceDate')}: ${dateText(language, invoice.date)}`);
  pdf.moveDown(1.5);
  rule();
  for (const line of invoice.lines) {
    const label = labelText(say, line);
    row(
      line.detail === null ? label : `${label}  (${detailText(language, line.detail)})`,
      priceText(language, line.amount, invoice.currency),
    );
  }
  rule();
  row(say('total'), priceText(language, invoice.total, invoice.currency), 'bold');
  pdf.moveDown(1.5);
  text(say('paidWith'), 'bold');
  for (const payment of invoice.payments) {
    text(`${payment.amount} ${payment.assetCode} (${payment.networkName})`);
    text(payment.txHash, 'plain', 8, payment.href);
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}
