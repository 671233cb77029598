/**
 * `/{lang}/checkout/{id}/receipt` and `/{lang}/invoice/{id}`; a PDF, the e-invoice (`format`), a credit note (`note`) or a paper that does not stand any
 * more (`paper`) is asked for in the query. Who asks first for a paper has it issued. Brand containers forward
 * only the paths that they know: so a PDF has no path of its own, and the receipt's path is below its checkout's.
 */
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import type { Encryption } from '../lib/encryption.ts';
import { GatewayError } from '../lib/errors.ts';
import { type BrandFile, findBrandFile } from '../merchants/brand-store.ts';
import { createBuyerKey, isBuyerKey } from '../merchants/buyer-key.ts';
import { type IssueDeps, type Issued, issuePaper, type PaidKind, paperOfSettlement } from '../papers/issue-paper.ts';
import { papersOfCheckout } from '../papers/paper-store.ts';
import type { AboutOptions, FoundPage, PageFinder } from '../payment-page/find-page.ts';
import { succeeded, takeAttempt } from '../people/guessing.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { brandFileFolder } from '../web/page-brand.ts';
import { checkoutPath } from '../web/page-language.ts';
import { pageReply } from '../web/page-layout.ts';
import { paperPath } from '../web/paper-path.ts';
import { plainPage } from '../web/plain-page.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { type Paper, paperOf } from './paper.ts';
import { createPaperFiles } from './paper-files.ts';
import { linkOf, paperPage } from './paper-page.ts';

const plain = (email: string): string => email.trim().toLowerCase();

const hasPage = ({ dossier }: FoundPage): boolean => dossier.checkout.type === 'HOSTED';

/** Whether there will be such a paper once the order is paid. */
const isToCome = (kind: PaidKind, { shown, surroundings }: FoundPage): boolean =>
  shown.completedAt === null && shown.state !== 'REFUNDED' && (kind === 'receipt' || surroundings.buyer !== null);

function drawn(found: FoundPage, { paper, papers }: Issued, buyerKey: string | null): Paper {
  const isStanding =
    paper.kind !== 'creditNote' && paperOfSettlement(papers, found.dossier, paper.kind)?.id === paper.id;
  return paperOf(paper, papers, found, { buyerKey, isStanding, hasPage: hasPage(found) });
}

/** Whoever has the link of the paper has that of the payment. */
function notPaidPage({ look, shown }: FoundPage): Html {
  const pathIn = (language: PageLanguage): string => checkoutPath(language, shown);
  return plainPage(look, 'notPaidTitle', 'notPaidText', {
    shop: { name: shown.shopName, href: null },
    inLanguage: pathIn,
    more: html`<p><a class="btn primary" href="${pathIn(look.language)}">${icon('left')}${look.say('backToPayment')}</a></p>`,
  });
}

/** Why there is none, and the way back to the paper. */
function noEInvoicePage({ look, shown }: FoundPage, paper: Paper): Html {
  const pathIn = (language: PageLanguage): string => paperPath(language, linkOf(paper));
  const why =
    paper.kind === 'receipt' ? 'noEInvoiceOfReceipt' : paper.isBuyerVeiled ? 'noEInvoiceVeiled' : 'noEInvoiceText';
  return plainPage(look, 'noEInvoiceTitle', why, {
    shop: { name: shown.shopName, href: null },
    inLanguage: pathIn,
    more: html`<p><a class="btn primary" href="${pathIn(look.language)}">${icon('left')}${paper.title}</a></p>`,
  });
}

/** A browser shows a PDF; it would show XML as a heap of tags. */
const fileReply = ({ number }: Paper, kind: 'pdf' | 'xml', body: Buffer): PageReply => ({
  status: 200,
  headers: {
    'content-type': `application/${kind}`,
    'content-disposition': `${kind === 'pdf' ? 'inline' : 'attachment'}; filename="${number.replaceAll('/', '-')}.${kind}"`,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  },
  body,
});

/** Whose file has to wait is told so by a page, and when to ask again. */
async function inTime({ look }: FoundPage, paper: Paper, make: () => Promise<PageReply>): Promise<PageReply> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const more = html`<p><a class="btn primary" href="${paperPath(look.language, linkOf(paper))}">${icon('left')}${paper.title}</a></p>`;
    const page = plainPage(look, 'manyDocumentsTitle', 'manyDocumentsText', {
      shop: { name: paper.shopName, href: null },
      more,
    });
    return withHeaders(pageReply(error.httpStatus, look, page), error.headers);
  }
}

const withHeaders = (reply: PageReply, more: GatewayError['headers']): PageReply => ({
  ...reply,
  headers: { ...reply.headers, ...more },
});

export function paperRoutes(
  deps: IssueDeps & Parameters<typeof createPaperFiles>[0] & { readonly encryption: Encryption },
  { about, invalid }: PageFinder,
): Route[] {
  const { db, clock, encryption } = deps;
  /** The one that is named in the query, else the one that stands. */
  async function find(kind: PaidKind, found: FoundPage, { query }: PageContext): Promise<Issued | null> {
    const { merchantId, id } = found.dossier.checkout;
    const [note, older] = [query['note'], query['paper']];
    if (note === undefined && older === undefined) return issuePaper(deps, { merchantId, checkoutId: id, kind });
    const papers = await papersOfCheckout(db, { merchantId, id });
    const wanted = note === undefined ? { id: older, kind } : { id: note, kind: 'creditNote' };
    const isThere = kind === 'invoice' || note === undefined; // Credit notes are where the invoice is.
    const paper = papers.find((each) => isThere && each.id === wanted.id && each.kind === wanted.kind);
    return paper ? { paper, papers } : null;
  }
  const filesOf = createPaperFiles(deps);
  const logoOf = async ({ look, surroundings }: FoundPage): Promise<BrandFile | null> => {
    const name = look.brand.logoSrc?.slice(brandFileFolder.length + 1);
    return (name === undefined ? undefined : await findBrandFile(db, name, surroundings.merchant.id)) ?? null;
  };
  /** The key in the address, if it is that of the buyer. */
  const buyerKeyIn = ({ query }: PageContext, checkoutId: string): string | null => {
    const key = String(query['key'] ?? '');
    return isBuyerKey(encryption, key, checkoutId) ? key : null;
  };
  /** A shop that shows a page of its own gives out no links to ours: its invoices are for who has the key. */
  const letIn: Readonly<Record<PaidKind, AboutOptions>> = {
    receipt: {},
    invoice: { isLetIn: ({ id }, context) => buyerKeyIn(context, id) !== null },
  };
  const show = (kind: PaidKind) =>
    about(async (found, context) => {
      const { look } = found;
      const buyerKey = kind === 'invoice' ? buyerKeyIn(context, found.shown.id) : null;
      const issued = await find(kind, found, context);
      if (!issued)
        return hasPage(found) && isToCome(kind, found) ? pageReply(404, look, notPaidPage(found)) : invalid(context);
      const paper = drawn(found, issued, buyerKey);
      const { format } = context.query;
      const files = filesOf(issued.paper.merchantId);
      if (format === 'pdf')
        return inTime(found, paper, async () =>
          fileReply(paper, 'pdf', await files.pdf(look, paper, await logoOf(found))),
        );
      if (format === 'xml' || format === 'ubl') {
        const { eInvoice } = paper;
        if (eInvoice === null) return pageReply(404, look, noEInvoicePage(found, paper));
        return inTime(found, paper, async () => fileReply(paper, 'xml', await files.eInvoice(format, eInvoice)));
      }
      return pageReply(200, look, paperPage(look, paper));
    }, letIn[kind]);
  /** The address under which the shop knows the buyer, in whatever letters it is typed. Whoever guesses waits. */
  const showBuyer = about(async (found, context): Promise<PageReply> => {
    const { look, shown } = found;
    const issued = await find('invoice', found, context);
    if (!issued) return invalid(context);
    const paper = drawn(found, issued, null);
    const typed = new URLSearchParams(context.rawBody.toString('utf8')).get('email') ?? '';
    const attempt = { subject: `invoice ${shown.id}`, address: context.address };
    try {
      await takeAttempt(db, attempt, clock.now());
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return withHeaders(pageReply(error.httpStatus, look, plainPage(look, 'busyTitle', 'busyText')), error.headers);
    }
    const { buyer } = issued.paper.facts;
    const isBuyer = buyer !== null && plain(typed) === plain(buyer.email);
    if (isBuyer) await succeeded(db, attempt, { isAllTheWayIn: false });
    else return pageReply(422, look, paperPage(look, paper, { isRefused: paper.isBuyerVeiled }));
    const buyerKey = createBuyerKey(encryption, shown.id);
    const { kind, linkId } = paper;
    const location = paperPath(look.language, { kind, id: shown.id, buyerKey, paperId: linkId });
    return { status: 303, headers: { location, 'cache-control': 'no-store' } };
  });
  const cost = ({ query }: Pick<PageContext, 'query'>) => (query['format'] === 'pdf' ? 'document' : 'page');
  return [
    pageRoute({ methods: ['GET'], path: '/:lang/checkout/:id/receipt', cost, handle: show('receipt') }),
    pageRoute({ methods: ['GET'], path: '/:lang/invoice/:id', cost, handle: show('invoice') }),
    pageRoute({ methods: ['POST'], path: '/:lang/invoice/:id', handle: showBuyer }),
  ];
}
