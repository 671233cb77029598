/** The shop's own domain and its keys: connected, looked at, changed and given up by people, with a fresh proof. */
import { personActor } from '../../http/actor.ts';
import type { PageReply } from '../../http/route.ts';
import { GatewayError, invalidRequest, told } from '../../lib/errors.ts';
import { findBrandDomain } from '../../merchants/brand-domain-store.ts';
import { isOnThisMachine } from '../../merchants/branding-key.ts';
import {
  changeBrandDomain,
  createBrandingKey,
  holdBrandDomain,
  removeBrandDomain,
  revokeBrandingKey,
} from '../../merchants/change-brand-domain.ts';
import { checkBrandDomain } from '../../merchants/check-brand-domain.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { problemText } from '../frame/problem-text.ts';
import { type BrandPageDeps, badNotice, type Done, showPaymentPage } from './brand-settings-routes.ts';
import { brandingKeyPage, ownDomainPath, readBehaviour } from './own-domain-part.ts';
import { paymentPagePath } from './settings-parts.ts';

export function ownDomainRoutes(deps: BrandPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const access = { may: 'brandDomain' } as const;
  const actorOf = ({ signedIn }: MemberContext) => personActor(signedIn.person.id);
  const held = ({ db }: MemberContext) => ({ db, clock: deps.clock });

  /** Done, or the page with what was typed and why it was refused. */
  async function carriedOut(context: MemberContext, work: () => Promise<PageReply | Done>): Promise<PageReply> {
    const { look, form } = context;
    try {
      const done = await work();
      return typeof done === 'string' ? redirect(`${paymentPagePath}?did=${done}`) : done;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const sentence = problemText(look, error);
      const shown = { status: error.httpStatus, notice: badNotice(sentence), domain: { refused: { form, sentence } } };
      return showPaymentPage(deps, context, shown);
    }
  }

  return [
    accountRoute({
      method: 'POST',
      path: ownDomainPath,
      access,
      handle: (context) =>
        carriedOut(context, async () => {
          const { look, merchant, form } = context;
          const behaviour = readBehaviour(form.get('behaviour'));
          const domain = (form.get('domain') ?? '').trim();
          if (!deps.isSandbox && isOnThisMachine(domain))
            throw invalidRequest([told('domain_here', 'A domain on this machine is for trying out only.')]);
          const wish = { domain, behaviour, serviceUrl: deps.publicUrl, accountUrl: deps.accountUrl };
          const made = await createBrandingKey(held(context), merchant.id, wish, actorOf(context));
          return accountReply(200, look, brandingKeyPage(look, made));
        }),
    }),
    accountRoute({
      method: 'POST',
      path: `${ownDomainPath}/behaviour`,
      access,
      handle: (context) =>
        carriedOut(context, async () => {
          const { merchant, form } = context;
          const framedBy = form
            .get('framed-by')
            ?.split(/[\s,]+/)
            .filter((each) => each !== '');
          const change = { behaviour: readBehaviour(form.get('behaviour')), framedBy };
          await changeBrandDomain(held(context), merchant.id, change, actorOf(context));
          return 'domainSaved';
        }),
    }),
    accountRoute({
      method: 'POST',
      path: `${ownDomainPath}/check`,
      access: { may: 'brand' },
      handle: (context) =>
        carriedOut(context, async () => {
          const domain = await findBrandDomain(deps.db, context.merchant.id);
          if (!domain) throw invalidRequest([told('domain_none', 'There is no domain of its own yet.')]);
          const check = await checkBrandDomain(deps, domain);
          const isTaken = check.is === 'works' && context.look.may('brandDomain');
          if (isTaken) await holdBrandDomain(held(context), domain, actorOf(context));
          return showPaymentPage(deps, context, { domain: { check } });
        }),
    }),
    accountRoute({
      method: 'POST',
      path: `${ownDomainPath}/revoke`,
      access,
      handle: (context) =>
        carriedOut(context, async () => {
          await revokeBrandingKey(held(context), context.merchant.id, context.form.get('key') ?? '', actorOf(context));
          return 'domainKeyRevoked';
        }),
    }),
    accountRoute({
      method: 'POST',
      path: `${ownDomainPath}/remove`,
      access,
      handle: (context) =>
        carriedOut(context, async () => {
          await removeBrandDomain(held(context), context.merchant.id, actorOf(context));
          return 'domainRemoved';
        }),
    }),
  ];
}
