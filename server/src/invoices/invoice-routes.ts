/** `/{lang}/invoice/{id}`, and the same as a PDF: in the query, because the path is all that brand containers forward. */
import { pageRoute, type Route } from '../http/route.ts';
import type { PageFinder } from '../payment-page/find-page.ts';
import { pageReply } from '../web/page-layout.ts';
import { invoiceOf } from './invoice.ts';
import { invoicePage } from './invoice-page.ts';
import { invoicePdf } from './invoice-pdf.ts';

export const invoiceRoutes = ({ about, invalid }: PageFinder): Route[] => [
  pageRoute({
    methods: ['GET'],
    path: '/:lang/invoice/:id',
    cost: ({ query }) => (query['format'] === 'pdf' ? 'document' : 'page'),
    handle: about(async (found, context) => {
      const invoice = invoiceOf(found);
      if (!invoice) return invalid(context);
      if (context.query['format'] !== 'pdf') return pageReply(200, found.look, invoicePage(found.look, invoice));
      return {
        status: 200,
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': `inline; filename="invoice-${invoice.id}.pdf"`,
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex, nofollow',
        },
        body: await invoicePdf(found.look, invoice),
      };
    }),
  }),
];
