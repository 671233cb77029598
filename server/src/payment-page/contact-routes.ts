/** What a payer leaves on the page. */
import { type CheckoutContact } from '../checkouts/contact-store.ts';
import { leaveContact } from '../checkouts/leave-contact.ts';
import { isStorable } from '../http/parse-json.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { pageReply } from '../web/page-layout.ts';
import { checkoutPage } from './checkout-page.ts';
import type { ContactProblem } from './contact-form.ts';
import { backToPage, type FoundPage, type PageDeps, type PageFinder } from './find-page.ts';

/** What can be an address: the mail server decides the rest. */
const emailForm = /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,189}\.[^\s@,;<>".]{2,63}$/;

export function contactRoutes(deps: PageDeps, { about }: PageFinder): Route[] {
  async function keep(found: FoundPage, { rawBody }: PageContext): Promise<PageReply> {
    const { look, shown, live, dossier } = found;
    const form = new URLSearchParams(rawBody.toString('utf8'));
    const email = deps.sendsReceipts ? (form.get('email') ?? '').trim() : '';
    const address = (form.get('refundAddress') ?? '').trim();
    const network = form.get('network') ?? '';
    const field = problemOf(email, address, network);
    if (field !== null) {
      const contactProblem: ContactProblem = { field, email: email.slice(0, 254), address: address.slice(0, 200) };
      const options = { now: deps.clock.now(), live, rendering: { contactProblem } };
      return pageReply(422, look, checkoutPage(look, shown, options));
    }
    const contact: CheckoutContact = {
      email: email || null,
      refundNetwork: address === '' ? null : network,
      refundAddress: address || null,
      language: look.language,
    };
    if (email !== '' || address !== '') await leaveContact(deps, dossier.checkout, contact);
    return backToPage(found);
  }

  function problemOf(email: string, address: string, network: string): ContactProblem['field'] | null {
    if (email !== '' && !(emailForm.test(email) && isStorable(email))) return 'email';
    if (address === '') return null;
    const connector = deps.connectors.get(network);
    const isUnfit = address.length > 200 || !isStorable(address) || /\s/.test(address);
    if (!connector || isUnfit) return 'refundAddress';
    return (connector.addressProblem?.({ address, memo: null, memoType: null }) ?? null) === null
      ? null
      : 'refundAddress';
  }

  return [pageRoute({ methods: ['POST'], path: '/:lang/checkout/:id/contact', handle: about(keep) })];
}
