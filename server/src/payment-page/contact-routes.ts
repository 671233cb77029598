/** Stores the addresses that a payer enters on the page: for the receipt, and for a refund. */
import { type CheckoutContact } from '../checkouts/contact-store.ts';
import { leaveContact } from '../checkouts/leave-contact.ts';
import { isOwnAddress } from '../counterparties/own-address.ts';
import type { Db } from '../db/database.ts';
import { isStorable } from '../http/parse-json.ts';
import type { PageContext, PageReply, Route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { isEmailAddress } from '../lib/is-email-address.ts';
import type { Connector } from '../networks/port/connector.ts';
import { pageReply } from '../web/page-layout.ts';
import { checkoutPage } from './checkout-page.ts';
import type { ContactMistake, ContactProblem } from './contact-form.ts';
import { backToPage, type FoundPage, formRoutes, type PageFinder } from './find-page.ts';
import type { PayInstructions } from './public-checkout.ts';
import type { SandboxPayer } from './sandbox-payer.ts';
import { sandboxView } from './sandbox-routes.ts';

export type ContactDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly sandbox: SandboxPayer | null;
};

export function contactRoutes(deps: ContactDeps, finder: PageFinder): Route[] {
  async function keep(found: FoundPage, { rawBody }: PageContext): Promise<PageReply> {
    const { look, shown, live, dossier } = found;
    const form = new URLSearchParams(rawBody.toString('utf8'));
    const email = look.sendsReceipts ? (form.get('email') ?? '').trim() : '';
    const address = (form.get('refundAddress') ?? '').trim();
    const network = form.get('network') ?? '';
    const mistake = await mistakeIn(found, { email, address, network });
    if (mistake !== null) {
      const contactProblem: ContactProblem = { mistake, email: email.slice(0, 254), address: address.slice(0, 200) };
      const options = {
        now: deps.clock.now(),
        live,
        rendering: { contactProblem, sandbox: sandboxView(deps.sandbox, shown, false) },
      };
      return pageReply(422, look, checkoutPage(look, shown, options));
    }
    const contact: CheckoutContact = {
      email: email || null,
      refundNetwork: address === '' ? null : network,
      refundAddress: address || null,
      language: look.language,
    };
    if (email !== '' || address !== '') await leaveContact(deps, dossier.checkout, contact);
    const { headers = {}, ...reply } = backToPage(found);
    return { ...reply, headers: { ...headers, location: `${headers['location'] ?? ''}#contact` } };
  }

  async function mistakeIn(
    { shown: { pay } }: FoundPage,
    { email, address, network }: { readonly email: string; readonly address: string; readonly network: string },
  ): Promise<ContactMistake | null> {
    if (email !== '' && !isEmailAddress(email)) return 'emailWrong';
    if (address === '') return null;
    if (isPaidTo(pay, address) || isPaidTo(pay?.joint ?? null, address)) return 'refundAddressOurs';
    const connector = deps.connectors.get(network);
    const isUnfit = address.length > 200 || !isStorable(address) || /\s/.test(address);
    if (!connector || isUnfit) return 'refundAddressWrong';
    const problem = connector.addressProblem?.({ address, memo: null, memoType: null }) ?? null;
    if (problem !== null) return 'refundAddressWrong';
    return (await isOwnAddress(deps.db, connector, { address })) ? 'refundAddressOurs' : null;
  }

  return formRoutes(finder, { path: '/:lang/checkout/:id/contact', answer: keep });
}

/** In any of the forms in which the page shows where to pay. */
function isPaidTo(pay: PayInstructions | null, address: string): boolean {
  if (pay === null) return false;
  const { addressOnly, fields } = pay.instructions;
  const forms = [pay.address, addressOnly?.qrText ?? '', ...fields.map(({ value }) => value)];
  return forms.some((form) => form.toLowerCase() === address.toLowerCase());
}
